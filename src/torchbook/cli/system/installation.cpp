// Looks next to this program for the folders of cmake/Install.cmake, which a build folder has, too.
#include <torchbook/cli/system/installation.h>

#include <algorithm>
#include <system_error>

namespace torchbook::cli {
namespace {

namespace fs = std::filesystem;

/// Returns PREFIX of `PREFIX/bin/torchbook`.
fs::path prefix_of_this_program() { return this_program().parent_path().parent_path(); }

}  // namespace

fs::path this_program() {
  std::error_code none;
  return fs::read_symlink("/proc/self/exe", none);
}

std::vector<fs::path> library_folders(const fs::path& prefix) {
  std::vector<fs::path> folders = {prefix / "lib", prefix / "lib64"};
  std::error_code none;
  for (const auto& one : fs::directory_iterator(prefix / "lib", none)) {
    if (one.path().native().ends_with("-linux-gnu")) folders.push_back(one.path());
  }
  return folders;
}

std::optional<fs::path> prefix_to_tell() {
  auto prefix = prefix_of_this_program();
  if (prefix == "/usr" || prefix == "/usr/local") return std::nullopt;
  const auto folders = library_folders(prefix);
  const bool has_package = std::any_of(folders.begin(), folders.end(), [](const fs::path& folder) {
    std::error_code none;
    return fs::exists(folder / "cmake/torchbook/torchbookConfig.cmake", none);
  });
  return has_package ? std::optional(std::move(prefix)) : std::nullopt;
}

}  // namespace torchbook::cli
