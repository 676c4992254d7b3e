// Implements `torchbook new`: starts a project for notebooks of one's own.
#pragma once

#include <string>

namespace torchbook::cli {

/// Writes a project into a folder that does not exist or is empty; the folder's name is the project's. It
/// appears whole or not at all. Returns what the user may do next. Throws UsageError.
std::string write_new_project(const std::string& folder);

}  // namespace torchbook::cli
