// Runs the commands that a user would type, and keeps their output.
#pragma once

#include <string>
#include <vector>

namespace torchbook::test {

/// The exit code and the output of a command.
struct Finished {
  int code = -1;         ///< the exit code, or 128 plus the number of the signal that killed it
  std::string out;       ///< stdout
  std::string err;       ///< stderr without the lines that a program writes while it waits for another one
  std::string progress;  ///< these lines, of the form `PROGRAM: 2 s, waiting for …`
};

/// Runs a POSIX shell command in a temporary folder, to which it may write. `$BIN` is the folder of
/// torchbook's programs. The environment has neither NO_COLOR nor CLICOLOR_FORCE, and stdin is empty.
Finished shell(const std::string& command);

/// Expects a command to exit with code 2 and to write nothing to stdout and one line with `message` to
/// stderr.
void expect_refused(const std::string& command, const std::string& message);

/// Returns how `torchbook` ends, and what it writes. `arguments` lacks the name of the program.
Finished torchbook(const std::vector<std::string>& arguments);

/// Returns why `torchbook` refuses a command line, without its name and the end of the line. Expects that it
/// writes nothing else and ends with exit code 2.
std::string refusal(const std::vector<std::string>& arguments);

}  // namespace torchbook::test
