// The main function that all programs of torchbook share.
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

/// Ends this process with an exit code. Skips LibTorch's destructors, which only cost time.
[[noreturn]] void end_program(int code);

/// Calls `use` with the command line parser of the program torchbook.
void describe_torchbook(const std::function<void(const CLI::App&)>& use);

}  // namespace torchbook::cli
