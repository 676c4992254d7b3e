// What tells two printed values apart before their digits do: shape, dtype and kind.
#pragma once

#include <torchbook/golden/mismatch.h>
#include <torchbook/golden/printed.h>

#include <cstddef>
#include <optional>

namespace torchbook::golden {

/// Returns the mismatch of the values at the first token, `at`, in which two texts do not agree: another
/// shape or dtype of the tensor that it stands in, another torch.Size, or values of two kinds (an int and a
/// float, a tensor and a number, None and either). nullopt where there is none of these.
std::optional<Mismatch> mismatch_at(const Printed& golden, const Printed& actual, std::size_t at);

}  // namespace torchbook::golden
