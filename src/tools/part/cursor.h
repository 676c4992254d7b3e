// Takes numbers out of bytes, and never reads past their end.
#pragma once

#include <tools/part/trace_file.h>

#include <bit>
#include <cstring>

namespace torchbook::part {

/// The bytes of a record that are not read yet. They are little-endian.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : bytes_(bytes) {}

  std::size_t left() const { return bytes_.size(); }

  /// Returns the next bytes. Throws TraceError if fewer are left.
  std::string_view take(std::uint64_t count) {
    if (count > bytes_.size()) throw TraceError("a record is shorter than what it holds");
    const auto taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }

  template <typename Number>
  Number number() {
    static_assert(std::endian::native == std::endian::little, "traces are little-endian");
    Number number;
    std::memcpy(&number, take(sizeof number).data(), sizeof number);
    return number;
  }

 private:
  std::string_view bytes_;
};

}  // namespace torchbook::part
