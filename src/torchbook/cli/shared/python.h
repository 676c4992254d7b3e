// Runs twins in a Python with PyTorch.
#pragma once

#include <torchbook/cli/shared/twins.h>
#include <torchbook/cli/system/child.h>

#include <map>
#include <string>

namespace torchbook::cli {

/// What a Python returned for the twins.
struct Answers {
  /// The recordings by slug, as texts for parse_recording().
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

  /// Waits until Python ends, and returns the recordings that it has written by then. After a
  /// timeout, the recordings of the unfinished twins say which cell did not end. Throws UsageError
  /// if Python has no PyTorch, or dies or times out before it has imported it, or if its answer is
  /// invalid.
  Answers wait();

 private:
  std::string python_;
  int seconds_;
  Child child_;
};

}  // namespace torchbook::cli
