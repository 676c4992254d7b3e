// Prints Python's plain values as Python does: bool, int, float, str, None, torch.Size, tuple, list.
#pragma once

#include <torchbook/pyrepr/size.h>
#include <torchbook/pyrepr/tensor.h>

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

namespace torchbook::pyrepr {

/// Returns Python's `repr` of a float: the shortest text that reads back as the same double, or `inf`,
/// `-inf`, `nan`.
std::string repr_float(double value);

/// Returns Python's `repr` of a str: quoted, with Python's escapes. `text` is UTF-8. A byte that is not UTF-8
/// becomes `\udcNN`, as Python's surrogateescape writes it.
std::string repr_string(std::string_view text);

/// Returns Python's `round(value, digits)`: the exact binary value rounded to that many decimal digits, ties
/// to even. Negative `digits` round to tens, hundreds and so on.
double round(double value, int digits);

template <class T>
concept Text = std::convertible_to<const T&, std::string_view>;

/// Returns `True` or `False`.
template <std::same_as<bool> T>
std::string repr(T value) {
  return value ? "True" : "False";
}

template <std::integral T>
requires(!std::same_as<T, bool>) std::string repr(T value) { return std::to_string(value); }

/// Returns the repr of the double that a float32 converts to, as Python does.
template <std::floating_point T>
std::string repr(T value) {
  return repr_float(static_cast<double>(value));
}

template <Text T>
std::string repr(const T& text) {
  return repr_string(text);
}

/// Returns `None`.
inline std::string repr(std::nullopt_t) { return "None"; }

template <class T>
std::string repr(const std::optional<T>& value);
template <class... T>
std::string repr(const std::tuple<T...>& values);
template <class T>
std::string repr(const std::vector<T>& values);

template <class T>
std::string repr(const std::optional<T>& value) {
  return value ? repr(*value) : repr(std::nullopt);
}

/// Returns a Python tuple: `(a, b)`, `(a,)` or `()`.
template <class... T>
std::string repr(const std::tuple<T...>& values) {
  std::string text = "(";
  std::apply(
      [&](const auto&... value) {
        std::size_t index = 0;
        ((text += (index++ == 0 ? "" : ", ") + repr(value)), ...);
      },
      values);
  return text + (sizeof...(T) == 1 ? ",)" : ")");
}

/// Returns a Python list: `[a, b]`.
template <class T>
std::string repr(const std::vector<T>& values) {
  std::string text = "[";
  for (std::size_t i = 0; i < values.size(); ++i) {
    text += (i == 0 ? "" : ", ") + repr(static_cast<const T&>(values[i]));
  }
  return text + "]";
}

/// Returns Python's `str`: a string unchanged, anything else as its repr.
template <class T>
std::string str(const T& value) {
  if constexpr (Text<T>) {
    return std::string(std::string_view(value));
  } else {
    return repr(value);
  }
}

}  // namespace torchbook::pyrepr
