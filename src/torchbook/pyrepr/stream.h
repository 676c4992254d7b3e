// Writes Python's text to a std::ostream: `std::cout << torchbook::pyrepr::python(t)`.
#pragma once

#include <torchbook/pyrepr/python.h>

#include <ostream>

namespace torchbook::pyrepr {

/// A value that a stream writes as Python's str. Made by python().
template <class T>
struct Streamed {
  const T& value;

  friend std::ostream& operator<<(std::ostream& out, const Streamed& streamed) {
    return out << str(streamed.value);
  }
};

/// Wraps a value so that a stream writes it as Python's print does. LibTorch's own `<<` is unchanged. The
/// value must outlive the expression.
template <class T>
Streamed<T> python(const T& value) {
  return {value};
}

}  // namespace torchbook::pyrepr
