// Pairs operations by what they computed, in whatever order they ran.
#pragma once

#include <tools/part/alignment.h>
#include <tools/part/side.h>

#include <cstdint>
#include <vector>

namespace torchbook::trace_diff {

/// Returns a hash of a hash and one more number.
std::uint64_t mixed(std::uint64_t hash, std::uint64_t number);

/// Returns pairs of indices into `here` and `there`, in the order of `here`. C++ evaluates operands in
/// another order than Python, so the indices into `there` need not ascend.
std::vector<Match> pair_by_content(const Side& side_here, const std::vector<std::uint32_t>& here,
                                   const Side& side_there, const std::vector<std::uint32_t>& there);

/// Returns the most pairs that ascend on both sides.
std::vector<Match> ascending(const std::vector<Match>& pairs);

}  // namespace torchbook::trace_diff
