// Returns a tensor's text, byte for byte the result of Python's repr(t) and str(t).
#pragma once

#include <ATen/core/Tensor.h>
#include <torchbook/pyrepr/options.h>

#include <string>

namespace torchbook::pyrepr {

/// Returns Python's `repr(t)` under the options in force. It takes tensors of every dtype, shape and strides:
/// dense, sparse (COO, CSR, CSC, BSR, BSC), quantized, nested and meta ones. Only the elements shown are
/// read, and dense tensors are read in place. Conjugated and negated views and quantized tensors are copied
/// first, as are the shown elements of a tensor on another device. Throws std::invalid_argument for an
/// undefined tensor and for a dtype that has no numbers to show. Follows torch/_tensor_str.py of the release
/// compiled against.
std::string repr(const at::Tensor& tensor);

/// Overload that takes the options instead of using those in force.
std::string repr(const at::Tensor& tensor, const PrintOptions& options);

/// Returns Python's `str(t)`, which equals its repr.
inline std::string str(const at::Tensor& tensor) { return repr(tensor); }

/// A tensor that is a torch.nn.Parameter in Python. C++ has no such type, because a module's parameters are
/// plain tensors.
struct Parameter {
  at::Tensor tensor;  ///< any shape, usually with requires_grad
};

/// Returns `Parameter containing:` and the tensor on the next line.
std::string repr(const Parameter& parameter);

}  // namespace torchbook::pyrepr
