// Defines flags for printing differences between PyTorch releases, set for the release compiled
// against. Users get that release from version.h.
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

/// With edgeitems 0, a summarised vector shows its ellipsis and then all elements, because Python
/// slices the last elements with `[-0:]`.
inline constexpr bool edgeitems_zero_shows_all = !at_least(2, 1);

/// The parts of a sparse meta tensor are `...` rather than the elements, which it lacks unless it has none.
inline constexpr bool meta_parts_are_dots = at_least(2, 0);

/// The item of a quantized tensor is truncated to a whole number. Observed in 1.13 but not in 2.6.
/// The releases in between are assumed to behave like 2.6.
inline constexpr bool quantized_items_are_whole = !at_least(2, 0);

/// Since Python 3.12, an OrderedDict shows a dict instead of a list of pairs. LibTorch has no
/// Python version, so this uses 2.2, the first release of PyTorch that supports 3.12.
inline constexpr bool ordered_dicts_show_a_dict = at_least(2, 2);

// For the flags below, 1.13 and 2.6 were observed. The releases in between are assumed to behave
// like 2.6.

/// A ModuleList shows children with equal texts once: `(0-2): 3 x Linear(…)` (pytorch/pytorch #90452).
inline constexpr bool folds_equal_modules = at_least(2, 0);

/// The defaults of Softplus are the ints 1 and 20 rather than floats.
inline constexpr bool softplus_has_int_defaults = !at_least(2, 0);

/// Upsample and EmbeddingBag show their mode in quotes.
inline constexpr bool quotes_modes = at_least(2, 0);

/// A ParameterList or ParameterDict names a device as `cuda:0` rather than `GPU 0`.
inline constexpr bool parameter_lists_name_devices = at_least(2, 0);

/// Batch, instance, layer and group norms show whether they have a bias (pytorch/pytorch #176573).
/// Observed in 2.14 but not in 2.6. The pull request is from March 2026.
inline constexpr bool norms_show_bias = at_least(2, 12);

/// Blank lines lose their indentation in modules below another module that is not a ModuleList
/// (pytorch/pytorch #172644). Observed in 2.14 but not in 2.6. The pull request is from January
/// 2026.
inline constexpr bool blank_lines_stay_empty = at_least(2, 11);

}  // namespace torchbook::pyrepr::inline v1::release
