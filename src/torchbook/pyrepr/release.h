// Knows how printing differs between PyTorch releases, for the release compiled against.
#pragma once

#include <torch/version.h>

/// Tests in `#if` whether this LibTorch is at least the given release.
#define TORCHBOOK_LIBTORCH_AT_LEAST(major, minor) \
  (TORCH_VERSION_MAJOR > (major) || (TORCH_VERSION_MAJOR == (major) && TORCH_VERSION_MINOR >= (minor)))

namespace torchbook::pyrepr::release {

/// Function form of TORCHBOOK_LIBTORCH_AT_LEAST, for use in constant expressions.
constexpr bool at_least(int major, int minor) { return TORCHBOOK_LIBTORCH_AT_LEAST(major, minor); }

/// A forced sci_mode also decides the width of the elements (pytorch/pytorch #126859).
inline constexpr bool measures_in_forced_notation = at_least(2, 7);

/// With edgeitems 0 a summarised vector shows its ellipsis and then all elements: Python slices its end with
/// `[-0:]`.
inline constexpr bool edgeitems_zero_shows_all = !at_least(2, 1);

/// The item of a quantized tensor is truncated to a whole number. This was seen in 1.13 and not in 2.6; the
/// releases between are assumed to do as 2.6.
inline constexpr bool quantized_items_are_whole = !at_least(2, 0);

}  // namespace torchbook::pyrepr::release
