// A number whose Python type, int or float, is known only at run time.
#pragma once

#include <c10/core/Scalar.h>
#include <torchbook/pyrepr/python.h>
#include <torchbook/pyrepr/torch_values.h>
#include <torchbook/runtime/arithmetic.h>

#include <cmath>
#include <concepts>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

namespace torchbook {

/// A bool, int or float of Python: a torch::Scalar with Python's arithmetic and text.
class Number : public at::Scalar {
 public:
  using at::Scalar::Scalar;
  Number() : at::Scalar(std::int64_t{0}) {}
  Number(const at::Scalar& scalar)
      : at::Scalar(scalar) {}  // NOLINT(google-explicit-constructor): they are one

  Number& operator+=(const Number& other) { return *this = *this + other; }
  Number& operator-=(const Number& other) { return *this = *this - other; }

  friend Number operator+(const Number& a, const Number& b) { return computed(a, b, std::plus<>{}); }
  friend Number operator-(const Number& a, const Number& b) { return computed(a, b, std::minus<>{}); }
  friend Number operator*(const Number& a, const Number& b) { return computed(a, b, std::multiplies<>{}); }
  friend Number operator-(const Number& a) { return Number(std::int64_t{-1}) * a; }
  /// Returns Python's `a / b`, which is always a float. `b` is not 0.
  friend double operator/(const Number& a, const Number& b) { return a.toDouble() / b.toDouble(); }
  friend bool operator==(const Number& a, const Number& b) { return a.toDouble() == b.toDouble(); }
  friend bool operator<(const Number& a, const Number& b) { return a.toDouble() < b.toDouble(); }

  /// Applies `operation` to two floats if either number is a float, otherwise to two ints.
  template <class Operation>
  static Number computed(const Number& a, const Number& b, const Operation& operation) {
    if (a.isFloatingPoint() || b.isFloatingPoint()) return operation(a.toDouble(), b.toDouble());
    return operation(a.toLong(), b.toLong());
  }
};

/// Python's `round(number, digits)`. Throws std::invalid_argument if `digits` of an int are negative.
template <std::same_as<Number> Any>  // a double has a function of its own
Number round(const Any& number, std::int64_t digits) {
  if (number.isFloatingPoint()) return pyrepr::round(number.toDouble(), static_cast<int>(digits));
  if (digits < 0) throw std::invalid_argument("an int is rounded to tens");
  return number.toLong();
}

/// Python's `round(number)`: the nearest int. Ties go to the even one.
template <std::same_as<Number> Any>
std::int64_t round(const Any& number) {
  return number.isFloatingPoint() ? static_cast<std::int64_t>(std::nearbyint(number.toDouble()))
                                  : number.toLong();
}

/// Python's `abs(number)`.
inline Number abs(const Number& number) { return number < 0 ? -number : number + 0; }

/// Returns the number as a key of a dict of ints, if it is a whole number. Throws std::out_of_range for other
/// numbers.
inline std::int64_t key(const Number& number) {
  const auto whole = number.isFloatingPoint() ? std::nearbyint(number.toDouble()) : 0;
  if (number.isFloatingPoint() && !(whole == number.toDouble() && std::fabs(whole) < 1e15))
    throw std::out_of_range("a float is no key");
  return number.isFloatingPoint() ? static_cast<std::int64_t>(whole) : number.toLong();
}

/// Returns the text that print shows for Python's `type(number)`: `<class 'float'>`.
inline std::string type_of(const Number& number) {
  return number.isFloatingPoint() ? "<class 'float'>"
         : number.isBoolean()     ? "<class 'bool'>"
                                  : "<class 'int'>";
}

/// Python's `math.isnan(number)`.
inline bool isnan(const Number& number) { return std::isnan(number.toDouble()); }

}  // namespace torchbook

namespace torchbook::python {

/// Python's `a // b` and `a % b`. `b` is not 0.
inline Number floor_divide(const Number& a, const Number& b) {
  return Number::computed(a, b, [](auto x, auto y) { return floor_divide(x, y); });
}
inline Number remainder(const Number& a, const Number& b) {
  return Number::computed(a, b, [](auto x, auto y) { return remainder(x, y); });
}

}  // namespace torchbook::python

/// An int, a float or a bool.
template <>
struct torchbook::pyrepr::Printer<torchbook::Number> : torchbook::pyrepr::Printer<at::Scalar> {};
