// A Python with PyTorch, which runs twins.
#pragma once

#include <torchbook/cli/child.h>
#include <torchbook/cli/twins.h>

#include <map>
#include <string>

namespace torchbook::cli {

/// What a Python gave for twins.
struct Answers {
  /// By slug, as text that parse_recording() reads.
  std::map<std::string, std::string> recordings;
  std::string why_not_all;  ///< why a twin has no recording, if one has none
};

/// Twins that a Python is running.
class RunningTwins {
 public:
  /// Starts `python` on the twins, given by slug. If `keep_going`, a twin's cells run behind one that raised.
  /// Throws UsageError if it cannot be started.
  RunningTwins(const std::string& python, const std::map<std::string, Twin>& twins, bool keep_going);

  /// Waits for it, at most so many seconds, and returns what it gave until then. Throws UsageError if it has
  /// no PyTorch, answers something else, or dies or takes too long before the first twin has ended.
  Answers wait(int seconds);

 private:
  std::string python_;
  Child child_;
};

}  // namespace torchbook::cli
