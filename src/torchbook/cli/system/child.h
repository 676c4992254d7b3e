// Runs another program beside this one.
#pragma once

#include <sys/types.h>
#include <torchbook/notebook/temporary_file.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace torchbook::cli {

/// A program that was started. Its stdin is a given text. What it writes to descriptor 3 is its answer, and
/// its stdout and stderr are kept together. All of these are temporary files, so neither side ever waits for
/// the other to read.
///
/// The program leads a process group of its own, which ends with the program, with this object, and if a
/// signal ends torchbook. There can be one object at a time whose program runs.
class Child {
 public:
  /// The limit on an answer. A program that writes more is killed.
  static constexpr std::size_t most_bytes = std::size_t{256} << 20;

  /// The result of a program that has ended.
  struct Ended {
    std::string answer{};
    std::string said{};      ///< the end of it, at most 64 KiB
    int code = 0;            ///< its exit code, or 128 plus the number of the signal that killed it
    bool timed_out = false;  ///< it was ended because it took too long
    bool too_much = false;   ///< it wrote more than `most_bytes`, which is thrown away
  };

  /// Starts `command[0]`, which is searched in PATH. Throws UsageError with the name and the reason
  /// if that fails.
  Child(const std::vector<std::string>& command, const std::string& input);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Waits until the program ends. After `limit`, sends SIGTERM to its group, so that it can still answer,
  /// and kills what does not end within `grace`. Calls `tick` every second with the elapsed seconds.
  Ended wait(std::chrono::seconds limit, const std::function<void(std::chrono::seconds)>& tick,
             std::chrono::seconds grace = std::chrono::seconds(10));

 private:
  bool wrote_too_much() const;
  void end(std::chrono::seconds grace);

  notebook::TemporaryFile answer_{};
  notebook::TemporaryFile said_{};
  pid_t process_ = 0;  // also its group; 0 if all of it has ended
  int status_ = 0;
};

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
