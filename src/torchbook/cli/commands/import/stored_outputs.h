// Compares the outputs that a notebook stores with those that PyTorch gives here.
#pragma once

#include <torchbook/importing/draft.h>

#include <string>

namespace torchbook::cli {

/// Returns how many of the draft's stored outputs a run repeats, and a line for each cause of which others
/// differ; empty if the draft stores none. `run` has the draft's cells.
std::string stored_outputs_text(const importing::Draft& draft, const golden::Golden& run);

}  // namespace torchbook::cli
