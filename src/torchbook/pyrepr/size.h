// torch.Size: a shape that owns its numbers.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

namespace torchbook::pyrepr {

/// A tensor's sizes, copied. `tensor.sizes()` is a view that dangles once its tensor is gone, as in
/// `inputs[0].sizes()`; a Size does not.
struct Size {
  std::vector<std::int64_t> sizes;  ///< one number a dimension

  friend bool operator==(const Size&, const Size&) = default;
};

/// Python's `t.shape`.
inline Size shape(const at::Tensor& tensor) { return {tensor.sizes().vec()}; }

/// `torch.Size([2, 3])`.
std::string repr(const Size& size);

}  // namespace torchbook::pyrepr
