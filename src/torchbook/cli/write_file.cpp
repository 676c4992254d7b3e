// Decides how a file can be written, and writes it.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <torchbook/cli/cleanup.h>
#include <torchbook/cli/descriptor.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/target.h>
#include <torchbook/cli/write_file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace torchbook::cli {
namespace {

constexpr mode_t permissions = 0777;  // all that a file keeps of its mode

mode_t mode_of_new_files() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

int write_device(const std::string& path, std::string_view text) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC));
  if (!file.open()) return errno;
  const int error = write_all(file.get(), text);
  const int closing = file.close();
  return error != 0 ? error : closing;
}

/// Overwrites a file. If there is no space for the text, the old text stays.
int overwrite(const std::string& path, std::string_view text, const struct stat& existing) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.open()) return errno;
  const auto size = static_cast<off_t>(text.size());
  if (size > 0 && ::fallocate(file.get(), 0, 0, size) != 0 && errno != EOPNOTSUPP) {
    const int error = errno;
    [[maybe_unused]] const int undone = ::ftruncate(file.get(), existing.st_size);
    return error;
  }
  int error = write_all(file.get(), text);
  if (error == 0 && ::ftruncate(file.get(), size) != 0) error = errno;
  if (error == 0 && (existing.st_mode & 07000) != 0 &&
      ::fchmod(file.get(), existing.st_mode & permissions) != 0) {
    error = errno;
  }
  if (error == 0 && ::fsync(file.get()) != 0) error = errno;
  const int closing = file.close();
  return error != 0 ? error : closing;
}

/// How an attempt to replace a file ended.
struct Attempt {
  bool possible = true;  ///< if not, nothing has changed, and overwriting the file may be possible
  int error = 0;
};

/// Makes the new file look like the one that it will replace. Returns whether that succeeded.
bool take_owner_and_mode(int fd, const struct stat& existing) {
  struct stat now {};
  if (::fstat(fd, &now) != 0) return false;
  const bool owned = now.st_uid == existing.st_uid && now.st_gid == existing.st_gid;
  if (!owned && ::fchown(fd, existing.st_uid, existing.st_gid) != 0) return false;
  return ::fchmod(fd, existing.st_mode & permissions) == 0;
}

/// Writes a temporary file beside `path` and renames it. `existing` is nullptr for a new file.
Attempt replace(const std::string& path, std::string_view text, const struct stat* existing) {
  TemporaryFile temporary(path);
  Descriptor file(temporary.descriptor());
  if (!file.open()) return {.possible = false, .error = errno};
  if (existing != nullptr && !take_owner_and_mode(file.get(), *existing)) return {.possible = false};
  int error = write_all(file.get(), text);
  if (error == 0 && existing == nullptr && ::fchmod(file.get(), mode_of_new_files()) != 0) error = errno;
  if (error == 0 && ::fsync(file.get()) != 0) error = errno;
  if (const int closing = file.close(); error == 0) error = closing;
  if (error != 0) return {.error = error};
  error = temporary.rename(path);
  return {.possible = error != EBUSY && error != EPERM && error != EACCES, .error = error};
}

/// Returns the error, or 0.
int write_target(const std::string& path, std::string_view text) {
  struct stat existing {};
  if (::stat(path.c_str(), &existing) != 0) {
    return errno == ENOENT ? replace(path, text, nullptr).error : errno;
  }
  if (S_ISDIR(existing.st_mode)) return EISDIR;
  if (!S_ISREG(existing.st_mode)) return write_device(path, text);
  if (::access(path.c_str(), W_OK) != 0) return errno;
  if (existing.st_nlink == 1) {
    const Attempt attempt = replace(path, text, &existing);
    if (attempt.possible) return attempt.error;
  }
  return overwrite(path, text, existing);
}

}  // namespace

void write_file(const std::string& path, std::string_view text) {
  const auto fail = [&](const std::string& why) {
    throw UsageError(fmt::format("cannot write {}: {}", path, why));
  };
  const Target target = target_of(path);
  if (!target.error.empty()) fail(target.error);
  const int error = target.descriptor ? write_all(*target.descriptor, text) : write_target(target.path, text);
  if (error != 0) fail(std::generic_category().message(error));
}

}  // namespace torchbook::cli
