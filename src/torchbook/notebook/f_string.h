// Python's f-strings: `f("a = {}", a)`.
#pragma once

#include <torchbook/notebook/tensor_recorder.h>
#include <torchbook/pyrepr/f_string.h>
#include <torchbook/pyrepr/python.h>

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

/// Python's f-string: `f("x = {}", x)` is `f"x = {x}"`, and `f("{:.2f}", loss)` is `f"{loss:.2f}"`. Throws
/// fmt::format_error where Python raises TypeError or ValueError.
template <class... T>
FString f(pyrepr::FormatString<std::type_identity_t<T>...> format, const T&... values) {
  const auto begin = TensorRecorder::next_number();
  FString result{.text = pyrepr::f(format, values...)};
  result.tensors = {begin, TensorRecorder::next_number()};
  return result;
}

}  // namespace torchbook::notebook

template <>
struct torchbook::pyrepr::Printer<torchbook::notebook::FString>
    : torchbook::pyrepr::Printer<std::string_view> {};
