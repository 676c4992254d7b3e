// Implements torch.Size, a shape that owns its numbers.
#pragma once

#include <ATen/core/Tensor.h>
#include <torchbook/pyrepr/printer.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)
namespace torchbook::pyrepr::inline v1 {

/// A copy of a tensor's sizes. `tensor.sizes()` is a view that dangles once its tensor is gone, as in
/// `inputs[0].sizes()`; a Size is safe.
struct Size {
  std::vector<std::int64_t> sizes;  ///< one number per dimension

  /// Returns whether both have the same dimensions.
  friend bool operator==(const Size&, const Size&) = default;
};

/// Returns Python's `tensor.shape`.
inline Size shape(const at::Tensor& tensor) { return {tensor.sizes().vec()}; }

/// `torch.Size([2, 3])`
template <>
struct Printer<Size> {
  static constexpr std::string_view python_type = "torch.Size";
  static std::string repr(const Size& size);
};

}  // namespace torchbook::pyrepr::inline v1
#pragma GCC visibility pop
