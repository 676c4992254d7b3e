// Translates the cells of an imported notebook.
#pragma once

#include <tools/import/command/carried_run.h>
#include <tools/import/draft.h>

#include <string>

namespace torchbook::cli {

/// The result of a translation.
struct Translated {
  std::string counts{};   ///< how many were translated: a line
  std::string left{};     ///< why the others were not, a line each below a heading; empty if all were
  std::string carried{};  ///< the file of the values that are carried; empty if none are
};

/// Sets the C++ of each cell that can be translated with certainty, and the reason for each other
/// cell. `python` parses the cells and runs none. `run` has the values of an earlier run, or is
/// nullptr. Throws UsageError if `python` cannot be started or does not answer.
Translated translate_draft(importing::Draft& draft, const std::string& python, const CarriedRun* run);

}  // namespace torchbook::cli
