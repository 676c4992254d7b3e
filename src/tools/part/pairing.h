// Pairs the operations of two traces.
#pragma once

#include <tools/part/alignment.h>
#include <tools/part/equality.h>
#include <tools/part/side.h>

#include <vector>

namespace torchbook::trace_diff {

/// Consecutive operations that have no partner, on one side or on both. A gap never spans two marks.
struct Gap {
  std::vector<std::uint32_t> here;
  std::vector<std::uint32_t> there;
  std::uint32_t at = 0;  ///< the first operation here or, if there is none, the last one before the gap
};

/// How the operations of both sides belong together.
struct Paired {
  std::vector<Pair> pairs{};  ///< in the order of `here`
  std::vector<Gap> gaps{};    ///< in order
  bool reordered = false;     ///< whether both sides ran the same operations in other orders
};

/// Pairs operations: first those that took and returned the same bits, then those that took the same bits,
/// then those whose inputs come from the same operations, all in whatever order they ran. C++ evaluates
/// operands in another order than Python. The others are aligned by their names and shapes, in order; if that
/// fails, those that they called are.
Paired pair_steps(const Side& side_here, const std::vector<std::uint32_t>& here, const Side& side_there,
                  const std::vector<std::uint32_t>& there);

/// Returns the most pairs that ascend on both sides.
std::vector<Match> ascending(const std::vector<Match>& pairs);

}  // namespace torchbook::trace_diff
