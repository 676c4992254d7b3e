// Finds random numbers that a notebook draws without a seed, by the look of its lines.
#pragma once

#include <tools/import/draft.h>

#include <cstddef>
#include <set>
#include <string>

namespace torchbook::cli {

/// Returns the indices of the cells from the first unseeded draw to the one that sets a seed.
std::set<std::size_t> cells_after_unseeded_draws(const importing::Draft& draft);

/// Returns a line that advises to search for the seed of a tensor that the notebook draws without one and
/// shows. Returns an empty text if there is none. `file` is the notebook's.
std::string seed_hint(const importing::Draft& draft, const std::string& file);

}  // namespace torchbook::cli
