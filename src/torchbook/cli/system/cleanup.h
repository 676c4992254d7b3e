// Ends what torchbook started, and removes its temporary folder, if a signal ends torchbook.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace torchbook::cli {

/// The message on stderr, between the notebook's slug and the cell's position, if SIGTERM or a fault such as
/// an illegal instruction ends a program while a cell runs.
inline constexpr std::string_view running_cell = "ended while it ran cell @";

/// Makes SIGINT, SIGTERM, SIGHUP and the signals of faults end the process group and remove the folder
/// that the functions below name, before they end the program as usual. An ignored signal stays
/// ignored.
void clean_up_on_signals();

/// Makes a fault in a cell start this command again, in place of this process. That process, and every
/// program that it starts, learns of the fault from crash_of(). Does nothing about a fault that a sanitizer
/// handles.
void start_again_on_faults();

/// A cell in which a fault ended an earlier process of this command.
struct Crash {
  std::size_t position = 0;
  std::string what{};  ///< `signal 11, an invalid address`
};

/// Returns the last crash of a notebook, or nullopt if it had none.
std::optional<Crash> crash_of(std::string_view slug);

/// Names the process group that a signal ends; 0: none.
void end_on_signals(pid_t group);

/// Names the folder that a signal removes with all that is in it, as long as the text lives; nullptr: none.
void remove_folder_on_signals(const char* path);

/// Ends a process group: with SIGTERM, and with SIGKILL what still runs after `grace`, or two seconds after
/// its leader has ended. Sets `status` to how the leader ended, as waitpid() does, if nobody has waited for
/// that before. Is async-signal-safe.
void end_group(pid_t group, std::chrono::milliseconds grace, int& status);

/// Delays these signals while an object lives.
class Undisturbed {
 public:
  Undisturbed();
  ~Undisturbed();
  Undisturbed(const Undisturbed&) = delete;
  Undisturbed& operator=(const Undisturbed&) = delete;
};

}  // namespace torchbook::cli
