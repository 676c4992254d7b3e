// Reads parts of a file, and refuses those that are after its end.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace torchbook::training {

/// Returns an unsigned number of `Number`'s size that begins at a byte of a text, in little-endian order. The
/// text must be long enough.
template <class Number>
Number little_endian(std::string_view bytes, std::size_t at = 0) {
  Number number;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

/// Throws std::runtime_error for damage; the message says that `what` is damaged.
[[noreturn]] void damaged(const std::string& what);

/// The bytes end before the value that they begin.
class CutOff : public std::runtime_error {
 public:
  CutOff() : std::runtime_error("it is cut off or damaged") {}
};

class InputFile {
 public:
  /// Throws std::runtime_error unless this is a file that can be read.
  explicit InputFile(const std::filesystem::path& path);

  std::uint64_t size() const { return size_; }

  /// Copies `count` bytes that begin at `offset`. Throws CutOff if the file has fewer.
  void read(std::uint64_t offset, std::uint64_t count, void* to);
  std::string bytes(std::uint64_t offset, std::uint64_t count);

 private:
  std::ifstream stream_;
  std::uint64_t size_ = 0;
};

}  // namespace torchbook::training
