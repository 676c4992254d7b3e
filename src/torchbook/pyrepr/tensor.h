// Prints tensors byte for byte as Python's repr(t) and str(t) do.
#pragma once

#include <ATen/core/Tensor.h>
#include <torchbook/pyrepr/format_spec.h>
#include <torchbook/pyrepr/printer.h>

#include <concepts>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)
namespace torchbook::pyrepr::inline v1 {

/// Prints tensors of all dtypes, shapes and strides: dense, sparse (COO, CSR, CSC, BSR, BSC),
/// quantized, nested and meta tensors, and those of functionalization and torch.func, which wrap
/// another tensor. An undefined tensor is None. Only the shown elements are read: in place if the
/// tensor is on the CPU, otherwise in a copy of them. Conjugated, negated and quantized tensors are
/// copied in this way, too. Only a tensor with a scale for each channel is copied as a whole. Throws
/// std::invalid_argument for a dtype without numbers to show, a storage that is too small, and
/// options with which PyTorch raises. Follows torch/_tensor_str.py of the release compiled against.
template <>
struct Printer<at::Tensor>
    : detail::TakesSpecsOf<detail::float_type, detail::int_type, detail::complex_type> {
  /// Returns Python's `repr(t)` under the options in force.
  static std::string repr(const at::Tensor& tensor);

  /// Returns Python's `f"{tensor:spec}"`. Formats the item of a 0-d tensor. Other tensors are
  /// formatted as their str and take no spec. Throws fmt::format_error if Python raises TypeError
  /// or ValueError.
  static std::string format(const at::Tensor& tensor, std::string_view spec);
};

/// A TensorBase, or a class that derives from a tensor, prints as the tensor.
template <std::derived_from<at::TensorBase> T>
struct Printer<T> : Printer<at::Tensor> {
  static std::string repr(const at::TensorBase& tensor) {
    return Printer<at::Tensor>::repr(at::Tensor(tensor));
  }
  static std::string format(const at::TensorBase& tensor, std::string_view spec) {
    return Printer<at::Tensor>::format(at::Tensor(tensor), spec);
  }
};

/// Overload that takes the options instead of using those in force. Also throws as checked() does.
std::string repr(const at::Tensor& tensor, const PrintOptions& options);

/// A tensor that is a torch.nn.Parameter in Python. C++ has no such type, because a module's parameters are
/// plain tensors.
struct Parameter {
  at::Tensor tensor;  ///< any shape, usually with requires_grad
};

/// `Parameter containing:` and the tensor on the next line
template <>
struct Printer<Parameter> {
  static constexpr std::string_view python_type = "Parameter";
  static std::string repr(const Parameter& parameter);
};

}  // namespace torchbook::pyrepr::inline v1

/// Returns `repr(*tensor)` for debuggers, or the message of the exception that it throws. The text lives
/// until the next call on this thread. Debuggers find the name because it is that of C: `p
/// (char*)torchbook_repr(&t)`.
extern "C" const char* torchbook_repr(const at::Tensor* tensor) noexcept;
#pragma GCC visibility pop
