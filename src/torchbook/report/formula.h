// Writes operations as a formula.
#pragma once

#include <torchbook/report/origin.h>

#include <optional>
#include <vector>

namespace torchbook::report {

/// Returns the formula of the operations that made a value, back to the next pictures: `exp(In [13]) / 2`.
/// The value's own picture is not used. Returns nullopt if no picture takes part, or if the formula is too
/// long.
std::optional<std::vector<FormulaPart>> formula_of(const part::Flow& flow, std::size_t value,
                                                   const FindPicture& picture_of);

}  // namespace torchbook::report
