// Follows links up to the names of descriptors in /proc, and compares files by device and inode.
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <torchbook/cli/target.h>
#include <torchbook/notebook/whole_number.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace torchbook::cli {
namespace {

namespace fs = std::filesystem;

constexpr int most_links = 40;  // as many as the system follows

/// Returns whether a folder holds the names of descriptors: `/proc/1/fd` or `/proc/1/task/1/fd`.
bool holds_descriptors(const fs::path& folder) {
  struct statfs system {};
  return folder.filename() == "fd" && ::statfs(folder.c_str(), &system) == 0 &&
         system.f_type == PROC_SUPER_MAGIC;
}

/// Returns whether a folder of descriptors belongs to this process. All of its threads share them.
bool is_own(const fs::path& folder) {
  std::error_code error;
  const auto own = fs::canonical("/proc/self", error);
  return !error && folder.string().starts_with(own.string() + '/');
}

/// Returns the target of a path that names a descriptor of some process.
std::optional<Target> descriptor_named(const fs::path& path) {
  std::error_code error;
  const auto folder = fs::canonical(path.parent_path(), error);
  if (error || !holds_descriptors(folder)) return std::nullopt;
  const auto number = notebook::whole_number<int>(path.filename().string());
  if (!number) return std::nullopt;
  if (is_own(folder)) return Target{.descriptor = number};
  return Target{.path = path.string(), .error = "it is a descriptor of another process"};
}

std::string reason(int error) { return std::generic_category().message(error); }

/// Returns false if there is no such file.
bool examine(const Target& target, struct stat& file) {
  const int result =
      target.descriptor ? ::fstat(*target.descriptor, &file) : ::stat(target.path.c_str(), &file);
  return result == 0;
}

fs::path resolved(const std::string& path) {
  std::error_code error;
  const auto place = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? fs::path(path) : place;
}

}  // namespace

Target target_of(const std::string& given) {
  fs::path path = given;
  for (int links = 0; links <= most_links; ++links) {
    if (path.is_relative()) path = "./" / path;  // so that it has a folder
    if (auto found = descriptor_named(path)) return *found;
    std::error_code none;
    if (!fs::is_symlink(fs::symlink_status(path, none))) return {.path = path.string()};
    const auto link = fs::read_symlink(path, none);
    if (none) return {.path = given, .error = reason(none.value())};
    path = path.parent_path() / link;
  }
  return {.path = given, .error = reason(ELOOP)};
}

bool same_file(const Target& one, const Target& other) {
  if (one.descriptor && one.descriptor == other.descriptor) return true;
  struct stat first {};
  struct stat second {};
  if (examine(one, first) && examine(other, second)) {
    return S_ISREG(first.st_mode) && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
  }
  return !one.descriptor && !other.descriptor && resolved(one.path) == resolved(other.path);
}

}  // namespace torchbook::cli
