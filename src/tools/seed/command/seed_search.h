// Searches seeds on all cores.
#pragma once

#include <tools/seed/rng/scan.h>

#include <string>
#include <vector>

namespace torchbook::cli {

/// Returns the states with these seeds that pass all tests, sorted. Progress goes to stderr, each line after
/// `name`.
std::vector<rng::State> search_seeds(const rng::Search& search, const rng::Seeds& seeds,
                                     const std::string& name);

}  // namespace torchbook::cli
