// A tensor's text, byte for byte what Python's repr(t) and str(t) give.
#pragma once

#include <ATen/core/Tensor.h>
#include <torchbook/pyrepr/options.h>

#include <string>

namespace torchbook::pyrepr {

/// Python's `repr(t)` under the options in force, for tensors of every dtype, shape and strides: dense,
/// sparse (COO, CSR, CSC, BSR, BSC), quantized, nested and meta ones. Only the elements shown are read, and
/// dense ones are read in place; conjugated and negated views and quantized tensors are copied first, and so
/// is what is shown of a tensor on another device. Throws std::invalid_argument for an undefined tensor, and
/// for a dtype that has no numbers to show. Source: torch/_tensor_str.py of the release compiled against.
std::string repr(const at::Tensor& tensor);

/// The same under the given options, whatever is in force.
std::string repr(const at::Tensor& tensor, const PrintOptions& options);

/// Python's `str(t)`, which equals its repr.
inline std::string str(const at::Tensor& tensor) { return repr(tensor); }

/// A tensor that Python would hold as a torch.nn.Parameter. C++ has no such type: a module's parameters are
/// tensors.
struct Parameter {
  at::Tensor tensor;  ///< any shape, usually with requires_grad
};

/// `Parameter containing:` and the tensor.
std::string repr(const Parameter& parameter);

}  // namespace torchbook::pyrepr
