// Holds the traces of a port and of its twin while they are compared.
#pragma once

#include <torchbook/cli/system/descriptor.h>
#include <torchbook/golden/verdict.h>

#include <cstddef>
#include <string>

namespace torchbook::cli {

/// Two traces, as files in memory: whatever ends this program, nothing of them is left.
class TracePair {
 public:
  /// The largest trace. A run that would need a larger one is recorded up to there.
  static constexpr std::size_t most_bytes = std::size_t{256} << 20;

  /// Throws UsageError if there can be no files in memory.
  TracePair();

  /// Returns the names by which this program and those that it starts can open the files.
  std::string here() const { return name_of(here_); }
  std::string there() const { return name_of(there_); }

  /// Compares the traces, and tells each cell that differs why. Throws UsageError, which names the notebook,
  /// if one of them cannot be read.
  void tell(golden::JudgedTranscript& judged) const;

 private:
  static std::string name_of(const Descriptor& file);

  Descriptor here_;
  Descriptor there_;
};

}  // namespace torchbook::cli
