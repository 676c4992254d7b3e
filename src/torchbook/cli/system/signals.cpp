// Signal handlers write to a pipe, so that no signal is lost, whichever of LibTorch's threads it
// interrupts.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/signals.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

namespace torchbook::cli {
namespace {

std::atomic<int> pipe_end = -1;  // the end to which signals are written

void note(int signal) {
  const int before = errno;
  const auto number = static_cast<unsigned char>(signal);
  [[maybe_unused]] const auto written = ::write(pipe_end, &number, 1);  // a full pipe also wakes wait()
  errno = before;
}

}  // namespace

Signals::Signals() {
  if (::pipe2(pipe_.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
    throw UsageError(fmt::format("cannot wait for signals: {}", std::strerror(errno)));
  }
  pipe_end = pipe_[1];
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    ::sigaction(kept[i], nullptr, &actions_before_[i]);
    if (actions_before_[i].sa_handler != SIG_IGN) ::sigaction(kept[i], &action, nullptr);
  }
}

Signals::~Signals() {
  for (std::size_t i = 0; i < kept.size(); ++i) ::sigaction(kept[i], &actions_before_[i], nullptr);
  pipe_end = -1;
  for (const int descriptor : pipe_) ::close(descriptor);
}

int Signals::wait(int descriptor, short events) const {
  std::array<pollfd, 2> descriptors = {{{pipe_[0], POLLIN, 0}, {descriptor, events, 0}}};
  while (::poll(descriptors.data(), descriptors.size(), -1) < 0 && errno == EINTR) {
  }
  unsigned char signal = 0;
  return ::read(pipe_[0], &signal, 1) == 1 ? signal : 0;
}

void Signals::stop() const {
  struct sigaction watching {};
  struct sigaction stopping {};
  stopping.sa_handler = SIG_DFL;
  ::sigaction(SIGTSTP, &stopping, &watching);
  ::raise(SIGTSTP);  // stops here
  ::sigaction(SIGTSTP, &watching, nullptr);
}

}  // namespace torchbook::cli
