// Runs twins in a Python with PyTorch.
#pragma once

#include <torchbook/cli/shared/twins.h>
#include <torchbook/cli/system/child.h>

#include <map>
#include <string>

namespace torchbook::cli {

/// What a Python returned for the twins.
struct Answers {
  /// The recordings by slug, as texts that parse_recording() reads.
  std::map<std::string, std::string> recordings;
  std::string why_not_all;  ///< why some twins have no recording; empty if all have one
  std::string untraced;     ///< why no twin has a trace; empty if those that were to have one have one
};

/// A Python that is running twins.
class RunningTwins {
 public:
  /// Starts `python` with the twins, which are given by slug. If `keep_going`, a twin's cells run even after
  /// one that raised. wait() gives the Python `seconds`. Throws UsageError if `python` cannot be started.
  RunningTwins(const std::string& python, const std::map<std::string, Twin>& twins, bool keep_going,
               int seconds);

  /// Waits until the Python ends, and returns the recordings that it has written by then. If its time is
  /// over, the recordings of the twins that had not ended say which cell did not. Throws UsageError if it has
  /// no PyTorch or answers something else. Also throws UsageError if it dies or takes too long before it has
  /// PyTorch.
  Answers wait();

 private:
  std::string python_;
  int seconds_;
  Child child_;
};

}  // namespace torchbook::cli
