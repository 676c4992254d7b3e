// Python's x.tolist() and torch.tensor() of a list of lists.
#pragma once

#include <ATen/ScalarOps.h>
#include <torch/csrc/autograd/generated/variable_factories.h>
#include <torchbook/pyrepr/containers.h>
#include <torchbook/pyrepr/torch_values.h>
#include <torchbook/runtime/number.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace torchbook {

/// Returns the numbers of a tensor with one dimension: `x.tolist()`. Throws c10::Error if it has
/// another number of dimensions, or if Python's numbers would have another type.
template <class T>
std::vector<T> list(const at::Tensor& tensor) {
  TORCH_CHECK(tensor.dim() == 1, "a tensor must have one dimension, not ", tensor.dim());
  const auto dtype = tensor.scalar_type();
  const bool fits = std::is_same_v<T, bool>       ? dtype == at::kBool
                    : std::is_floating_point_v<T> ? at::isFloatingType(dtype)
                                                  : at::isIntegralType(dtype, /*includeBool=*/false);
  TORCH_CHECK(fits, "a list of ", dtype, " has numbers of another type");
  std::vector<T> result;
  for (const auto& each : tensor.unbind()) result.push_back(each.item<T>());
  return result;
}

/// Returns the rows of a tensor with two dimensions: `x.tolist()`. Throws c10::Error as list() does.
template <class T>
std::vector<std::vector<T>> rows(const at::Tensor& tensor) {
  TORCH_CHECK(tensor.dim() == 2, "a tensor must have two dimensions, not ", tensor.dim());
  std::vector<std::vector<T>> result;
  for (const auto& each : tensor.unbind()) result.push_back(list<T>(each));
  return result;
}

/// Returns `torch.tensor(rows)` of a list of lists, which all have the same size.
template <class T>
at::Tensor tensor(const std::vector<std::vector<T>>& rows, const at::TensorOptions& options = {}) {
  std::vector<at::Tensor> tensors;
  for (const auto& row : rows) tensors.push_back(torch::tensor(row, options));
  return at::stack(tensors);
}

/// Returns a Python number as a tensor with the type promotion of a number: in `0 + x`, the result
/// has the dtype of `x`.
inline at::Tensor wrapped(const at::Scalar& number) { return at::native::wrapped_scalar_tensor(number); }

/// Returns `torch.tensor(number)`.
inline at::Tensor tensor(const Number& number, const at::TensorOptions& options = {}) {
  if (number.isFloatingPoint()) return torch::tensor(number.toDouble(), options);
  return number.isBoolean() ? torch::tensor(number.toBool(), options)
                            : torch::tensor(number.toLong(), options);
}

/// Returns `torch.tensor(numbers)` of a list of ints and floats. One float makes all of them floats.
inline at::Tensor tensor(const std::vector<Number>& numbers, const at::TensorOptions& options = {}) {
  std::vector<double> floats;
  std::vector<std::int64_t> ints;
  bool any_float = false;
  bool any_int = numbers.empty();
  for (const auto& number : numbers) {
    any_float |= number.isFloatingPoint();
    any_int |= number.isIntegral(/*includeBool=*/false);
    floats.push_back(number.toDouble());
    if (!any_float) ints.push_back(number.toLong());
  }
  if (any_float) return torch::tensor(floats, options);
  return torch::tensor(ints, options.has_dtype() || any_int ? options : options.dtype(at::kBool));
}

/// The nested list that `x.tolist()` returns for a tensor of any shape. It can only be printed.
struct NestedList {
  at::Tensor tensor;
};

/// A Python tuple whose size is known only at run time, such as `x.split(2)` or `tuple(x.shape)`.
template <class T>
struct Tuple : std::vector<T> {
  using std::vector<T>::vector;
  /// Moves a list into a tuple.
  Tuple(std::vector<T> items) : std::vector<T>(std::move(items)) {}  // NOLINT(google-explicit-constructor)
};

/// Makes a list print as a tuple.
template <class T>
Tuple<T> tuple(std::vector<T> items) {
  return items;
}

}  // namespace torchbook

namespace torchbook::python {

/// Returns Python's `sum(tensors)`: adds the tensors to the int 0, from left to right. Throws
/// c10::Error for an empty list, because Python returns the int 0.
inline at::Tensor sum(const std::vector<at::Tensor>& tensors) {
  TORCH_CHECK(!tensors.empty(), "sum() of an empty list of tensors, which is an int in Python");
  auto total = wrapped(0);
  for (const auto& tensor : tensors) total = total + tensor;
  return total;
}

}  // namespace torchbook::python

/// A tuple.
template <class T>
struct torchbook::pyrepr::Printer<torchbook::Tuple<T>> : torchbook::pyrepr::detail::SequenceAsTuplePrinter {};

/// A number, a list of numbers, a list of lists.
template <>
struct torchbook::pyrepr::Printer<torchbook::NestedList> : torchbook::pyrepr::detail::ComposedPrinter {
  static constexpr std::string_view python_type = "list";
  static void compose(const torchbook::NestedList& list, torchbook::pyrepr::detail::Composition& out) {
    if (list.tensor.dim() == 0) return out.value(list.tensor.item());
    std::vector<torchbook::NestedList> items;
    for (const auto& each : list.tensor.unbind()) items.push_back({each});
    out.value(items);
  }
};
