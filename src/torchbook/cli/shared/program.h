// The program that a command belongs to, and helpers for its messages.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace torchbook::cli {

/// The program whose command line is read.
struct Program {
  std::string name;     ///< in messages: `torchbook`, or a notebook's slug
  std::string path{};   ///< as it was called
  bool several = true;  ///< whether it may hold several notebooks
};

/// What a command line asks for. It writes its results, and returns the exit code.
using Work = std::function<int()>;

/// Writes lines to stderr, each after the program's name.
void say(const Program& program, const std::vector<std::string>& lines);

/// The command that does the same for one notebook, as a user types it.
class SameCommand {
 public:
  /// `command` is empty in the program of a notebook, which has no commands.
  SameCommand(const Program& program, const std::string& command);

  /// Adds an option, unless its value is empty.
  void add(const std::string& option, const std::string& value);
  /// Adds a flag, if it is set.
  void add_flag(const std::string& flag, bool is_set);

  std::string of(const std::string& slug) const;

 private:
  std::string command_;
  std::string options_{};
  bool several_;
};

}  // namespace torchbook::cli
