// Takes a terminal with termios and gives it back.
#include <fmt/format.h>
#include <poll.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/raw_terminal.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace torchbook::cli {
namespace {

constexpr std::string_view enter_screen = "\033[?1049h\033[?25l";  // the alternate screen, without a cursor
constexpr std::string_view leave_screen = "\033[?25h\033[?1049l";
constexpr std::chrono::milliseconds sequence_time(50);  // the bytes of one key arrive together

/// Returns the key that the escape sequence `ESC [ digits last`, or `ESC O last`, stands for.
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

}  // namespace

RawTerminal::RawTerminal(int input, int output) : input_(input), output_(output) {
  if (::tcgetattr(input_, &before_) != 0) {
    throw UsageError(fmt::format("cannot read keys from this terminal: {}", std::strerror(errno)));
  }
  take();
}

RawTerminal::~RawTerminal() {
  try {
    give_back();
  } catch (const UsageError&) {  // the screen is gone, but the settings were restored first
  }
}

void RawTerminal::take() {
  termios raw = before_;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  raw.c_lflag |= ISIG;  // Ctrl-C and Ctrl-Z still send signals
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  write(enter_screen);
  ::tcsetattr(input_, TCSADRAIN, &raw);
}

void RawTerminal::give_back() {
  ::tcsetattr(input_, TCSADRAIN, &before_);
  write(leave_screen);
}

void RawTerminal::suspend() {
  give_back();
  signals_.stop();
  take();
}

void RawTerminal::write(std::string_view text) const {
  while (!text.empty()) {
    const auto written = ::write(output_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw UsageError(fmt::format("cannot write to this terminal: {}", std::strerror(errno)));
    text.remove_prefix(static_cast<std::size_t>(written));
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
  switch (const int signal = signals_.wait(input_)) {
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
