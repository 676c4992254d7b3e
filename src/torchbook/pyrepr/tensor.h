// A tensor's text, byte for byte what Python's repr(t) and str(t) give.
#pragma once

#include <ATen/core/Tensor.h>
#include <torchbook/pyrepr/options.h>

#include <string>

namespace torchbook::pyrepr {

/// Python's `repr(t)` of a dense CPU tensor of any shape, strides and dtype, under the options in force.
/// Only the elements shown are read; the tensor is not copied. Throws std::invalid_argument for an undefined
/// tensor and for a device or layout that is not supported.
/// Source: torch/_tensor_str.py.
std::string repr(const at::Tensor& tensor);

/// The same under the given options, whatever is in force.
std::string repr(const at::Tensor& tensor, const PrintOptions& options);

/// Python's `str(t)`, which equals its repr.
inline std::string str(const at::Tensor& tensor) { return repr(tensor); }

}  // namespace torchbook::pyrepr
