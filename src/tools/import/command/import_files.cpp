// Writes the files of an import. If one cannot be written, removes the new ones again.
#include <fmt/format.h>
#include <tools/import/command/import_files.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>

#include <algorithm>
#include <filesystem>

namespace torchbook::cli {
namespace {

namespace fs = std::filesystem;

}  // namespace

bool exists(const std::string& path) {
  std::error_code unreadable;
  return fs::symlink_status(path, unreadable).type() != fs::file_type::not_found;
}

NewFile original_file(const NewFile& port) {
  NewFile file{.path = port.path + ".orig", .before = {}, .text = *port.before};
  if (exists(file.path)) {
    throw UsageError(fmt::format(
        "{} exists; the C++ of removed cells would be kept there, so move that file away", file.path));
  }
  return file;
}

std::vector<std::string> write_files_or_none(const std::vector<NewFile>& files) {
  std::vector<std::string> written;
  try {
    for (const auto& file : files) {
      if (file.before == file.text || (!file.before && file.text.empty())) continue;
      if (file.text.empty()) {
        fs::remove(file.path);
      } else {
        write_file(file.path, file.text);
      }
      written.push_back(file.path);
    }
  } catch (const UsageError&) {
    for (const auto& file : files) {
      std::error_code ignored;
      const bool made = std::find(written.begin(), written.end(), file.path) != written.end();
      if (made && !file.before) fs::remove(file.path, ignored);
    }
    throw;
  }
  return written;
}

}  // namespace torchbook::cli
