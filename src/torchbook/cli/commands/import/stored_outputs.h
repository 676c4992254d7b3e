// Compares a notebook's stored outputs with those of a run under PyTorch.
#pragma once

#include <torchbook/importing/draft.h>

#include <cstddef>
#include <string>
#include <vector>

namespace torchbook::cli {

/// How stored outputs compare with those of a run.
struct StoredOutputs {
  std::string text{};                ///< how many are repeated, and a line for each cause of a difference
  std::vector<std::size_t> times{};  ///< the indices of the cells that differ because they show a time
};

/// Compares the draft's stored outputs with a run, which has the draft's cells. The text is empty if
/// the draft stores none.
StoredOutputs compare_stored_outputs(const importing::Draft& draft, const golden::Golden& run);

}  // namespace torchbook::cli
