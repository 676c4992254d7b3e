// Lets a program wait for the signals that a terminal and its user send.
#pragma once

#include <array>
#include <csignal>

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

}  // namespace torchbook::cli
