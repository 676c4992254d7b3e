// Prints and computes arrays as NumPy does. An array is a tensor.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>
#include <c10/util/Optional.h>
#include <torchbook/pyrepr/printer.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace torchbook::np {

/// An array as NumPy prints it.
struct Array {
  at::Tensor tensor;
};

/// A dtype as NumPy prints it.
struct DType {
  at::ScalarType type;
};

/// A number of NumPy, such as an element of an array.
class Element {
 public:
  /// Copies the number of an array without dimensions. `release` is NumPy's: from 2 on, the repr names the
  /// dtype, `np.float64(0.5)`. Throws c10::Error if the array has dimensions, or if its elements are neither
  /// ints nor floats.
  Element(const at::Tensor& array,  // NOLINT(google-explicit-constructor): an array is copied to it
          int release = 1);

  const Array& array() const { return array_; }
  /// Returns Python's `repr(element)`.
  std::string repr() const;
  /// Returns Python's `int(element)` and `float(element)`.
  std::int64_t to_int() const;
  double to_float() const;
  /// Returns the number to compute with as NumPy does. Throws c10::Error if it has not 64 bits.
  std::int64_t integer() const;
  double floating() const;

 private:
  Array array_;
  int release_;
};

/// Returns Python's `list(array)` of an array with one dimension, with NumPy's release.
std::vector<Element> elements(const at::Tensor& array, int release = 1);

/// Returns NumPy's name for a dtype: `float64`. Throws c10::Error if NumPy does not have it.
std::string name(DType dtype);

/// Returns Python's `str(array)` and `repr(array)`. A long array is summarised as NumPy 1 does. Throws
/// c10::Error if the elements are neither bools nor ints, nor floats with 32 or 64 bits.
std::string str(const Array& array);
std::string repr(const Array& array);

/// Returns Python's `format(array, spec)`: an array without dimensions is formatted as a number of Python.
std::string format(const Array& array, std::string_view spec);

/// NumPy's `arange(start, stop, step)` of floats and `linspace(start, stop, count)`, bit for bit.
at::Tensor arange(double start, double stop, double step);
at::Tensor linspace(double start, double stop, std::int64_t count);

/// An array, or a number of Python, which has the dtype of the array beside it if that holds such numbers.
struct Operand {
  Operand(const at::Tensor& array) : array(array) {}  // NOLINT(google-explicit-constructor): it is an operand
  template <class Number>
  requires std::is_arithmetic_v<Number> Operand(Number value)
      : number(value) {}  // NOLINT(google-explicit-constructor): it is an operand

  at::Tensor array{};
  at::Scalar number{};
};

/// NumPy's operators. Throw c10::Error for dtypes other than bool, int32, int64, float32 and float64, and for
/// arrays without dimensions, because NumPy returns no array then.
at::Tensor add(const Operand& left, const Operand& right);
at::Tensor subtract(const Operand& left, const Operand& right);
at::Tensor multiply(const Operand& left, const Operand& right);
at::Tensor divide(const Operand& left, const Operand& right);
at::Tensor less(const Operand& left, const Operand& right);
at::Tensor less_equal(const Operand& left, const Operand& right);
at::Tensor greater(const Operand& left, const Operand& right);
at::Tensor greater_equal(const Operand& left, const Operand& right);
at::Tensor equal(const Operand& left, const Operand& right);
at::Tensor not_equal(const Operand& left, const Operand& right);

/// NumPy's sums, means and variances of all elements, or along an axis. Floats are added in NumPy's order:
/// the sum of no floats but -0.0 is 0.0, as before NumPy 1.25. Throw c10::Error for a part of an array whose
/// elements do not lie in rows, and the mean for an empty one.
at::Tensor sum(const at::Tensor& array, c10::optional<std::int64_t> axis = {}, bool keepdims = false);
at::Tensor mean(const at::Tensor& array, c10::optional<std::int64_t> axis = {}, bool keepdims = false);
at::Tensor var(const at::Tensor& array, c10::optional<std::int64_t> axis = {}, std::int64_t ddof = 0,
               bool keepdims = false);

/// Writes the result of an operator into an array: NumPy's `array += value`. Throws c10::Error if NumPy
/// raises.
void assign(const at::Tensor& array, const at::Tensor& value);

}  // namespace torchbook::np

template <>
struct torchbook::pyrepr::Printer<torchbook::np::Array> {
  static constexpr std::string_view python_type = "numpy.ndarray";
  static std::string str(const torchbook::np::Array& array) { return torchbook::np::str(array); }
  static std::string repr(const torchbook::np::Array& array) { return torchbook::np::repr(array); }
  static std::string format(const torchbook::np::Array& array, std::string_view spec) {
    return torchbook::np::format(array, spec);
  }
};

template <>
struct torchbook::pyrepr::Printer<torchbook::np::Element> {
  static std::string str(const torchbook::np::Element& element) {
    return torchbook::np::str(element.array());
  }
  static std::string repr(const torchbook::np::Element& element) { return element.repr(); }
  static std::string format(const torchbook::np::Element& element, std::string_view spec) {
    return torchbook::np::format(element.array(), spec);
  }
};

template <>
struct torchbook::pyrepr::Printer<torchbook::np::DType> {
  static std::string str(torchbook::np::DType dtype) { return torchbook::np::name(dtype); }
  static std::string repr(torchbook::np::DType dtype) {
    return "dtype('" + torchbook::np::name(dtype) + "')";
  }
};
