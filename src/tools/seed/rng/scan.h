// Searches seeds, many at once, for those whose draws pass tests.
#pragma once

#include <tools/seed/rng/draw_test.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace torchbook::rng {

/// A search for a call whose draws pass the tests. Between `first_offset` and `last_offset` other
/// draws precede it.
struct Search {
  std::vector<DrawTest> tests{};  ///< sorted by draw; one at least
  std::uint32_t first_offset = 0;
  std::uint32_t last_offset = 0;
};

/// A state of the generator: a seed, and how many draws were taken since.
struct State {
  std::uint32_t seed = 0;
  std::uint32_t offset = 0;

  bool operator==(const State&) const = default;
  bool operator<(const State& other) const {
    return seed != other.seed ? seed < other.seed : offset < other.offset;
  }
};

/// A range of `count` seeds from `first` on. It must end at or below 2^32.
struct Seeds {
  std::uint64_t first = 0;
  std::uint64_t count = std::uint64_t{1} << 32;
};

/// Returns whether all tests pass. That takes microseconds.
bool passes(const Search& search, const State& state);

/// Returns all states with these seeds that pass the search, sorted. Uses the widest vectors of the
/// processor. Several threads may call it.
std::vector<State> scan(const Search& search, const Seeds& seeds);

/// Returns the names of the instruction sets that scan() can use on this processor, the best first.
std::vector<std::string> scan_targets();

/// Restricts scan() to an instruction set. An empty name restores the best one. For tests.
void use_scan_target(const std::string& name);

}  // namespace torchbook::rng
