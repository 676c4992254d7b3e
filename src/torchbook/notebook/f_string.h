// Python's f-strings: `f("a = {}", a)`.
#pragma once

#include <fmt/format.h>
#include <torchbook/notebook/recorder.h>
#include <torchbook/pyrepr/format.h>

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

namespace torchbook::notebook {

/// The text of an f-string, and which of the recorded tensors it shows.
struct FString {
  std::string text;
  RecordedRange tensors{};

  operator std::string_view() const { return text; }  // NOLINT(google-explicit-constructor): it is a str
};

/// Returns how many arguments the braces of a format string take, those inside of format specs included.
constexpr std::size_t arguments_taken(std::string_view format) {
  std::size_t automatic = 0, numbered = 0;
  for (std::size_t i = 0, depth = 0; i < format.size(); ++i) {
    const bool doubled = depth == 0 && i + 1 < format.size() && format[i + 1] == format[i];
    if (format[i] == '}' && depth > 0) --depth;
    if (format[i] != '{' && !(format[i] == '}' && doubled)) continue;
    if (doubled) {
      ++i;  // `{{` and `}}` are one brace of the text
      continue;
    }
    ++depth;
    std::size_t number = 0, digits = 0;
    for (auto at = i + 1; at < format.size() && format[at] >= '0' && format[at] <= '9'; ++at, ++digits) {
      number = number * 10 + static_cast<std::size_t>(format[at] - '0');
    }
    if (digits == 0) ++automatic;
    if (digits != 0 && number + 1 > numbered) numbered = number + 1;
  }
  return automatic > numbered ? automatic : numbered;
}

// The compiler names these in its error.
inline void f_has_more_braces_than_arguments() {}
inline void f_has_more_arguments_than_braces() {}

/// A format string whose braces take as many arguments as there are, which is checked while compiling.
template <class... T>
class FFormat {
 public:
  template <class S>
  requires std::convertible_to<const S&, std::string_view>
  consteval FFormat(const S& text)  // NOLINT(google-explicit-constructor): it is written as a literal
      : format_(counted(text)) {}

  fmt::format_string<T...> get() const { return format_; }

 private:
  template <class S>
  static consteval const S& counted(const S& text) {
    const auto taken = arguments_taken(text);
    if (taken > sizeof...(T)) f_has_more_braces_than_arguments();
    if (taken < sizeof...(T)) f_has_more_arguments_than_braces();
    return text;
  }

  fmt::format_string<T...> format_;
};

/// Python's f-string: `f("x = {}", x)` is `f"x = {x}"`, and `f("{:.2f}", loss)` is `f"{loss:.2f}"`. Throws
/// fmt::format_error where Python raises TypeError or ValueError.
template <class... T>
FString f(FFormat<pyrepr::FormatAs<std::remove_cvref_t<T>>...> format, const T&... values) {
  const auto begin = Recorder::next_number();
  FString result{.text = [](fmt::string_view text, const auto&... args) {
    return fmt::vformat(text, fmt::make_format_args(args...));
  }(format.get(), pyrepr::format_as_python(values)...)};
  result.tensors = {begin, Recorder::next_number()};
  return result;
}

}  // namespace torchbook::notebook

template <>
struct fmt::formatter<torchbook::notebook::FString> : fmt::formatter<fmt::string_view> {
  template <class Context>
  auto format(const torchbook::notebook::FString& value, Context& context) const {
    return fmt::formatter<fmt::string_view>::format(value.text, context);
  }
};
