// fmt support with the semantics of Python's f-strings.
#pragma once

#include <fmt/format.h>
#include <torchbook/pyrepr/python.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace torchbook::pyrepr {

/// What `f"{t:spec}"` gives: a 0-d tensor formats its item, any other is its str and takes no spec.
/// Throws fmt::format_error where Python throws TypeError or ValueError.
std::string format(const at::Tensor& tensor, std::string_view spec);

/// A torch.Size takes no spec either, and no Parameter does.
std::string format(const Size& size, std::string_view spec);
std::string format(const Parameter& parameter, std::string_view spec);

/// Python's `format(value, spec)` of a bool, an int and a float.
std::string format(bool value, std::string_view spec);
std::string format(std::int64_t value, std::string_view spec);
std::string format(double value, std::string_view spec);

/// A Python bool or float for fmt, which by itself prints `true` and `1` where Python prints `True` and
/// `1.0`.
template <class T>
struct PythonValue {
  T value;
};

/// The type that an argument of an f-string is formatted as.
template <class T>
using FormatAs =
    std::conditional_t<std::is_same_v<T, bool> || std::is_floating_point_v<T>, PythonValue<T>, T>;

/// Wraps an argument where Python and fmt would differ; hands on a reference to any other.
template <class T>
decltype(auto) format_as_python(const T& value) {
  if constexpr (std::is_same_v<FormatAs<T>, T>) {
    return (value);
  } else {
    return PythonValue<T>{value};
  }
}

/// Keeps the text of a replacement field's format spec for format() to read, as Python's `__format__` does.
struct SpecFormatter {
  std::string_view spec;

  constexpr auto parse(fmt::format_parse_context& context) {
    auto end = context.begin();
    while (end != context.end() && *end != '}') ++end;
    spec = std::string_view(context.begin(), static_cast<std::size_t>(end - context.begin()));
    return end;
  }

  /// Writes what format() makes of the value and the spec.
  template <class T, class Context>
  auto write(const T& value, Context& context) const {
    const std::string text = torchbook::pyrepr::format(value, spec);
    return std::copy(text.begin(), text.end(), context.out());
  }
};

}  // namespace torchbook::pyrepr

template <>
struct fmt::formatter<at::Tensor> : torchbook::pyrepr::SpecFormatter {
  template <class Context>
  auto format(const at::Tensor& tensor, Context& context) const {
    return write(tensor, context);
  }
};

template <class T>
struct fmt::formatter<torchbook::pyrepr::PythonValue<T>> : torchbook::pyrepr::SpecFormatter {
  template <class Context>
  auto format(const torchbook::pyrepr::PythonValue<T>& wrapped, Context& context) const {
    return write(wrapped.value, context);
  }
};

template <>
struct fmt::formatter<torchbook::pyrepr::Parameter> : torchbook::pyrepr::SpecFormatter {
  template <class Context>
  auto format(const torchbook::pyrepr::Parameter& parameter, Context& context) const {
    return write(parameter, context);
  }
};

template <>
struct fmt::formatter<torchbook::pyrepr::Size> : torchbook::pyrepr::SpecFormatter {
  template <class Context>
  auto format(const torchbook::pyrepr::Size& size, Context& context) const {
    return write(size, context);
  }
};
