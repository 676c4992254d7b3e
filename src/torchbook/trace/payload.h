// Builds the payload of a record: packed little-endian numbers.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace torchbook::trace {

static_assert(std::endian::native == std::endian::little,
              "a trace file has the bytes of numbers as they are in memory");

/// Collects the bytes of a record.
class Payload {
 public:
  /// Appends the bytes of a number.
  template <class T>
  void add(T number) {
    const std::size_t size = bytes_.size();
    bytes_.resize(size + sizeof(T));
    std::memcpy(bytes_.data() + size, &number, sizeof(T));
  }

  void add_bytes(std::string_view bytes) { bytes_ += bytes; }
  void clear() { bytes_.clear(); }
  std::string_view bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace torchbook::trace
