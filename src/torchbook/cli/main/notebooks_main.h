// The main function of programs with notebooks.
#pragma once

#include <torchbook/cli/shared/program.h>

namespace torchbook::cli {

/// Reads the command line, does what it asks, and returns the exit code. Runs a tool if it asks for one.
int notebooks_main(const Program& program, int argc, const char* const* argv);

}  // namespace torchbook::cli
