// The main function of programs with notebooks.
#pragma once

#include <torchbook/cli/shared/program.h>

#include <functional>

namespace CLI {
class App;
}

namespace torchbook::cli {

/// Reads the command line, does what it asks, and returns the exit code. Runs a tool if it asks for one.
int notebooks_main(const Program& program, int argc, const char* const* argv);

/// Calls `use` with the command line parser of the program torchbook.
void describe_torchbook(const std::function<void(const CLI::App&)>& use);

}  // namespace torchbook::cli
