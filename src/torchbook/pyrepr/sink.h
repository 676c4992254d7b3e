// Appends to a string quickly, with room reserved ahead of its end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace torchbook::pyrepr::inline v1 {

/// Appends to a string faster than std::string does, because it enlarges the string in advance. The
/// destructor shrinks the string to what was written.
class Sink {
 public:
  explicit Sink(std::string& text) : text_(text), size_(text.size()) {}
  ~Sink() { text_.resize(size_); }
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  /// Makes room for about `bytes` bytes at once.
  void expect(std::size_t bytes) { room(bytes); }
  /// Returns a pointer to room for the next `bytes` bytes. commit() makes them part of the text.
  char* room(std::size_t bytes) {
    if (text_.size() - size_ < bytes) [[unlikely]]
      grow(bytes);
    return text_.data() + size_;
  }
  void commit(std::size_t bytes) { size_ += bytes; }

  /// Overload for literals: the compiler knows the length.
  template <std::size_t N>
  [[gnu::always_inline]] void append(const char (&literal)[N]) {
    std::memcpy(room(N - 1), literal, N - 1);
    commit(N - 1);
  }
  void append(std::string_view text) {
    std::memcpy(room(text.size()), text.data(), text.size());
    commit(text.size());
  }
  /// Appends a text, padded on the left to a width.
  void append_padded(std::string_view text, std::size_t width) {
    if (text.size() < width) fill(width - text.size(), ' ');
    append(text);
  }
  void fill(std::size_t count, char c) {
    std::memset(room(count), c, count);
    commit(count);
  }

 private:
  void grow(std::size_t bytes) { text_.resize(std::max(2 * text_.size(), size_ + bytes)); }

  std::string& text_;
  std::size_t size_;
};

}  // namespace torchbook::pyrepr::inline v1
