// Python's names of dtypes.
#pragma once

#include <c10/core/ScalarType.h>

#include <string>

namespace torchbook::pyrepr {

/// `torch.float64`, `torch.int32` …: Python's name for a dtype.
std::string dtype_name(at::ScalarType type);

/// The dtype of `torch.get_default_dtype()`.
at::ScalarType default_dtype();

/// Whether Python leaves a dtype unsaid behind elements that show it: the default one, its complex partner,
/// int64 and bool.
bool is_understood(at::ScalarType type);

}  // namespace torchbook::pyrepr
