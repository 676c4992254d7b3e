// A Python with PyTorch, which runs twins.
#pragma once

#include <torchbook/cli/child.h>

#include <map>
#include <string>
#include <vector>

namespace torchbook::cli {

/// Twins that a Python is running.
class RunningTwins {
 public:
  /// Starts `python` on the twins, given as slug and text. Throws UsageError where it cannot be started.
  RunningTwins(const std::string& python, const std::map<std::string, std::string>& twins);

  /// Waits for it, at most so many seconds, and gives the recording of each twin, as text that
  /// parse_recording reads. Throws UsageError where it has no PyTorch, dies, takes too long or answers
  /// something else.
  std::map<std::string, std::string> recordings(int seconds);

 private:
  std::string python_;
  std::vector<std::string> slugs_;
  Child child_;
};

}  // namespace torchbook::cli
