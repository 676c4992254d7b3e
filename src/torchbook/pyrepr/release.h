// Knows how printing differs between PyTorch releases, for the release compiled against. version.h tells
// users which one that is.
#pragma once

#include <torch/version.h>

/// Tests in `#if` whether this LibTorch is at least the given release.
#define TORCHBOOK_LIBTORCH_AT_LEAST(major, minor) \
  (TORCH_VERSION_MAJOR > (major) || (TORCH_VERSION_MAJOR == (major) && TORCH_VERSION_MINOR >= (minor)))

namespace torchbook::pyrepr::inline v1::release {

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

/// An OrderedDict shows a dict instead of a list of pairs since Python 3.12. LibTorch does not know of a
/// Python; 2.2 is the first release of PyTorch for 3.12.
inline constexpr bool ordered_dicts_show_a_dict = at_least(2, 2);

// The flags below were seen in 1.13 and in 2.6. The releases between are assumed to be like 2.6.

/// A ModuleList shows children with equal texts once: `(0-2): 3 x Linear(…)` (pytorch/pytorch #90452).
inline constexpr bool folds_equal_modules = at_least(2, 0);

/// The defaults of Softplus are the ints 1 and 20 rather than floats.
inline constexpr bool softplus_has_int_defaults = !at_least(2, 0);

/// Upsample and EmbeddingBag show their mode as a str's repr, with quotes.
inline constexpr bool quotes_modes = at_least(2, 0);

/// A ParameterList or ParameterDict names a device as `cuda:0` rather than `GPU 0`.
inline constexpr bool parameter_lists_name_devices = at_least(2, 0);

/// Batch, instance, layer and group norms show whether they have a bias (pytorch/pytorch #176573). This was
/// seen in 2.14 and not in 2.6; the pull request is of March 2026.
inline constexpr bool norms_show_bias = at_least(2, 12);

/// Blank lines of modules below another one, other than a ModuleList, are emptied (pytorch/pytorch #172644).
/// This was seen in 2.14 and not in 2.6; the pull request is of January 2026.
inline constexpr bool blank_lines_stay_empty = at_least(2, 11);

}  // namespace torchbook::pyrepr::inline v1::release
