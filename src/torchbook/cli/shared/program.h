// The program that a command belongs to, and helpers for its messages: the word that a user probably meant,
// and the command to type.
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

/// Returns the known word, or the one with a beginning, from which `word` differs by the fewest typing
/// errors: by one, or by a third of its letters. Returns an empty text if no word is near.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

/// Returns `; did you mean check?`, or an empty text if no known word is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

/// Quotes a word for a POSIX shell. Returns it unchanged if it needs no quotes, otherwise in single
/// quotes.
std::string shell_quoted(std::string_view word);

}  // namespace torchbook::cli
