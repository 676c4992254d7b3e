// Writes the contents of a tensor: the text between `tensor(` and the suffixes.
#pragma once

#include <ATen/core/Tensor.h>
#include <torchbook/pyrepr/options.h>

#include <cstddef>
#include <string>

namespace torchbook::pyrepr::inline v1 {

/// Appends the contents of a tensor: its elements, or its indices and values if it is sparse, or `...` if it
/// has no data. `indent` is the length of the prefix in front of them.
void append_contents(std::string& out, const at::Tensor& tensor, std::size_t indent,
                     const PrintOptions& options);

/// Returns whether a layout is sparse and compressed: CSR, CSC, BSR or BSC.
bool is_compressed(at::Layout layout);

/// Returns sizes as a Python tuple: `(2, 3)`, `(2,)` or `()`.
std::string tuple_of(at::IntArrayRef sizes);

}  // namespace torchbook::pyrepr::inline v1
