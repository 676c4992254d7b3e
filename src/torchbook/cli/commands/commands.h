// Lists the commands of a program.
#pragma once

#include <torchbook/cli/shared/program.h>

#include <span>

namespace CLI {
class App;
}

namespace torchbook::cli {

/// Adds a command with its options to a program. If the command line names the command, sets
/// `work`. The command `run` has the function `add_run`, and so on.
using AddCommand = void(CLI::App& app, const Program& program, Work& work);

/// Returns the commands of this program, in the order in which the help lists them. The build makes
/// this list (torchbook_add_commands in cmake/Targets.cmake).
std::span<AddCommand* const> commands();

/// Makes `check` the default if the command line has no command.
AddCommand add_check_without_command;

/// Adds the options of `run` to a notebook's program.
AddCommand add_run_of_notebook;

/// Adds the commands that other programs have, so that --help lists them.
AddCommand add_tools;

/// Replaces this program by a tool if `words` begin with one of its commands. Throws UsageError if the
/// tool is missing.
void run_tool_if_asked(const Program& program, std::span<const char* const> words);

}  // namespace torchbook::cli
