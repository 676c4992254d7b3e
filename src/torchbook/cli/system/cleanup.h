// Removes temporary files and child processes when a signal ends the program.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <string>
#include <string_view>

namespace torchbook::cli {

/// The message on stderr, followed by the cell's position, if SIGTERM ends a program while a cell
/// runs.
inline constexpr std::string_view running_cell = "ended while it ran cell @";

/// Makes SIGINT, SIGTERM and SIGHUP first remove the TemporaryFile and end the DoomedGroup that
/// exist, and then end the program as usual. An ignored signal stays ignored. Call it once, on the
/// main thread. The classes below must be used on that thread, too.
void clean_up_on_signals();

/// Keeps these signals from the main thread, and so from the program, while this object lives.
class Undisturbed {
 public:
  Undisturbed();
  ~Undisturbed();
  Undisturbed(const Undisturbed&) = delete;
  Undisturbed& operator=(const Undisturbed&) = delete;

  /// Waits a tenth of a second for one of these signals. Returns it, or 0.
  int signal_that_waits() const;

 private:
  sigset_t kept_;
  sigset_t before_;
};

/// A new file beside another one. Its destructor, or a signal, removes it, unless it was renamed. There can
/// be one object at a time.
class TemporaryFile {
 public:
  /// Makes the file. If that fails, descriptor() is negative and errno says why.
  explicit TemporaryFile(const std::string& beside);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  /// The caller must close it.
  int descriptor() const { return descriptor_; }
  /// Renames the file to `path`. Returns the error, or 0.
  int rename(const std::string& path);

 private:
  std::string name_;
  int descriptor_;
};

/// Ends a process group if a signal ends the program while this object lives: its leader gets SIGTERM, and
/// what still runs two seconds later is killed. There can be one object at a time.
class DoomedGroup {
 public:
  explicit DoomedGroup(pid_t group);
  ~DoomedGroup() { release(); }
  DoomedGroup(const DoomedGroup&) = delete;
  DoomedGroup& operator=(const DoomedGroup&) = delete;

  /// Releases the group. Call it once the group has ended, because another group may get its
  /// number.
  void release();
};

}  // namespace torchbook::cli
