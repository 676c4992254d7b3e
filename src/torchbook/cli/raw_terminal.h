// The terminal, given to a program that reads it key by key and draws on it.
#pragma once

#include <termios.h>
#include <torchbook/cli/signals.h>

#include <chrono>
#include <string_view>

namespace torchbook::cli {

/// A key that was pressed, or what else happened to the terminal.
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
    unknown,       ///< a key that sends an escape sequence of its own
    end_of_input,  ///< no key will ever come
    redraw,        ///< what is on the screen no longer fits or is gone
  };
  Kind kind = unknown;
  char value = 0;  ///< of a character
};

/// While this lives, keys come one by one and without echo, and the screen is one of its own; when it ends,
/// by whatever way, the terminal is as it was. SIGINT, SIGTERM, SIGHUP and SIGQUIT are thrown as Interrupted
/// by key(), so that its end is reached; SIGTSTP gives the terminal back until the program is continued.
/// There can be one at a time.
class RawTerminal {
 public:
  /// Takes the terminal of these descriptors. Throws UsageError where `input` is none.
  RawTerminal(int input, int output);
  ~RawTerminal();
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;

  /// Waits for the next key.
  Key key();

  /// Fills the screen: a text, and a line for its last row.
  void draw(std::string_view text, std::string_view last_line, std::size_t rows);

 private:
  void take();
  void give_back();
  void suspend();
  void write(std::string_view text) const;
  bool has_byte(std::chrono::milliseconds limit) const;
  bool read_byte(char& byte) const;
  Key escape_sequence() const;

  Signals signals_;
  int input_;
  int output_;
  termios before_{};
};

}  // namespace torchbook::cli
