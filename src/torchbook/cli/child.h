// Runs another program beside this one.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::cli {

/// A program that was started and not yet waited for. Its stdin is a given text. What it writes to descriptor
/// 3 is its answer, and its stdout and stderr are kept together. All of these are files without a name, so
/// neither side ever waits for the other to read.
class Child {
 public:
  /// What a program left when it ended.
  struct Ended {
    std::string answer;
    std::string said;
    int code = 0;            ///< its exit code, or 128 plus the number of the signal that killed it
    bool timed_out = false;  ///< it was killed because it took too long
  };

  /// Starts `command[0]`, which it finds as a shell does. If it cannot, it throws UsageError with the name
  /// and the reason.
  Child(const std::vector<std::string>& command, const std::string& input);
  /// Kills the program if it still runs.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Waits until the program ends, at most for `limit`. Calls `tick` every second with the number of seconds.
  template <class Tick>
  Ended wait(std::chrono::seconds limit, const Tick& tick) {
    const auto started = std::chrono::steady_clock::now();
    std::chrono::seconds shown{0};
    while (!has_ended()) {
      const auto passed = std::chrono::steady_clock::now() - started;
      if (passed > limit) return killed();
      if (passed - shown > std::chrono::seconds(1)) tick(++shown);
    }
    return ended();
  }

 private:
  using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

  static File temporary_file();
  bool has_ended();
  Ended ended() const;
  Ended killed();

  File input_;
  File answer_;
  File said_;
  pid_t process_ = 0;  // 0 once it has ended
  int status_ = 0;
};

/// Returns how a program ended, as the end of a sentence: `ended with exit code 1: ` and the last line that
/// it wrote, or `was ended by signal 9`.
std::string how_it_ended(const Child::Ended& ended);

/// Says on stderr what the program waits for: after two seconds, then every fifteen. Call it every second
/// with the number of seconds.
void tell_waiting(std::chrono::seconds passed, std::string_view what);

}  // namespace torchbook::cli
