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

/// Expects exit code 2, nothing on stdout, and one line with `message` on stderr.
void expect_refused(const std::string& command, const std::string& message);

/// Runs `torchbook` with `arguments`, which lack the program's name. Returns its exit code and
/// output.
Finished torchbook(const std::vector<std::string>& arguments);

/// Returns the error message of a command line, without the program's name and the newline. Expects
/// no other output, and exit code 2.
std::string refusal(const std::vector<std::string>& arguments);

/// Returns a shell command that writes the Jupyter notebook small.ipynb, with this source in its second cell.
std::string write_notebook(const std::string& source = "x");

}  // namespace torchbook::test
