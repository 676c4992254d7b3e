// The program that a command belongs to, and helpers for its messages.
#pragma once

#include <functional>
#include <string>
#include <string_view>
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

/// Returns the command that does the same for the notebook `slug`, as a user types it.
using SameCommand = std::function<std::string(std::string_view slug)>;

/// Returns that for a command with these options. `command` is empty in the program of a notebook, which has
/// no commands.
SameCommand same_command(const Program& program, const std::string& command,
                         const std::vector<std::string>& options);

}  // namespace torchbook::cli
