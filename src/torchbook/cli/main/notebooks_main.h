// The main function of programs with notebooks.
#pragma once

#include <torchbook/cli/commands/commands.h>
#include <torchbook/cli/shared/program.h>

#include <span>

namespace torchbook::cli {

/// Reads the command line, does what it asks, and returns the exit code. Runs a tool if it asks for one. The
/// commands are those of a program with several notebooks.
int notebooks_main(const Program& program, std::span<AddCommand* const> commands, int argc,
                   const char* const* argv);

}  // namespace torchbook::cli
