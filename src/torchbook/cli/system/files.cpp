// Reads and writes whole files through POSIX calls, so that every error has its reason. A file is
// written beside the old one and renamed.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <torchbook/cli/system/cleanup.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/notebook/ported_notebook.h>
#include <torchbook/report/quoted.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <thread>

namespace torchbook::cli {
namespace {

namespace fs = std::filesystem;

constexpr int seconds_of_silence = 2;
constexpr int seconds_between_words = 15;

[[noreturn]] void fail(std::string_view what, std::string_view path, int error) {
  throw UsageError(fmt::format("cannot {} {}: {}", what, path, std::generic_category().message(error)));
}

/// Returns whether a call that failed can be repeated now. Waits for the `events` if that is the reason.
bool try_again(int fd, short events) {
  if (errno == EINTR) return true;
  if (errno != EAGAIN) return false;
  pollfd waiting{fd, events, 0};
  return ::poll(&waiting, 1, -1) >= 0 || errno == EINTR;
}

std::string read_all(int fd, std::string_view path, std::size_t most) {
  std::string text;
  char buffer[1 << 16];
  for (;;) {
    const auto got = ::read(fd, buffer, sizeof buffer);
    if (got < 0 && try_again(fd, POLLIN)) continue;
    if (got < 0) fail("read", path, errno);
    if (got == 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
    if (text.size() > most) {
      throw UsageError(
          fmt::format("{} is larger than {} MiB, too large for what it should be", path, most >> 20));
    }
  }
}

constexpr mode_t permissions = 0777;  // all that a file keeps of its mode

/// Returns the mode of a new file or folder whose program asks for `mode`.
mode_t masked(mode_t mode) {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return mode & ~mask;
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
  const Undisturbed until_renamed;  // so the temporary file does not stay
  auto name = (fs::path(path).parent_path() / ".torchbook-XXXXXX").string();
  Descriptor file(::mkostemp(name.data(), O_CLOEXEC));
  if (!file.open()) return errno;
  int error = write_all(file.get(), text);
  if (error == 0 && ::fchmod(file.get(), mode) != 0) error = errno;
  if (error == 0 && ::fsync(file.get()) != 0) error = errno;
  if (const int closing = file.close(); error == 0) error = closing;
  if (error == 0 && ::rename(name.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) ::unlink(name.c_str());
  return error;
}

/// Returns whether a path is a device or a descriptor, such as `/dev/stdout`, even if it leads to a
/// regular file.
bool is_of_the_system(const std::string& path) {
  return path.starts_with("/dev/") || path.starts_with("/proc/");
}

}  // namespace

int Descriptor::close() {
  if (fd_ < 0) return 0;
  return ::close(std::exchange(fd_, -1)) == 0 ? 0 : errno;
}

void take_closed_standard_descriptors() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) >= 0) continue;
    // open() takes the lowest free number, which is this one. With the wrong mode, using it is
    // still an error.
    [[maybe_unused]] const int file = ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(fd, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (!try_again(fd, POLLOUT)) {
      return errno == EPIPE ? 0 : errno;
    }
  }
  return 0;
}

bool can_be_read_again(const std::string& path) {
  std::error_code none;
  return path.empty() || std::filesystem::is_regular_file(path, none) ||
         std::filesystem::is_directory(path, none);
}

std::string read_file(const std::string& path, std::size_t most) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open()) fail("read", path, errno);
  return read_all(file.get(), path, most);
}

std::string read_stdin() { return read_all(STDIN_FILENO, "/dev/stdin", std::size_t{64} << 20); }

void write_stdout(std::string_view text) {
  if (const int error = write_all(STDOUT_FILENO, text); error != 0) {
    fail("write", "standard output", error);
  }
}

void say_on_stderr(std::string line) {
  std::replace(line.begin(), line.end(), '\n', ' ');  // a message is one line
  write_all(STDERR_FILENO, report::pictured(line, report::Breaks::pictured) + '\n');
}

void make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw UsageError(fmt::format("cannot make the folder {}: {}", path, error.message()));
}

TemporaryFolder::TemporaryFolder(const fs::path& place) : path_(place.string() + ".XXXXXX") {
  const Undisturbed until_known;
  if (::mkdtemp(path_.data()) == nullptr) throw std::system_error(errno, std::generic_category());
  remove_folder_on_signals(path_.c_str());
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);  // of a link, not what it leads to
  remove_folder_on_signals(nullptr);
}

int TemporaryFolder::rename(const fs::path& place) {
  const Undisturbed until_known;
  if (::chmod(path_.c_str(), masked(permissions)) != 0 || ::rename(path_.c_str(), place.c_str()) != 0)
    return errno;
  remove_folder_on_signals(nullptr);
  path_.clear();
  return 0;
}

void require_writable(const std::string& path) {
  if (path.empty() || path == "-" || is_of_the_system(path)) return;
  struct stat existing {};
  const bool is_there = ::lstat(path.c_str(), &existing) == 0;
  if (!is_there && errno != ENOENT) fail("write", path, errno);
  if (is_there && S_ISLNK(existing.st_mode))
    throw UsageError(
        fmt::format("cannot write {}: it is a symbolic link; name the file that it leads to", path));
  if (is_there && S_ISDIR(existing.st_mode)) fail("write", path, EISDIR);
  const auto folder = fs::path(path).parent_path();
  const int refused =
      is_there ? ::access(path.c_str(), W_OK) : ::access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK);
  if (refused != 0) fail("write", path, errno);
}

void write_file(const std::string& path, std::string_view text) {
  require_writable(path);
  struct stat existing {};
  const bool is_there = ::stat(path.c_str(), &existing) == 0;
  const bool in_place = is_of_the_system(path) || (is_there && !S_ISREG(existing.st_mode));
  const auto mode = is_there ? existing.st_mode & permissions : masked(0666);
  if (const int error = in_place ? write_in_place(path, text) : replace(path, text, mode); error != 0)
    fail("write", path, error);
}

void require_writable_folder(const std::string& path) {
  std::error_code unreadable;
  auto there = fs::path(path).lexically_normal();
  while (!there.empty() && !fs::exists(fs::symlink_status(there, unreadable))) there = there.parent_path();
  const auto* const name = there.empty() ? "." : there.c_str();
  if (!fs::is_directory(name, unreadable)) fail("make the folder", path, ENOTDIR);
  if (::access(name, W_OK | X_OK) != 0) fail("make the folder", path, errno);
}

void write_report(std::string_view report, const std::string& path) {
  if (path.empty() || path == "-") {
    write_stdout(report);
  } else {
    write_file(path, report);
  }
}

void tell_waiting(std::chrono::seconds passed, std::string_view what) {
  const auto seconds = passed.count();
  if (seconds == seconds_of_silence || seconds % seconds_between_words == 0) {
    say_on_stderr(fmt::format("{}: {} s, waiting for {}", notebook::program_name(), seconds, what));
  }
}

FolderLock::FolderLock(const std::string& folder)
    : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  constexpr int looks_in_a_second = 20;
  for (int looks = 1; ::flock(folder_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; ++looks) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1000 / looks_in_a_second));
    if (looks % looks_in_a_second == 0) {
      tell_waiting(std::chrono::seconds(looks / looks_in_a_second),
                   fmt::format("another import into {}", folder));
    }
  }
}

}  // namespace torchbook::cli
