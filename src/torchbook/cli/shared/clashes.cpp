// Compares each output file with all other files.
#include <fmt/format.h>
#include <torchbook/cli/shared/clashes.h>
#include <torchbook/cli/system/exit.h>

#include <filesystem>
#include <system_error>

namespace torchbook::cli {
namespace {

namespace fs = std::filesystem;

bool is_file(const NamedFile& file) { return !file.path.empty() && file.path != "-"; }

/// Returns whether both paths refer to the same file, which may not exist yet. Devices and pipes do
/// not count.
bool are_same(const NamedFile& one, const NamedFile& other) {
  if (!is_file(one) || !is_file(other)) return false;
  std::error_code none;
  if (fs::exists(one.path, none) && !fs::is_regular_file(one.path, none)) return false;
  const auto place = [&](const NamedFile& file) {
    return fs::weakly_canonical(fs::absolute(file.path, none), none);
  };
  return place(one) == place(other) || fs::equivalent(one.path, other.path, none);
}

}  // namespace

void refuse_clashes(const std::vector<NamedFile>& written, const std::vector<NamedFile>& read) {
  for (std::size_t i = 0; i < written.size(); ++i) {
    const auto& [option, path] = written[i];
    for (const auto& other : read) {
      if (!are_same(written[i], other)) continue;
      throw UsageError(fmt::format("{} would overwrite {}, which {} reads; name another file", option, path,
                                   other.option));
    }
    for (std::size_t j = i + 1; j < written.size(); ++j) {
      if (!are_same(written[i], written[j])) continue;
      throw UsageError(fmt::format("{} and {} are both {}; they need a file each", option, written[j].option,
                                   written[j].path));
    }
  }
}

}  // namespace torchbook::cli
