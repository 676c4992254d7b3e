// Prints Python's plain values as Python does: None, bool, int, float, complex, str.
#pragma once

#include <torchbook/pyrepr/format_spec.h>
#include <torchbook/pyrepr/printer.h>

#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#pragma GCC visibility push(default)
namespace torchbook::pyrepr::inline v1 {

/// Returns Python's `round(value, digits)`: the exact binary value rounded to that many decimal digits, ties
/// to even. Negative `digits` round to tens, hundreds and so on.
double round(double value, int digits);

namespace detail {
std::int64_t round_int(std::int64_t value, int digits);
}

/// Returns Python's `round(value, digits)` of an int. The result is an int, and equals `value`
/// unless `digits` is negative. Throws std::overflow_error if the result does not fit.
template <std::integral T>
requires(!std::same_as<T, bool> && (std::signed_integral<T> || sizeof(T) < sizeof(std::int64_t))) std::int64_t
    round(T value, int digits) {
  return detail::round_int(value, digits);
}

/// Deleted for bool and for an int that may not fit std::int64_t. Convert the value first.
template <std::integral T>
requires(std::same_as<T, bool> || (std::unsigned_integral<T> &&
                                   sizeof(T) == sizeof(std::int64_t))) std::int64_t round(T value, int digits)
= delete;

namespace detail {

/// Returns the shortest text that reads back as the same double, or `inf`, `-inf`, `nan`.
std::string repr_float(double value);

/// Returns a text, quoted and escaped. `text` is UTF-8. A byte that is not UTF-8 becomes `\udcNN`, as
/// Python's surrogateescape writes it.
std::string repr_string(std::string_view text);

std::string repr_complex(std::complex<double> value);

std::string format_bool(bool value, std::string_view spec);
std::string format_int(std::int64_t value, std::string_view spec);
std::string format_int(std::uint64_t value, std::string_view spec);
std::string format_float(double value, std::string_view spec);
std::string format_complex(std::complex<double> value, std::string_view text);
std::string format_string(std::string_view text, std::string_view spec);

template <class T, class... Choices>
concept OneOf = (std::same_as<T, Choices> || ...);

/// The C++ types that print as Python's int. Character types and bool do not.
template <class T>
concept Int = OneOf<T, signed char, unsigned char, short, unsigned short, int, unsigned, long, unsigned long,
                    long long, unsigned long long>;

/// Python has one type None; C++ has several.
struct NonePrinter {
  static constexpr std::string_view python_type = "NoneType";
  template <class T>
  static std::string repr(const T&) {
    return "None";
  }
};

}  // namespace detail

/// None.
template <>
struct Printer<std::nullptr_t> : detail::NonePrinter {};
/// None.
template <>
struct Printer<std::nullopt_t> : detail::NonePrinter {};
/// None.
template <>
struct Printer<std::monostate> : detail::NonePrinter {};

/// True or False.
template <>
struct Printer<bool> : detail::TakesSpecsOf<detail::bool_type> {
  static std::string repr(bool value) { return value ? "True" : "False"; }
  static std::string format(bool value, std::string_view spec) { return detail::format_bool(value, spec); }
};

/// An element of a std::vector<bool>.
template <>
struct Printer<std::vector<bool>::reference> : Printer<bool> {};

/// An int.
template <detail::Int T>
struct Printer<T> : detail::TakesSpecsOf<detail::int_type> {
  static std::string repr(T value) { return std::to_string(value); }
  static std::string format(T value, std::string_view spec) {
    if constexpr (std::is_signed_v<T>) return detail::format_int(std::int64_t{value}, spec);
    return detail::format_int(static_cast<std::uint64_t>(value), spec);
  }
};

/// A float prints as the double that it converts to, as in Python.
template <class T>
requires detail::OneOf<T, float, double>
struct Printer<T> : detail::TakesSpecsOf<detail::float_type> {
  static std::string repr(T value) { return detail::repr_float(double{value}); }
  static std::string format(T value, std::string_view spec) {
    return detail::format_float(double{value}, spec);
  }
};

/// A complex.
template <class T>
requires detail::OneOf<T, float, double>
struct Printer<std::complex<T>> : detail::TakesSpecsOf<detail::complex_type> {
  static std::string repr(const std::complex<T>& value) {
    return detail::repr_complex(std::complex<double>(value));
  }
  static std::string format(const std::complex<T>& value, std::string_view spec) {
    return detail::format_complex(std::complex<double>(value), spec);
  }
};

namespace detail {

struct TextPrinter : TakesSpecsOf<string_type> {
  static std::string repr(std::string_view text) { return repr_string(text); }
  static std::string str(std::string_view text) { return std::string(text); }
  static std::string format(std::string_view text, std::string_view spec) {
    return format_string(text, spec);
  }
};

}  // namespace detail

/// A str.
template <>
struct Printer<std::string> : detail::TextPrinter {};
/// A str.
template <>
struct Printer<std::string_view> : detail::TextPrinter {};

/// A string literal or other C string. A null pointer is None.
template <class T>
requires detail::OneOf<T, const char*, char*>
struct Printer<T> : detail::TakesSpecsOf<detail::string_type> {
  static std::string repr(const char* text) { return text ? detail::repr_string(text) : "None"; }
  static std::string str(const char* text) { return text ? text : "None"; }
  static std::string format(const char* text, std::string_view spec) {
    if (text) return detail::format_string(text, spec);
    if (!spec.empty()) detail::refuse_spec("NoneType");
    return "None";
  }
};

/// A char is a str of one character, because Python has no character type.
template <>
struct Printer<char> : detail::TakesSpecsOf<detail::string_type> {
  static std::string repr(char c) { return detail::repr_string({&c, 1}); }
  static std::string str(char c) { return {c}; }
  static std::string format(char c, std::string_view spec) { return detail::format_string({&c, 1}, spec); }
};

}  // namespace torchbook::pyrepr::inline v1
#pragma GCC visibility pop
