// The elements of a strided tensor.
#pragma once

#include <ATen/core/Tensor.h>
#include <torchbook/pyrepr/options.h>

#include <cstddef>
#include <string>

namespace torchbook::pyrepr {

/// Appends the elements of a strided tensor with their brackets, `[]` where there are none. `indent`: the
/// columns that stand before them. Only the elements shown are read, in place; those on another device are
/// copied first, and so are conjugated and negated views. Throws std::invalid_argument for a dtype that has
/// no text.
void append_elements(std::string& out, const at::Tensor& tensor, std::size_t indent,
                     const PrintOptions& options);

}  // namespace torchbook::pyrepr
