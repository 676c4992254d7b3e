// Reads and writes whole files through POSIX calls, so that every error has its reason.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/files.h>
#include <torchbook/report/quoted.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace torchbook::cli {
namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20;  // the largest file that is read

[[noreturn]] void fail(std::string_view what, std::string_view path, int error) {
  throw UsageError(fmt::format("cannot {} {}: {}", what, path, std::generic_category().message(error)));
}

/// A file descriptor that is always closed.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  bool open() const { return fd_ >= 0; }
  int get() const { return fd_; }
  /// Closes the file. Returns the error of that, or 0.
  int close() { return ::close(std::exchange(fd_, -1)) == 0 ? 0 : errno; }

 private:
  int fd_;
};

/// Writes the whole text. Returns the error that stopped it, or 0.
int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

/// Returns the mode of the file to be replaced, or the mode that the umask gives a new file.
mode_t mode_for(const std::string& path) {
  struct stat existing {};
  if (::stat(path.c_str(), &existing) == 0) return existing.st_mode & 07777;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

void write_directly(const std::string& path, std::string_view text) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.open()) fail("write", path, errno);
  if (const int error = write_all(file.get(), text); error != 0 && error != EPIPE) fail("write", path, error);
  if (const int error = file.close(); error != 0) fail("write", path, error);
}

/// Writes a temporary file beside `target` and renames it. Errors name `path`, which the user gave.
void replace(const std::string& path, const std::string& target, std::string_view text) {
  std::string temporary = (std::filesystem::path(target).parent_path() / ".torchbook-XXXXXX").string();
  Descriptor file(::mkstemp(temporary.data()));
  if (!file.open()) fail("write", path, errno);
  int error = write_all(file.get(), text);
  if (error == 0 && ::fchmod(file.get(), mode_for(target)) != 0) error = errno;
  if (error == 0 && ::fsync(file.get()) != 0) error = errno;
  if (const int closing = file.close(); error == 0) error = closing;
  if (error == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error == 0) return;
  ::unlink(temporary.c_str());
  fail("write", path, error);
}

}  // namespace

std::string read_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open()) fail("read", path, errno);
  std::string text;
  char buffer[1 << 16];
  for (;;) {
    const auto got = ::read(file.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("read", path, errno);
    if (got == 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
    if (text.size() > most_bytes) {
      throw UsageError(fmt::format("{} is larger than {} MiB, too large for a golden, a twin or a recording",
                                   path, most_bytes >> 20));
    }
  }
}

void write_stdout(std::string_view text) {
  const int error = write_all(STDOUT_FILENO, text);
  if (error != 0 && error != EPIPE) fail("write", "standard output", error);
}

void say_on_stderr(std::string line) {
  std::replace(line.begin(), line.end(), '\n', ' ');  // a message is one line
  write_all(STDERR_FILENO, report::pictured(line, report::Breaks::pictured) + '\n');
}

void write_file(const std::string& path, std::string_view text) {
  struct stat existing {};
  if (::stat(path.c_str(), &existing) == 0) {
    if (S_ISDIR(existing.st_mode)) fail("write", path, EISDIR);
    if (!S_ISREG(existing.st_mode)) return write_directly(path, text);
    if (::access(path.c_str(), W_OK) != 0) fail("write", path, errno);
  }
  std::error_code unresolved;  // a link is followed, and its target is replaced
  const auto target = std::filesystem::weakly_canonical(path, unresolved);
  replace(path, unresolved ? path : target.string(), text);
}

void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw UsageError(fmt::format("cannot make the folder {}: {}", path, error.message()));
}

bool same_path(const std::string& one, const std::string& other) {
  const auto resolved = [](const std::string& path) {
    std::error_code unresolved;
    const auto place =
        std::filesystem::weakly_canonical(std::filesystem::absolute(path, unresolved), unresolved);
    return unresolved ? std::filesystem::path(path) : place;
  };
  return resolved(one) == resolved(other);
}

bool stdout_wants_colour() {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal == nullptr || std::strcmp(terminal, "dumb") == 0;
  return ::isatty(STDOUT_FILENO) == 1 && !dumb && (no_colour == nullptr || *no_colour == '\0');
}

}  // namespace torchbook::cli
