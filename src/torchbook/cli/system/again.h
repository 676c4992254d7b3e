// Runs this program once more, in another environment.
#pragma once

#include <torchbook/cli/system/child.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace torchbook::cli {

/// Runs this program with `arguments` and the variables in `settings`, each `VARIABLE=value`. This
/// needs a new process, because LibTorch and OpenBLAS read their variables only when they are
/// loaded. The answer is its stdout. `tick`, which may be empty, is called every second with the
/// elapsed seconds. Throws UsageError if the process cannot be started.
Child::Ended run_again(const std::vector<std::string>& settings, const std::vector<std::string>& arguments,
                       std::chrono::seconds limit, const std::function<void(std::chrono::seconds)>& tick);

}  // namespace torchbook::cli
