// What stands between `tensor(` and the suffixes.
#pragma once

#include <ATen/core/Tensor.h>
#include <torchbook/pyrepr/options.h>

#include <cstddef>
#include <string>

namespace torchbook::pyrepr {

/// Appends a tensor's elements, or, where it is sparse, its indices and values; `...` for one without data.
/// `indent`: the length of the prefix that stands before them.
void append_contents(std::string& out, const at::Tensor& tensor, std::size_t indent,
                     const PrintOptions& options);

/// Whether a tensor of this layout is sparse and compressed: CSR, CSC, BSR or BSC.
bool is_compressed(at::Layout layout);

/// `(2, 3)`, `(2,)`, `()`: sizes as a Python tuple.
std::string tuple_of(at::IntArrayRef sizes);

}  // namespace torchbook::pyrepr
