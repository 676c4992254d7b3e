// Writes Python's text to a std::ostream or with fmt: `std::cout << py::python(t)`.
#pragma once

#include <torchbook/pyrepr/printer.h>

#include <ostream>
#include <type_traits>
#include <utility>

#pragma GCC visibility push(default)
namespace torchbook::pyrepr::inline v1 {

/// A value that a stream writes as Python's str, and that fmt formats as Python does. Made by python().
template <class T>
struct Python {
  T value;  ///< a reference to a variable, or a temporary's value

  /// Writes the value's str.
  friend std::ostream& operator<<(std::ostream& out, const Python& python) {
    return out << str(python.value);
  }
};

/// Wraps a value so that streams and fmt write it as Python's print does. LibTorch's own `<<` is
/// unchanged. The wrapper refers to a variable, which must outlive it, but takes over a temporary.
template <class T>
Python<std::conditional_t<std::is_lvalue_reference_v<T>, const std::remove_reference_t<T>&, T>> python(
    T&& value) {
  return {std::forward<T>(value)};
}

}  // namespace torchbook::pyrepr::inline v1
#pragma GCC visibility pop
