// Repeats interrupted calls, and waits with poll().
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <torchbook/cli/system/descriptor.h>
#include <unistd.h>

#include <cerrno>

namespace torchbook::cli {
namespace {

/// Returns whether a call that failed can be repeated now. Waits for the `events` if that is the reason.
bool try_again(int fd, short events) {
  if (errno == EINTR) return true;
  if (errno != EAGAIN) return false;
  pollfd waiting{fd, events, 0};
  return ::poll(&waiting, 1, -1) >= 0 || errno == EINTR;
}

}  // namespace

int Descriptor::close() {
  if (fd_ < 0) return 0;
  return ::close(std::exchange(fd_, -1)) == 0 ? 0 : errno;
}

std::string Descriptor::path() const { return fmt::format("/proc/{}/fd/{}", ::getpid(), fd_); }

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

long read_some(int fd, char* buffer, std::size_t size) {
  for (;;) {
    const auto got = ::read(fd, buffer, size);
    if (got >= 0 || !try_again(fd, POLLIN)) return got;
  }
}

}  // namespace torchbook::cli
