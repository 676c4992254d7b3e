// The elements of a strided tensor.
#pragma once

#include <ATen/core/Tensor.h>
#include <torchbook/pyrepr/options.h>

#include <cstddef>
#include <string>

namespace torchbook::pyrepr {

/// Appends the elements of a strided tensor with their brackets, `[]` where there are none. `indent`: the
/// columns that stand before them. Only the elements shown are read, in place; of a tensor on another device
/// they are copied first; conjugated and negated views are copied as a whole. Throws std::invalid_argument
/// for a dtype that has no text.
void append_elements(std::string& out, const at::Tensor& tensor, std::size_t indent,
                     const PrintOptions& options);

/// What is shown of a tensor, on its device: the two ends of each dimension that is cut, side by side. All of
/// it with edgeitems 0, which releases show differently.
at::Tensor shown_part(const at::Tensor& tensor, const PrintOptions& options);

/// Appends the elements of a tensor with the sizes `whole`, of which `part`, on the CPU, is what shown_part()
/// gives, or everything.
void append_elements_of_part(std::string& out, const at::Tensor& part, at::IntArrayRef whole,
                             std::size_t indent, const PrintOptions& options);

}  // namespace torchbook::pyrepr
