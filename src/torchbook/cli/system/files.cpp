// Reads and writes whole files through POSIX calls, so that every error has its reason.
#include <fcntl.h>
#include <fmt/format.h>
#include <torchbook/cli/system/descriptor.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/report/quoted.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace torchbook::cli {
namespace {

[[noreturn]] void fail(std::string_view what, std::string_view path, int error) {
  throw UsageError(fmt::format("cannot {} {}: {}", what, path, std::generic_category().message(error)));
}

std::string read_all(int fd, std::string_view path, std::size_t most) {
  std::string text;
  char buffer[1 << 16];
  for (;;) {
    const auto got = read_some(fd, buffer, sizeof buffer);
    if (got < 0) fail("read", path, errno);
    if (got == 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
    if (text.size() > most) {
      throw UsageError(
          fmt::format("{} is larger than {} MiB, too large for what it should be", path, most >> 20));
    }
  }
}

}  // namespace

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
  std::filesystem::create_directories(path, error);
  if (error) throw UsageError(fmt::format("cannot make the folder {}: {}", path, error.message()));
}

bool stdout_wants_colour() {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal == nullptr || std::strcmp(terminal, "dumb") == 0;
  return ::isatty(STDOUT_FILENO) == 1 && !dumb && (no_colour == nullptr || *no_colour == '\0');
}

}  // namespace torchbook::cli
