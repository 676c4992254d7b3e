// Runs twins in a Python with PyTorch.
#pragma once

#include <torchbook/cli/child.h>
#include <torchbook/cli/twins.h>

#include <map>
#include <string>

namespace torchbook::cli {

/// What a Python returned for the twins.
struct Answers {
  /// The recordings by slug, as texts that parse_recording() reads.
  std::map<std::string, std::string> recordings;
  std::string why_not_all;  ///< why some twins have no recording; empty if all have one
};

/// A Python that is running twins.
class RunningTwins {
 public:
  /// Starts `python` with the twins, which are given by slug. If `keep_going`, a twin's cells run even after
  /// one that raised. Throws UsageError if `python` cannot be started.
  RunningTwins(const std::string& python, const std::map<std::string, Twin>& twins, bool keep_going);

  /// Waits until the Python ends, at most for `seconds`, and returns the recordings that it has written by
  /// then. Throws UsageError if it has no PyTorch or answers something else. Also throws UsageError if it
  /// dies or takes too long before the first twin has ended.
  Answers wait(int seconds);

 private:
  std::string python_;
  Child child_;
};

}  // namespace torchbook::cli
