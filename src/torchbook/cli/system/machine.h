// Describes the machine and the settings, for reports of faults.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace torchbook::cli {

/// Returns names with values: `torchbook`, `libraries` that torchbook is compiled with, `system`,
/// `processor`, and `settings`, the variables of the environment that choose kernels or libraries, if one is
/// set.
std::vector<std::pair<std::string, std::string>> this_machine();

}  // namespace torchbook::cli
