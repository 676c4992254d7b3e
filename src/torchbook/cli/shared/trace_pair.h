// Holds the traces of a port and of its twin while they are compared.
#pragma once

#include <torchbook/cli/system/descriptor.h>
#include <torchbook/golden/verdict.h>

#include <cstddef>
#include <string>

namespace torchbook::cli {

/// Two traces, as files in memory, so that none is left however this program ends.
class TracePair {
 public:
  /// The limit on the size of a trace. A longer run is recorded up to this limit.
  static constexpr std::size_t most_bytes = std::size_t{256} << 20;

  /// Throws UsageError if the system cannot create files in memory.
  TracePair();

  /// Return the paths under which this program and its children can open the files.
  std::string here() const { return name_of(here_); }
  std::string there() const { return name_of(there_); }

  /// Compares the traces, and adds to each cell that differs the reason. If a trace cannot be read,
  /// throws UsageError with the name of the notebook.
  void tell(golden::JudgedTranscript& judged) const;

 private:
  static std::string name_of(const Descriptor& file);

  Descriptor here_;
  Descriptor there_;
};

}  // namespace torchbook::cli
