// Reads what `torchbook seed` searches for from its options.
#pragma once

#include <torchbook/cli/options.h>
#include <torchbook/cli/seed_state.h>

namespace torchbook::cli {

/// Returns the search that the options ask for, of which nothing is done. Throws UsageError.
SeedState new_seed_state(const SeedOptions& options);

}  // namespace torchbook::cli
