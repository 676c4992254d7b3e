// The words in which an import tells what it took.
#pragma once

#include <torchbook/importing/draft.h>
#include <torchbook/importing/update.h>

#include <string>

namespace torchbook::cli {

/// Returns `2 cells, 1 with output`.
std::string counts(const golden::Golden& golden);

/// Returns what was not taken, or in another form, a line each below a heading; empty if there is nothing.
std::string remarks_text(const importing::Draft& draft);

/// Says that there is nothing to compare a port with. `ran` says whether the notebook was run.
std::string no_outputs(const importing::Draft& draft, bool ran);

/// Returns what became of the cells in an update.
std::string changes_text(const importing::Updated& updated);

}  // namespace torchbook::cli
