// This program, run once more in another environment.
#pragma once

#include <torchbook/cli/child.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace torchbook::cli {

/// Runs this program with `arguments` and with `settings`, each `VARIABLE=value`, set; LibTorch and OpenBLAS
/// read their variables only when they are loaded. The answer is what it wrote to stdout. `tick`, which may
/// be empty, is called every second with their number. Throws UsageError if it cannot be started.
Child::Ended run_again(const std::vector<std::string>& settings, const std::vector<std::string>& arguments,
                       std::chrono::seconds limit, const std::function<void(std::chrono::seconds)>& tick);

}  // namespace torchbook::cli
