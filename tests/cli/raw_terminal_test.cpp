// Tests keys as a terminal sends them, and that the terminal is restored. step_test.py tests the signals.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/raw_terminal.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

namespace torchbook::cli {
namespace {

/// The two ends of a pseudo-terminal.
class Pty {
 public:
  Pty() : master_(::posix_openpt(O_RDWR | O_NOCTTY)) {
    if (master_ < 0 || ::grantpt(master_) != 0 || ::unlockpt(master_) != 0) {
      throw std::runtime_error("no pseudo-terminal can be opened here (is /dev/pts mounted?)");
    }
    slave_ = ::open(::ptsname(master_), O_RDWR | O_NOCTTY);
  }
  ~Pty() {
    ::close(slave_);
    ::close(master_);
  }
  Pty(const Pty&) = delete;
  Pty& operator=(const Pty&) = delete;

  int slave() const { return slave_; }

  void type(std::string_view keys) const {
    ASSERT_EQ(::write(master_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
  }

  /// Returns the next bytes that were written, as many as `expected` has.
  std::string written(std::string_view expected) const {
    std::string text(expected.size(), ' ');
    std::size_t size = 0;
    while (size < text.size()) {
      const auto got = ::read(master_, text.data() + size, text.size() - size);
      if (got <= 0) break;
      size += static_cast<std::size_t>(got);
    }
    return text.substr(0, size);
  }

  /// Returns all settings of the terminal, including those that a RawTerminal changes.
  std::string settings() const {
    termios now{};
    EXPECT_EQ(::tcgetattr(slave_, &now), 0);
    std::string text;
    for (const auto flags : {now.c_iflag, now.c_oflag, now.c_cflag, now.c_lflag}) {
      text += std::to_string(flags) + ' ';
    }
    for (const auto character : now.c_cc) text += std::to_string(character) + ' ';
    return text;
  }

 private:
  int master_;
  int slave_ = -1;
};

Key::Kind kind_of(const Pty& pty, RawTerminal& terminal, std::string_view bytes) {
  pty.type(bytes);
  return terminal.key().kind;
}

TEST(RawTerminal, ReadsKeys) {
  const Pty pty;
  RawTerminal terminal(pty.slave(), pty.slave());
  pty.type("a1");
  EXPECT_EQ(terminal.key().value, 'a');
  EXPECT_EQ(terminal.key().value, '1');
  EXPECT_EQ(kind_of(pty, terminal, "\x04"), Key::character);
  EXPECT_EQ(kind_of(pty, terminal, "\033"), Key::escape);
  EXPECT_EQ(kind_of(pty, terminal, "\033[A"), Key::up);
  EXPECT_EQ(kind_of(pty, terminal, "\033[B"), Key::down);
  EXPECT_EQ(kind_of(pty, terminal, "\033[C"), Key::right);
  EXPECT_EQ(kind_of(pty, terminal, "\033OD"), Key::left);
  EXPECT_EQ(kind_of(pty, terminal, "\033[5~"), Key::page_up);
  EXPECT_EQ(kind_of(pty, terminal, "\033[6~"), Key::page_down);
  EXPECT_EQ(kind_of(pty, terminal, "\033[H"), Key::home);
  EXPECT_EQ(kind_of(pty, terminal, "\033[4~"), Key::end);
  EXPECT_EQ(kind_of(pty, terminal, "\033[24~"), Key::unknown);
  EXPECT_EQ(kind_of(pty, terminal, "\033x"), Key::unknown);
}

TEST(RawTerminal, TakesTheTerminalAndGivesItBack) {
  const Pty pty;
  const auto before = pty.settings();
  {
    RawTerminal terminal(pty.slave(), pty.slave());
    EXPECT_NE(pty.settings(), before);
    terminal.draw("text", "last", 24);
    const auto shown = "\033[?1049h\033[?25l\033[H\033[2Jtext\033[24;1Hlast";
    EXPECT_EQ(pty.written(shown), shown);
  }
  EXPECT_EQ(pty.settings(), before);
  const auto gone = "\033[?25h\033[?1049l";
  EXPECT_EQ(pty.written(gone), gone);
}

TEST(RawTerminal, GivesItBackWhenSomethingIsThrown) {
  const Pty pty;
  const auto before = pty.settings();
  const auto fail = [&] {
    RawTerminal terminal(pty.slave(), pty.slave());
    EXPECT_NE(pty.settings(), before);
    throw std::runtime_error("boom");
  };
  EXPECT_THROW(fail(), std::runtime_error);
  EXPECT_EQ(pty.settings(), before);
}

TEST(RawTerminal, GivesItBackWhenItCannotBeWrittenTo) {
  const Pty pty;
  const auto before = pty.settings();
  const int full = ::open("/dev/full", O_WRONLY);
  EXPECT_THROW(RawTerminal(pty.slave(), full), UsageError);
  ::close(full);
  EXPECT_EQ(pty.settings(), before);
}

TEST(RawTerminal, ThrowsTheSignalsThatEndAProgram) {
  const Pty pty;
  const auto before = pty.settings();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    ::signal(signal, SIG_DFL);  // a shell that starts the tests in the background lets them ignore SIGINT
    try {
      RawTerminal terminal(pty.slave(), pty.slave());
      ::raise(signal);
      terminal.key();
      ADD_FAILURE() << signal;
    } catch (const Interrupted& by) {
      EXPECT_EQ(by.signal, signal);
    }
    EXPECT_EQ(pty.settings(), before);
  }
}

TEST(RawTerminal, NeedsATerminal) {
  const int null = ::open("/dev/null", O_RDWR);
  EXPECT_THROW(RawTerminal(null, null), UsageError);
  ::close(null);
}

}  // namespace
}  // namespace torchbook::cli
