// Where PyTorch's releases print differently: what the one compiled against does.
#pragma once

#include <torch/version.h>

/// Whether this LibTorch is at least the given release, for `#if`.
#define TORCHBOOK_LIBTORCH_AT_LEAST(major, minor) \
  (TORCH_VERSION_MAJOR > (major) || (TORCH_VERSION_MAJOR == (major) && TORCH_VERSION_MINOR >= (minor)))

namespace torchbook::pyrepr::release {

/// The same as a function.
constexpr bool at_least(int major, int minor) { return TORCHBOOK_LIBTORCH_AT_LEAST(major, minor); }

/// A forced sci_mode also decides the width of the elements (pytorch/pytorch #126859).
inline constexpr bool measures_in_forced_notation = at_least(2, 7);

/// With edgeitems 0 a summarised vector shows its ellipsis and then, its end being cut off as `[-0:]`,
/// everything.
inline constexpr bool edgeitems_zero_shows_all = !at_least(2, 1);

/// The item of a quantized tensor is cut down to a whole number. Seen in 1.13 and not in 2.6; those between
/// are taken for the latter.
inline constexpr bool quantized_items_are_whole = !at_least(2, 0);

}  // namespace torchbook::pyrepr::release
