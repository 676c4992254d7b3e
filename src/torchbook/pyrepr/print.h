// Python's print: `py::print("loss", loss)`.
#pragma once

#include <torchbook/pyrepr/printer.h>

#include <cstdio>
#include <iosfwd>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#pragma GCC visibility push(default)
namespace torchbook::pyrepr::inline v1 {

/// Python's keyword argument `sep` of print: the text between the values.
struct sep {
  /// Takes a text, which must live until print returns.
  explicit sep(std::string_view separator) : text(separator) {}
  std::string_view text;  ///< the separator
};

/// Python's keyword argument `end` of print: the text after the last value.
struct end {
  /// Takes a text, which must live until print returns.
  explicit end(std::string_view ending) : text(ending) {}
  std::string_view text;  ///< the ending
};

/// Python's keyword argument `file` of print: the destination of the text.
struct file {
  /// Takes an open C FILE. Throws std::invalid_argument if it is nullptr, the result of a failed
  /// fopen.
  explicit file(std::FILE* target) : to(target) {
    if (target == nullptr) throw std::invalid_argument("the file that py::print should write is not open");
  }
  /// Takes a stream.
  explicit file(std::ostream& target) : to(&target) {}
  std::variant<std::FILE*, std::ostream*> to;  ///< never null
};

namespace detail {

template <class T>
constexpr bool is_keyword = std::is_same_v<T, sep> || std::is_same_v<T, end> || std::is_same_v<T, file>;

/// Fails to compile if a keyword argument precedes a value.
template <class... T>
constexpr void require_keywords_last() {
  constexpr bool in_order = [] {
    bool good = true, keyword = false;
    ((good = good && (is_keyword<T> || !keyword), keyword = keyword || is_keyword<T>), ...);
    return good;
  }();
  static_assert(in_order, "sep, end and file must come after the values of print");
}

/// Composes the text of one print.
class PrintedText {
 public:
  template <class T>
  void add(const T& argument) {
    if constexpr (std::is_same_v<T, sep>) {
      separator_ = argument.text;
    } else if constexpr (std::is_same_v<T, end>) {
      ending_ = argument.text;
    } else if constexpr (std::is_same_v<T, file>) {
      file_ = argument;
    } else {
      values_.push_back(str(argument));
    }
  }

  std::string text() const;

  /// Writes the whole text at once. Throws std::system_error if writing to a FILE fails, and
  /// std::ios_base::failure if writing to a stream fails.
  void write() const;

 private:
  std::vector<std::string> values_{};
  std::string_view separator_ = " ", ending_ = "\n";
  file file_{stdout};
};

}  // namespace detail

/// Python's `print(a, b, …)`: writes the str of each value, separated by spaces, and a newline. The
/// keyword arguments come last: `py::print(a, b, py::sep(", "), py::end(""), py::file(stderr))`.
/// The whole text is written at once and flushed. Throws std::system_error if writing to a FILE
/// fails, and std::ios_base::failure if writing to a stream fails.
template <class... T>
void print(const T&... values) {
  detail::require_keywords_last<T...>();
  detail::PrintedText printed;
  (printed.add(values), ...);
  printed.write();
}

}  // namespace torchbook::pyrepr::inline v1
#pragma GCC visibility pop
