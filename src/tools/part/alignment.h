// Finds which elements of two sequences belong together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace torchbook::trace_diff {

/// Elements that belong together, by their indices.
struct Match {
  std::size_t here = 0;
  std::size_t there = 0;

  bool operator==(const Match&) const = default;
};

/// Returns the matches of equal elements, in order, according to Myers' shortest edit script. For
/// very different sequences the script is not the shortest: the search for each piece ends after a
/// fixed number of edits, so that time and memory are linear in the lengths.
std::vector<Match> align(std::span<const std::uint64_t> here, std::span<const std::uint64_t> there);

}  // namespace torchbook::trace_diff
