// What follows a tensor's contents: device, size, dtype, layout, grad_fn, names …
#pragma once

#include <ATen/core/Tensor.h>
#include <torchbook/pyrepr/options.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace torchbook::pyrepr {

/// The suffixes of a tensor in Python's order, each without its comma: `dtype=torch.float64`.
std::vector<std::string> suffixes_of(const at::Tensor& tensor, const PrintOptions& options);

/// Where suffixes start new lines.
struct SuffixLayout {
  std::size_t indent;      ///< the columns before a suffix on a line of its own
  std::int64_t linewidth;  ///< PrintOptions::linewidth
  bool first_breaks;       ///< the first one starts a line in any case
};

/// Appends the suffixes, each on the last line of `text` where it fits and else on a line of its own.
void append_suffixes(std::string& text, const std::vector<std::string>& suffixes, const SuffixLayout& layout);

/// The name that Python gives to what computed the tensor (`AddBackward0`), empty for a leaf.
std::string grad_fn_name(const at::Tensor& tensor);

}  // namespace torchbook::pyrepr
