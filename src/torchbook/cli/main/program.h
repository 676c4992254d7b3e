// Does what every program of torchbook does: reads its command line, does what it asks, and ends.
#pragma once

#include <torchbook/cli/shared/program.h>

#include <functional>

namespace CLI {
class App;
}

namespace torchbook::cli {

/// Reads the command line, does what it asks, and returns the exit code. Errors are one line on stderr that
/// starts with the program's name.
int program_main(const Program& program, int argc, const char* const* argv);

/// Ends this process with an exit code. LibTorch's destructors do not run, because they only take time.
[[noreturn]] void end_program(int code);

/// Shows `use` the options and commands of the program torchbook, as its command line is read with them.
void describe_torchbook(const std::function<void(const CLI::App&)>& use);

}  // namespace torchbook::cli
