// Python's text for std::ostream, by request: `std::cout << torchbook::pyrepr::python(t)`.
#pragma once

#include <torchbook/pyrepr/python.h>

#include <ostream>

namespace torchbook::pyrepr {

/// A value that a stream writes as Python's str; see python().
template <class T>
struct Streamed {
  const T& value;

  friend std::ostream& operator<<(std::ostream& out, const Streamed& streamed) {
    return out << str(streamed.value);
  }
};

/// Writes a value to a stream as Python's print does. LibTorch's own `<<` stays what it is. The value must
/// outlive the expression.
template <class T>
Streamed<T> python(const T& value) {
  return {value};
}

}  // namespace torchbook::pyrepr
