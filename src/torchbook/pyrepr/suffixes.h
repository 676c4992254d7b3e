// What follows a tensor's elements: size, dtype, requires_grad, names …
#pragma once

#include <ATen/core/Tensor.h>
#include <torchbook/pyrepr/options.h>

#include <cstdint>
#include <string>
#include <vector>

namespace torchbook::pyrepr {

/// `torch.float64`, `torch.int32` …: Python's name for a dtype.
std::string dtype_name(at::ScalarType type);

/// The suffixes of a tensor in Python's order, each without its comma: `dtype=torch.float64`.
std::vector<std::string> suffixes_of(const at::Tensor& tensor, const PrintOptions& options);

/// Appends the suffixes, each on the last line of `text` where it fits and else on a line of its own.
void append_suffixes(std::string& text, const std::vector<std::string>& suffixes, std::size_t indent,
                     std::int64_t linewidth);

/// The name that Python gives to what computed the tensor (`AddBackward0`), empty for a leaf.
std::string grad_fn_name(const at::Tensor& tensor);

}  // namespace torchbook::pyrepr
