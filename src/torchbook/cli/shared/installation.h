// Finds where this program is installed.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

namespace torchbook::cli {

/// Returns the folders in which libraries lie if this program is installed: `PREFIX/lib` and the like.
std::vector<std::filesystem::path> library_folders();

/// Returns the prefix in which this program is installed together with torchbook's CMake package. Returns
/// nullopt if it is not, or if CMake finds the package there by itself.
std::optional<std::filesystem::path> prefix_to_tell();

}  // namespace torchbook::cli
