// Runs another program beside this one.
#pragma once

#include <sys/types.h>
#include <torchbook/cli/system/cleanup.h>
#include <torchbook/cli/system/descriptor.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace torchbook::cli {

/// A program that was started and not yet waited for. Its stdin is a given text. What it writes to descriptor
/// 3 is its answer, and its stdout and stderr are kept together. All of these are files in memory, so neither
/// side ever waits for the other to read, and no folder is needed.
///
/// The program leads a session, and so a process group, of its own. The group is killed when the program
/// ends and when this object ends. If a signal ends torchbook, the program gets SIGTERM first (DoomedGroup).
/// If torchbook is killed, the program gets SIGTERM.
class Child {
 public:
  /// The limit on an answer. A program that writes more is killed.
  static constexpr std::size_t most_bytes = std::size_t{256} << 20;

  /// The result of a program that has ended.
  struct Ended {
    std::string answer;
    std::string said;        ///< the end of it, at most 64 KiB
    int code = 0;            ///< its exit code, or 128 plus the number of the signal that killed it
    bool timed_out = false;  ///< it was ended because it took too long
    bool too_much = false;   ///< it wrote more than `most_bytes`, which is thrown away
  };

  /// Starts `command[0]`, which is searched in PATH. Throws UsageError with the name and the reason
  /// if that fails.
  Child(const std::vector<std::string>& command, const std::string& input);
  /// Kills the program if it still runs.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Waits until the program ends. After `limit`, sends it SIGTERM, so that it can still answer,
  /// and kills it if it does not end within `grace`. Calls `tick` every second with the elapsed
  /// seconds.
  template <class Tick>
  Ended wait(std::chrono::seconds limit, const Tick& tick,
             std::chrono::seconds grace = std::chrono::seconds(10)) {
    const auto started = std::chrono::steady_clock::now();
    std::chrono::seconds shown{0};
    while (!has_ended()) {
      const auto passed = std::chrono::steady_clock::now() - started;
      if (passed > limit) return timed_out(grace);
      if (wrote_too_much()) return ended();
      if (passed - shown > std::chrono::seconds(1)) tick(++shown);
    }
    return ended();
  }

 private:
  bool has_ended();
  bool wrote_too_much() const;
  bool something_runs();
  void kill_all();
  Ended ended();
  Ended timed_out(std::chrono::seconds grace);

  Descriptor answer_;
  Descriptor said_;
  pid_t process_ = 0;  // also its group; 0 if all of it has ended
  bool leader_ended_ = false;
  int status_ = 0;
  std::optional<DoomedGroup> doomed_{};
};

/// Returns a new file in memory. Its descriptor is above those that a Child gets. Throws UsageError.
Descriptor memory_file();

/// Runs this program with `arguments` and the variables in `settings`, each `VARIABLE=value`. This
/// needs a new process, because LibTorch and OpenBLAS read their variables only when they are
/// loaded. The answer is its stdout. `tick` is called every second with the elapsed seconds. Throws
/// UsageError if the process cannot be started.
Child::Ended run_again(const std::vector<std::string>& settings, const std::vector<std::string>& arguments,
                       std::chrono::seconds limit, const std::function<void(std::chrono::seconds)>& tick);

/// Returns how a program ended, as the end of a sentence: `ended with exit code 1: ` and the last line that
/// it wrote, which is cut if it is long, or `was ended by signal 9`.
std::string how_it_ended(const Child::Ended& ended);

}  // namespace torchbook::cli
