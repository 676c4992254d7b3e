// Searches seeds on all cores, with progress, until it is done or a signal comes.
#pragma once

#include <tools/seed/command/seed_state.h>
#include <tools/seed/rng/scan.h>
#include <torchbook/cli/system/cleanup.h>

#include <string>

namespace torchbook::cli {

/// Searches the seeds of the state that are left, and adds the states that pass all tests. Returns the signal
/// that `undisturbed` kept away and that ended the search early, or 0. Progress goes to stderr, each line
/// after `name`.
int search_seeds(const rng::Search& search, SeedState& state, const std::string& name,
                 const Undisturbed& undisturbed);

}  // namespace torchbook::cli
