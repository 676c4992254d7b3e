// Reads, writes and locks files, and reads and writes the standard streams.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace torchbook::cli {

/// Owns a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  bool open() const { return fd_ >= 0; }
  int get() const { return fd_; }
  /// Closes the file if it is open. Returns the error of that, or 0.
  int close();

 private:
  int fd_;
};

/// Opens a file for each of stdin, stdout and stderr that is closed, so that no other file gets its
/// number. Using it is still an error.
void take_closed_standard_descriptors();

/// Writes the whole text. Waits if a non-blocking descriptor takes no more for now. Returns the
/// error that stopped it, or 0. A reader that has closed the pipe is no error.
int write_all(int fd, std::string_view text);

/// As the limit on a file: none.
inline constexpr std::size_t any_size = std::string::npos;

/// Returns the content of a file. Throws UsageError with its name and the reason if it cannot be read or
/// exceeds `most` bytes, 64 MiB by default: enough for a golden, a twin or a recording.
std::string read_file(const std::string& path, std::size_t most = std::size_t{64} << 20);

/// Returns whether a file that an option names can be read twice: the option is not given, or it is no pipe.
bool can_be_read_again(const std::string& path);

/// Returns the rest of stdin. Its errors are those of read_file() and name /dev/stdin.
std::string read_stdin();

/// Writes a text to stdout. Throws UsageError if that fails, but not if the reader has closed the pipe (`|
/// head -1`).
void write_stdout(std::string_view text);

/// Writes a line to stderr if possible. A failure changes no exit code.
void say_on_stderr(std::string line);

/// Makes a folder and its missing parents. Throws UsageError with the name and the reason.
void make_folder(const std::string& path);

/// Says on stderr what the program waits for: after two seconds, then every fifteen. Call it every
/// second with the elapsed seconds.
void tell_waiting(std::chrono::seconds passed, std::string_view what);

/// Writes a text to a file. Throws UsageError with the name and the reason.
///
/// A regular file is replaced only after its new text is on the disk, so it appears whole or not at
/// all. It keeps its permissions, but its other hard links keep the old text. A symbolic link is refused, so
/// that a link in a folder of strangers changes no file elsewhere. A pipe, a device, or a descriptor such as
/// `/dev/stdout` is written in place.
void write_file(const std::string& path, std::string_view text);

/// Throws UsageError, as write_file() would, if it is known before writing that a file cannot be written. An
/// empty path and `-` are no files.
void require_writable(const std::string& path);

/// Throws UsageError, as make_folder() would, if it is known before that a folder cannot be made or written
/// to.
void require_writable_folder(const std::string& path);

/// Writes a report to the file of `--output`, or to stdout if that is empty or `-`.
void write_report(std::string_view report, const std::string& path);

/// A new folder, whose name begins with that of `place`. The destructor removes it, and so does a signal,
/// unless it was renamed. There is one at a time.
class TemporaryFolder {
 public:
  /// Throws std::system_error if it cannot be made.
  explicit TemporaryFolder(const std::filesystem::path& place);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  /// Gives the folder the mode of other new folders and renames it. Returns the error, or 0.
  int rename(const std::filesystem::path& place);

 private:
  std::string path_;
};

/// Locks a folder against other processes that use this class, while the object lives. If the
/// folder does not exist, or its file system has no locks, nothing is locked.
class FolderLock {
 public:
  /// Waits until no other process has the lock, and says so on stderr if that takes long.
  explicit FolderLock(const std::string& folder);

 private:
  Descriptor folder_;
};

}  // namespace torchbook::cli
