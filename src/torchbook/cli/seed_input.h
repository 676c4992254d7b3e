// Reads what `torchbook seed` searches for from its options.
#pragma once

#include <torchbook/cli/options.h>
#include <torchbook/cli/seed_state.h>

#include <string>

namespace torchbook::cli {

/// What is searched for.
struct SeedInput {
  SeedState state;  ///< of which nothing is done
  std::string
      restored_above{};  ///< the notebook's cell above which the state belongs; empty if it is not known
};

/// Returns the search that the options ask for. Throws UsageError.
SeedInput read_seed_input(const SeedOptions& options);

}  // namespace torchbook::cli
