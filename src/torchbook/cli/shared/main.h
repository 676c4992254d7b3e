// What the main functions of all programs share.
#pragma once

#include <torchbook/cli/shared/program.h>

#include <functional>

namespace CLI {
class App;
}

namespace torchbook::cli {

/// Adds all options and commands of a program.
using Prepare = std::function<void(CLI::App& app, const Program& program, Work& work)>;

/// Reads the command line, does what it asks, and returns the exit code.
int do_as_asked(const Program& program, const Prepare& prepare, int argc, const char* const* argv);

/// Runs `work` and returns its exit code. An error becomes one line on stderr that starts with the program's
/// name, and its exit code.
int guarded(const Program& program, const Work& work);

/// Ends this process with an exit code. Skips LibTorch's destructors, which only cost time.
[[noreturn]] void end_program(int code);

}  // namespace torchbook::cli
