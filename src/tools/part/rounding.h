// Computes the operations of a trace again, to tell rounding from wrong kernels.
#pragma once

#include <string>
#include <vector>

namespace torchbook::trace_diff {

/// Computes each operation of a trace again from its recorded inputs, with the kernels of this process. Where
/// other bits come out, what it returned and wrote on either side must be as near to the result in float64 as
/// rounding explains: within 4 + sqrt(n - 1) times what inputs that are off by one rounding change, where n
/// is how many numbers an element sums, and within an eighth of the element. Integers, nan, infinity and
/// numbers that are no tensors must be equal. Random numbers are drawn again from the seed, and may be 16
/// roundings of the largest one apart. What has no result in float64 is judged by the operation that calls
/// it.
///
/// Returns a line for each operation that is off by more, or that cannot be computed again: `exp
/// (sample.cpp:12) at @7: element 3 of its output is nan, and 1.25 in float64`. The trace must hold tensors
/// whole. Throws TraceError if the bytes are no trace, or if it was cut off.
std::vector<std::string> beyond_rounding(const std::string& bytes);

}  // namespace torchbook::trace_diff
