// Finds the operation that made a tensor, and its operands.
#pragma once

#include <tools/part/flow.h>
#include <tools/site/origin/pictures.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace torchbook::site {

/// Returns the picture of a value of the trace, if there is one before the picture that is
/// explained.
using FindPicture = std::function<std::optional<std::size_t>(std::size_t value)>;

/// Returns how `value` was computed from pictures, or nullopt if that is unknown or too long to
/// read.
///
/// Products and softmaxes are also recognized if they are written by hand. A loop that writes each
/// element of a tensor as a dot product is a product. So is a loop that adds up rows times numbers.
/// A quotient of exponentials and their sums is a softmax, if each sum is that of the elements that
/// it divides.
std::optional<Origin> origin_of(const trace_diff::Flow& flow, std::size_t value,
                                const FindPicture& picture_of);

/// Returns the formula that computes a value from the nearest pictures: `exp(In [13]) / 2`. The
/// value's own picture is not used. Returns nullopt if the formula contains no picture, is too
/// long, or cannot be written.
std::optional<std::vector<FormulaPart>> formula_of(const trace_diff::Flow& flow, std::size_t value,
                                                   const FindPicture& picture_of);

}  // namespace torchbook::site
