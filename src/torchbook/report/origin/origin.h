// Finds the operation that made a tensor, and its operands.
#pragma once

#include <torchbook/part/flow.h>
#include <torchbook/report/origin/pictures.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace torchbook::report {

/// Returns the picture of a value of the trace, if there is one that comes before what is explained.
using FindPicture = std::function<std::optional<std::size_t>(std::size_t value)>;

/// Returns how `value` was computed from pictures, or nullopt if that is unknown or too long to be read.
///
/// The operations say it. A loop that writes each element of a tensor as a dot product made a product, and so
/// did one that adds up rows times numbers. A quotient of exponentials and their sum is a softmax, if the
/// sums are those of the elements that they divide.
std::optional<Origin> origin_of(const part::Flow& flow, std::size_t value, const FindPicture& picture_of);

/// Returns the formula of the operations that made a value, back to the next pictures: `exp(In [13]) / 2`.
/// The value's own picture is not used. Returns nullopt if no picture takes part, or if the formula is too
/// long.
std::optional<std::vector<FormulaPart>> formula_of(const part::Flow& flow, std::size_t value,
                                                   const FindPicture& picture_of);

}  // namespace torchbook::report
