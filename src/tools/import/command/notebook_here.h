// Finds the notebook that a command of this folder means.
#pragma once

#include <string>

namespace torchbook::cli {

/// Returns the slug `named` if its port and golden are in this folder; without a name, that of the only
/// notebook here. Throws UsageError, which names the notebooks that are here.
std::string notebook_here(const std::string& named);

}  // namespace torchbook::cli
