// Sets a terminal to raw mode with termios, and restores it. Signal handlers write to a pipe, so that no
// signal is lost, whichever of LibTorch's threads it interrupts.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/raw_terminal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace torchbook::cli {
namespace {

constexpr std::string_view enter_screen = "\033[?1049h\033[?25l";  // the alternate screen, without a cursor
constexpr std::string_view leave_screen = "\033[?25h\033[?1049l";
constexpr std::chrono::milliseconds sequence_time(50);  // the bytes of one key arrive together

/// Returns the key that the escape sequence `ESC [ digits last`, or `ESC O last`, represents.
Key::Kind meaning(std::string_view digits, char last) {
  switch (last) {
    case 'A':
      return Key::up;
    case 'B':
      return Key::down;
    case 'C':
      return Key::right;
    case 'D':
      return Key::left;
    case 'H':
      return Key::home;
    case 'F':
      return Key::end;
    case '~':
      break;
    default:
      return Key::unknown;
  }
  if (digits == "5") return Key::page_up;
  if (digits == "6") return Key::page_down;
  if (digits == "1" || digits == "7") return Key::home;
  return digits == "4" || digits == "8" ? Key::end : Key::unknown;
}

/// Opens the file of a descriptor again, so that non-blocking mode does not affect other programs.
/// If that fails, duplicates the descriptor.
Descriptor reopened(int descriptor) {
  const auto path = fmt::format("/proc/self/fd/{}", descriptor);
  const int file = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  return Descriptor(file >= 0 ? file : ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
}

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

RawTerminal::RawTerminal(int input, int output) : input_(input), screen_(reopened(output)) {
  if (::tcgetattr(input_, &before_) != 0) {
    throw UsageError(fmt::format("cannot read keys from this terminal: {}", std::strerror(errno)));
  }
  take();
}

RawTerminal::~RawTerminal() {
  if (left_) return;
  waits_ = false;
  try {
    give_back();
  } catch (...) {  // the screen is gone, but the settings were restored first
  }
}

void RawTerminal::leave() {
  give_back();
  left_ = true;
}

bool RawTerminal::in_background() const {
  const pid_t foreground = ::tcgetpgrp(input_);
  return foreground >= 0 && foreground != ::getpgrp();
}

void RawTerminal::take() {
  if (in_background()) ::raise(SIGTTOU);  // stops here
  if (in_background()) {
    throw UsageError("--step reads the terminal, so it does not run in the background; fg brings it back");
  }
  termios raw = before_;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  raw.c_lflag |= ISIG;  // Ctrl-C and Ctrl-Z still send signals
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  write(enter_screen);
  ::tcsetattr(input_, TCSANOW, &raw);  // TCSADRAIN would wait for a terminal that takes no output
}

void RawTerminal::give_back() {
  if (in_background()) return;  // the terminal is another program's now
  ::tcsetattr(input_, TCSANOW, &before_);
  write(leave_screen);
}

void RawTerminal::suspend() {
  give_back();
  signals_.stop();
  take();
}

void RawTerminal::write(std::string_view text) {
  while (!text.empty() && !in_background()) {
    const auto written = ::write(screen_.get(), text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      if (!waits_) return;
      await_room();
    } else if (errno != EINTR) {
      throw UsageError(fmt::format("cannot write to this terminal: {}", std::strerror(errno)));
    }
  }
}

void RawTerminal::await_room() {
  const int signal = signals_.wait(screen_.get(), POLLOUT);
  if (signal == SIGTSTP || signal == SIGWINCH) {
    postponed_ = signal;
  } else if (signal != 0) {
    throw Interrupted{signal};
  }
}

void RawTerminal::draw(std::string_view text, std::string_view last_line, std::size_t rows) {
  write(fmt::format("\033[H\033[2J{}\033[{};1H{}", text, rows, last_line));
}

bool RawTerminal::has_byte(std::chrono::milliseconds limit) const {
  pollfd descriptor{input_, POLLIN, 0};
  return ::poll(&descriptor, 1, static_cast<int>(limit.count())) == 1;
}

bool RawTerminal::read_byte(char& byte) const {
  for (;;) {
    const auto got = ::read(input_, &byte, 1);
    if (got < 0 && errno == EINTR) continue;
    return got == 1;
  }
}

Key RawTerminal::escape_sequence() const {
  char byte = 0;
  if (!has_byte(sequence_time) || !read_byte(byte)) return {Key::escape};
  if (byte != '[' && byte != 'O') return {Key::unknown};
  std::string digits;
  while (has_byte(sequence_time) && read_byte(byte)) {
    if (byte >= '@' && byte <= '~') return {meaning(digits, byte)};
    digits += byte;
  }
  return {Key::unknown};
}

Key RawTerminal::key() {
  const int before = std::exchange(postponed_, 0);
  switch (const int signal = before != 0 ? before : signals_.wait(input_, POLLIN)) {
    case 0:
      break;
    case SIGTSTP:
      suspend();
      return {Key::redraw};
    case SIGWINCH:
      return {Key::redraw};
    default:
      throw Interrupted{signal};
  }
  char byte = 0;
  if (!read_byte(byte)) return {Key::end_of_input};
  return byte == '\033' ? escape_sequence() : Key{Key::character, byte};
}

}  // namespace torchbook::cli
