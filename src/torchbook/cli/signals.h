// The signals that a terminal and its user send, as something to wait for.
#pragma once

#include <array>
#include <csignal>

namespace torchbook::cli {

/// While this lives, the signals that end or stop a program, and that of a resized terminal, do nothing but
/// wake wait(). Those that are ignored stay so. There can be one at a time.
class Signals {
 public:
  /// Throws UsageError where the system has no descriptors left.
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  /// Waits for a signal, and gives its number, or until the descriptor can be read or has ended: 0.
  int wait(int descriptor) const;

  /// Stops the program, as SIGTSTP does, until it is continued.
  void stop() const;

 private:
  static constexpr std::array<int, 6> kept = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH};

  std::array<struct sigaction, kept.size()> actions_before_{};
  std::array<int, 2> pipe_{};
};

}  // namespace torchbook::cli
