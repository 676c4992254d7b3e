// Writes a new file beside the old one and renames it.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <torchbook/cli/system/cleanup.h>
#include <torchbook/cli/system/descriptor.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/write_file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace torchbook::cli {
namespace {

namespace fs = std::filesystem;

constexpr mode_t permissions = 0777;  // all that a file keeps of its mode

mode_t mode_of_new_files() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

/// Writes to a pipe, a device or a descriptor, after what is there. Returns the error, or 0.
int write_in_place(const std::string& path, std::string_view text) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC));
  if (!file.open()) return errno;
  const int error = write_all(file.get(), text);
  const int closing = file.close();
  return error != 0 ? error : closing;
}

/// Writes a temporary file beside `path` and renames it. Returns the error, or 0.
int replace(const std::string& path, std::string_view text, mode_t mode) {
  TemporaryFile temporary(path);
  Descriptor file(temporary.descriptor());
  if (!file.open()) return errno;
  int error = write_all(file.get(), text);
  if (error == 0 && ::fchmod(file.get(), mode) != 0) error = errno;
  if (error == 0 && ::fsync(file.get()) != 0) error = errno;
  if (const int closing = file.close(); error == 0) error = closing;
  return error != 0 ? error : temporary.rename(path);
}

/// Returns whether a path is a device or a descriptor, such as `/dev/stdout`, even if it leads to a
/// regular file.
bool is_of_the_system(const std::string& path) {
  return path.starts_with("/dev/") || path.starts_with("/proc/");
}

/// Writes the text in place or by renaming, whichever suits the path. Returns the error, or 0.
int write_path(const std::string& path, std::string_view text) {
  struct stat existing {};
  if (::stat(path.c_str(), &existing) != 0)
    return errno == ENOENT ? replace(path, text, mode_of_new_files()) : errno;
  if (S_ISDIR(existing.st_mode)) return EISDIR;
  if (!S_ISREG(existing.st_mode) || is_of_the_system(path)) return write_in_place(path, text);
  if (::access(path.c_str(), W_OK) != 0) return errno;
  std::error_code error;
  const auto target = fs::canonical(path, error);  // a link stays one
  return error ? error.value() : replace(target.string(), text, existing.st_mode & permissions);
}

}  // namespace

void write_file(const std::string& path, std::string_view text) {
  if (const int error = write_path(path, text); error != 0)
    throw UsageError(fmt::format("cannot write {}: {}", path, std::generic_category().message(error)));
}

}  // namespace torchbook::cli
