// Does what every program of torchbook does once its command line is read.
#pragma once

#include <torchbook/cli/options.h>

#include <functional>
#include <string>

namespace torchbook::cli {

/// Reads the command line with `parse`, does what it asks, and returns the exit code. Errors are one line on
/// stderr that starts with `name`. `several` says whether the program's reports may hold more than one
/// notebook.
int program_main(const std::string& name, bool several, const std::function<Request()>& parse);

/// Ends this process with an exit code. LibTorch's destructors do not run, because they only take time.
[[noreturn]] void end_program(int code);

}  // namespace torchbook::cli
