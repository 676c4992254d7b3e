// Formats values with fmt as Python's f-strings do.
#pragma once

#include <fmt/format.h>
#include <torchbook/pyrepr/python.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace torchbook::pyrepr {

/// Returns Python's `f"{tensor:spec}"`. A 0-d tensor formats its item; any other tensor is its str and takes
/// no spec. Throws fmt::format_error if Python throws TypeError or ValueError.
std::string format(const at::Tensor& tensor, std::string_view spec);

/// Return the value's repr. Like Python, they throw fmt::format_error if `spec` is not empty.
std::string format(const Size& size, std::string_view spec);
std::string format(const Parameter& parameter, std::string_view spec);

/// Return Python's `format(value, spec)` of a bool, an int and a float.
std::string format(bool value, std::string_view spec);
std::string format(std::int64_t value, std::string_view spec);
std::string format(double value, std::string_view spec);

/// A bool or float that fmt formats as Python does: `True` and `1.0` instead of fmt's own `true` and `1`.
template <class T>
struct PythonValue {
  T value;
};

/// The type as which an argument of an f-string is formatted.
template <class T>
using FormatAs =
    std::conditional_t<std::is_same_v<T, bool> || std::is_floating_point_v<T>, PythonValue<T>, T>;

/// Wraps an argument that Python and fmt format differently. Returns any other as a reference.
template <class T>
decltype(auto) format_as_python(const T& value) {
  if constexpr (std::is_same_v<FormatAs<T>, T>) {
    return (value);
  } else {
    return PythonValue<T>{value};
  }
}

/// Keeps the text of a replacement field's format spec for format(), as Python's `__format__` does.
struct SpecFormatter {
  std::string_view spec;

  constexpr auto parse(fmt::format_parse_context& context) {
    auto end = context.begin();
    while (end != context.end() && *end != '}') ++end;
    spec = std::string_view(context.begin(), static_cast<std::size_t>(end - context.begin()));
    return end;
  }

  /// Writes the result of format(value, spec).
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
