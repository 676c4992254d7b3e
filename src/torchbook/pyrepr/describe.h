// Describes tensors for debugging: in one line, or as C++ code that makes the tensor again.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#pragma GCC visibility push(default)
namespace torchbook::pyrepr::inline v1 {

/// Returns a line with the shape, the dtype and the range, mean and standard deviation of the finite
/// elements, with four digits, as by Python's `.4g`. Integers are exact. It also counts nan and infinite
/// elements, if there are any:
///
///     (3, 4) float32, -1.5 … 2.25, mean 0.1, std 1.2, 1 nan, 2 inf, strides (1, 3)
///
/// - Equal elements have no mean: `(2,) int64, all 7`. One element is shown alone: `() float32, 0.5`.
/// - Bools are counted: `(4,) bool, 3 of 4 True`. The range of complex numbers is that of their absolute
///   values: `(2,) complex64, abs 0.5 … 2`, and so are their mean and deviation.
/// - A tensor without elements is `empty`. One on another device has the device after the dtype, and the meta
///   device shows nothing else. A sparse tensor has its layout and `nnz`, and describes its stored values.
/// - Strides are shown if the tensor is not contiguous. A nested tensor shows how many tensors it holds.
///
/// Reads all elements. Throws std::invalid_argument as repr() does.
std::string summary(const at::Tensor& tensor);

/// Returns a C++ expression that makes a tensor of the same bits, dtype and shape on the CPU:
///
///     torch::tensor({{1.5f, -0.0f},
///                    {INFINITY, 2.0f}}, torch::kFloat)
///
/// It needs `#include <torch/torch.h>`. It has all elements. A nan loses its sign and its payload. Strides,
/// names and gradients are not part of it. Throws std::invalid_argument for a tensor that is not dense, for
/// one on the meta device, and as repr() does.
std::string cpp(const at::Tensor& tensor);

}  // namespace torchbook::pyrepr::inline v1
#pragma GCC visibility pop
