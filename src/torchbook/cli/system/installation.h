// Finds this program, and where it is installed.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

namespace torchbook::cli {

/// Returns the file of this program.
std::filesystem::path this_program();

/// Returns the folders in which libraries are below a prefix: `PREFIX/lib` and the like.
std::vector<std::filesystem::path> library_folders(const std::filesystem::path& prefix);

/// Returns the installation prefix that CMake must be told to find torchbook's package. Returns
/// nullopt if there is no package, or if CMake searches the prefix anyway. A build folder is such a prefix.
std::optional<std::filesystem::path> prefix_to_tell();

}  // namespace torchbook::cli
