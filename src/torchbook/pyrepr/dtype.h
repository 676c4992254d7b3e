// Names dtypes as Python does.
#pragma once

#include <c10/core/ScalarType.h>

#include <string>

namespace torchbook::pyrepr::inline v1 {

/// Returns Python's name for a dtype: `torch.float64`, `torch.int32` …
std::string dtype_name(at::ScalarType type);

/// Returns the dtype that Python's `torch.get_default_dtype()` returns.
at::ScalarType default_dtype();

/// Returns whether Python omits a dtype if elements are shown: the default dtype, its complex counterpart,
/// int64 and bool.
bool is_understood(at::ScalarType type);

}  // namespace torchbook::pyrepr::inline v1
