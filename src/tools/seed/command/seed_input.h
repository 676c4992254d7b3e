// Reads what `torchbook seed` searches for from its options.
#pragma once

#include <tools/seed/command/seed_state.h>

#include <string>
#include <vector>

namespace torchbook::cli {

/// What `torchbook seed` searches for, and where.
struct SeedOptions {
  std::string text{};               ///< a file, or `-` for stdin
  std::string call{};               ///< in Python; empty: the notebook's
  std::string offsets = "0-608";    ///< how many draws came before
  std::string seeds{};              ///< empty: all
  std::string shard{};              ///< part of parts; empty: all of them
  std::string state{};              ///< a file; empty: none
  std::vector<std::string> join{};  ///< state files of parts
  std::string notebook{};           ///< a file
  std::string cell{};               ///< a label in it
};

/// What is searched for.
struct SeedInput {
  SeedState state;  ///< of which nothing is done
  std::string
      restored_above{};  ///< the notebook's cell above which the state belongs; empty if it is not known
};

/// Returns the search that the options ask for. Throws UsageError.
SeedInput read_seed_input(const SeedOptions& options);

}  // namespace torchbook::cli
