// Words the reports of an import.
#pragma once

#include <torchbook/importing/draft.h>
#include <torchbook/importing/update.h>

#include <string>

namespace torchbook::cli {

/// Returns `2 cells, 1 with output`.
std::string counts(const golden::Golden& golden);

/// Returns what was not taken, or in another form, a line each below a heading; empty if there is nothing.
std::string remarks_text(const importing::Draft& draft);

/// Returns the message that there are no outputs to compare a port with. `ran` says whether the
/// notebook was run.
std::string no_outputs(const importing::Draft& draft, bool ran);

/// Describes what an update did with each cell.
std::string changes_text(const importing::Updated& updated);

}  // namespace torchbook::cli
