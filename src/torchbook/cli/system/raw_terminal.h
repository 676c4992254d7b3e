// Lets a program read single keys, draw on the terminal, and wait for the signals that a terminal and its
// user send.
#pragma once

#include <termios.h>
#include <torchbook/cli/system/descriptor.h>

#include <array>
#include <chrono>
#include <csignal>
#include <string_view>

namespace torchbook::cli {

/// While this object lives, the signals that end or stop a program, and SIGWINCH, only wake up
/// wait(). Ignored signals stay ignored. Only one object may exist at a time.
class Signals {
 public:
  /// Throws UsageError if no descriptors are free.
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  /// Waits for a signal and returns its number, or 0 if the descriptor has one of the `events` of poll() or
  /// has ended.
  int wait(int descriptor, short events) const;

  /// Stops the program, as SIGTSTP does, until it is continued.
  void stop() const;

 private:
  static constexpr std::array<int, 6> kept = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH};

  std::array<struct sigaction, kept.size()> actions_before_{};
  std::array<int, 2> pipe_{};
};

/// A pressed key, or another event of the terminal.
struct Key {
  enum Kind {
    character,
    left,
    right,
    up,
    down,
    page_up,
    page_down,
    home,
    end,
    escape,
    unknown,       ///< a key whose escape sequence has no meaning here
    end_of_input,  ///< no key will ever come
    redraw,        ///< the screen's content no longer fits or is gone
  };
  Kind kind = unknown;
  char value = 0;  ///< of a character
};

/// Reads keys one by one, without echo, and draws on the alternate screen, while this object lives.
/// Its destructor restores the terminal, even after an exception.
///
/// On SIGINT, SIGTERM, SIGHUP and SIGQUIT all functions throw Interrupted, even while the terminal
/// takes no output, so that the destructor runs. SIGTSTP restores the terminal until the program is
/// continued. In the background, the program stops instead of writing, like other programs that
/// need the terminal. Only one object may exist at a time.
class RawTerminal {
 public:
  /// Takes the terminal of these descriptors. Throws UsageError if `input` is not a terminal, or if the
  /// program runs in the background and cannot be stopped.
  RawTerminal(int input, int output);
  ~RawTerminal();
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;

  /// Waits for the next key.
  Key key();

  /// Fills the screen with a text, and a line in the last row.
  void draw(std::string_view text, std::string_view last_line, std::size_t rows);

  /// Restores the terminal, and waits until it has taken that. The destructor does not wait.
  void leave();

 private:
  void take();
  void give_back();
  void suspend();
  void write(std::string_view text);
  void await_room();
  bool in_background() const;
  bool has_byte(std::chrono::milliseconds limit) const;
  bool read_byte(char& byte) const;
  Key escape_sequence() const;

  Signals signals_;
  int input_;
  Descriptor screen_;  // does not block
  termios before_{};
  int postponed_ = 0;  // a signal that came while the terminal took no output
  bool waits_ = true;  // for the terminal to take output
  bool left_ = false;
};

}  // namespace torchbook::cli
