// Translates the cells of an imported notebook.
#pragma once

#include <torchbook/cli/commands/import/carried_run.h>
#include <torchbook/importing/draft.h>

#include <string>

namespace torchbook::cli {

/// What became of the cells.
struct Translated {
  std::string counts{};   ///< how many were translated: a line
  std::string left{};     ///< why the others were not, a line each below a heading; empty if all were
  std::string carried{};  ///< the file of the values that are carried; empty if none are
};

/// Gives the cells of a draft their C++, where a translation is certain; the others get the reason why not.
/// `python` reads the cells and runs none of them. `run` is what they left when they were run, or nullptr.
/// Throws UsageError if `python` cannot be started or does not answer.
Translated translate_draft(importing::Draft& draft, const std::string& python, const CarriedRun* run);

}  // namespace torchbook::cli
