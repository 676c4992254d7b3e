// Owns a file descriptor, and reads and writes whole texts.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace torchbook::cli {

/// Owns a file descriptor and closes it.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;

  bool open() const { return fd_ >= 0; }
  int get() const { return fd_; }
  /// Returns a path under which this program and its children can open the file.
  std::string path() const;
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

/// Reads at most `size` bytes. Waits if the descriptor does not block and has none yet. Returns their number,
/// 0 at the end, or -1 and sets errno.
long read_some(int fd, char* buffer, std::size_t size);

}  // namespace torchbook::cli
