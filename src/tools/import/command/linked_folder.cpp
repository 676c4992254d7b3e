#include <fmt/format.h>
#include <tools/import/command/linked_folder.h>
#include <torchbook/cli/system/exit.h>

#include <filesystem>
#include <system_error>

namespace torchbook::cli {
namespace {

namespace fs = std::filesystem;

/// Links the entries of the folder `from` into the folder `to`, except `other` and unreadable ones.
void link_all(const fs::path& from, const fs::path& to, const fs::path& other) {
  constexpr int most = 10'000;
  int count = 0;
  std::error_code unread;
  for (const auto& each :
       fs::directory_iterator(from, fs::directory_options::skip_permission_denied, unread)) {
    std::error_code ignored;
    if (each.path() != other) fs::create_symlink(each.path(), to / each.path().filename(), ignored);
    if (++count == most) return;
  }
}

}  // namespace

LinkedFolder::LinkedFolder(const std::string& folder) try : above_(fs::temp_directory_path() / "torchbook") {
  const auto beside = fs::canonical(folder.empty() ? "." : folder);
  const auto place = fs::path(above_.path()) / (beside.has_filename() ? beside.filename() : "root");
  fs::create_directory(place);
  link_all(beside.parent_path(), above_.path(), beside);
  link_all(beside, place, {});
  path_ = place.string();
} catch (const std::system_error& error) {
  throw UsageError(fmt::format("no folder can be made to run the notebook in: {}", error.what()));
}

}  // namespace torchbook::cli
