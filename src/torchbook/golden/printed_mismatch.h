// Finds how two printed values differ apart from their digits: in shape, dtype or kind.
#pragma once

#include <torchbook/golden/mismatch.h>
#include <torchbook/golden/printed.h>

#include <cstddef>
#include <optional>

namespace torchbook::golden {

/// Returns the mismatch of the values at `at`, the first token in which two texts do not agree. The tensors
/// around it may differ in shape or dtype, two torch.Size may differ, or the values may be of different kinds
/// (an int and a float, a tensor and a number, None and a value). Returns nullopt if there is no such
/// mismatch.
/// mismatch.
std::optional<Mismatch> mismatch_at(const Printed& golden, const Printed& actual, std::size_t at);

}  // namespace torchbook::golden
