// Defines what pyrepr prints: repr, str and format of every type that has a Printer.
#pragma once

#include <torchbook/pyrepr/options.h>

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

#pragma GCC visibility push(default)
/// Prints torch and C++ values byte for byte as Python prints them.
namespace torchbook::pyrepr::inline v1 {

/// Says how a type prints. pyrepr specializes it for the types that it knows; specialize it for your own:
///
///     template <>
///     struct torchbook::pyrepr::Printer<Point> {
///       static std::string repr(const Point& p) { return py::f("Point({!r}, {!r})", p.x, p.y); }
///     };
///
/// py::repr, py::str, py::format, py::f, py::print, streams, fmt and containers then accept the
/// type. A specialization may also have
/// - `static std::string str(const T&)`, if Python's `__str__` is not its `__repr__`;
/// - `static std::string format(const T&, std::string_view spec)`, if the type takes format specs.
///   With it, specs are checked only at run time. Without it, any spec is a compile-time error;
/// - `static constexpr std::string_view python_type`, the type's name in Python's messages.
template <class T>
struct Printer;

namespace detail {

/// The type whose Printer prints a T. An array decays, because an array of char is a text.
template <class T>
using Printed = std::conditional_t<std::is_array_v<T>, std::decay_t<T>, std::remove_cv_t<T>>;

template <class T>
concept HasPrinter = requires(const T& value) {
  { Printer<Printed<T>>::repr(value) } -> std::convertible_to<std::string>;
};

template <class T>
concept HasStr = requires(const T& value) {
  { Printer<Printed<T>>::str(value) } -> std::convertible_to<std::string>;
};

template <class T>
concept HasFormat = requires(const T& value) {
  { Printer<Printed<T>>::format(value, std::string_view()) } -> std::convertible_to<std::string>;
};

/// Fails to compile, with a one-line message, if pyrepr cannot print a T.
template <class T>
constexpr void require_printer() {
  constexpr bool pointer = std::is_pointer_v<Printed<T>> || requires(const T& value) { *value.get(); };
  static_assert(!pointer || HasPrinter<T>,
                "pyrepr prints no pointers: Python has none. Print what it points to: *pointer, or "
                "std::span(array); for "
                "a pointer to a module, include torchbook/pyrepr/module.h");
  static_assert(
      pointer || HasPrinter<T>,
      "pyrepr does not know how Python prints this type. Include torchbook/pyrepr/ivalue.h for an "
      "IValue, module.h for a module; copy another container into a std::vector; otherwise convert the "
      "value first, or specialize torchbook::pyrepr::Printer for it (docs/printing.md tells how)");
}

/// Throws fmt::format_error with Python's message for a type that takes no format specs.
[[noreturn]] void refuse_spec(std::string_view python_type);

template <class T>
constexpr std::string_view python_type() {
  if constexpr (requires { Printer<Printed<T>>::python_type; }) {
    return Printer<Printed<T>>::python_type;
  } else {
    return "object";
  }
}

}  // namespace detail

/// Returns Python's `repr(value)`. Tensors in it are printed with the options in force.
template <class T>
std::string repr(const T& value) {
  detail::require_printer<T>();
  if constexpr (detail::HasPrinter<T>) {
    return Printer<detail::Printed<T>>::repr(value);
  } else {
    return {};
  }
}

/// Overload that takes the options instead of using those in force.
template <class T>
std::string repr(const T& value, const PrintOptions& options) {
  const ScopedPrintOptions scoped(options);
  return repr(value);
}

/// Returns Python's `str(value)`: a text unchanged, most other values as their repr.
template <class T>
std::string str(const T& value) {
  if constexpr (detail::HasStr<T>) {
    return Printer<detail::Printed<T>>::str(value);
  } else {
    return repr(value);
  }
}

/// Returns Python's `format(value, spec)`. Throws fmt::format_error, with Python's message, if Python raises
/// TypeError or ValueError.
template <class T>
std::string format(const T& value, std::string_view spec) {
  if constexpr (detail::HasFormat<T>) {
    return Printer<detail::Printed<T>>::format(value, spec);
  } else {
    if (!spec.empty()) detail::refuse_spec(detail::python_type<T>());
    return str(value);
  }
}

}  // namespace torchbook::pyrepr::inline v1
#pragma GCC visibility pop
