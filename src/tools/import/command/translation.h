// Translates the cells of an imported notebook.
#pragma once

#include <tools/import/command/carried_run.h>
#include <tools/import/draft.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>

namespace torchbook::cli {

/// A cell that is not translated.
struct NotTranslated {
  std::string reasons{};  ///< one a line, with a last line for carried values
  std::size_t root = 0;   ///< the position of the cell that is the cause, which may be itself
};

/// The result of a translation.
struct Translated {
  std::string counts{};                         ///< how many were translated: a line
  std::map<std::size_t, NotTranslated> left{};  ///< the others, by position
  std::string pictures{};                       ///< which statements only draw pictures: a line, or empty
  std::string carried{};  ///< the file of the values that are carried; empty if none are
};

/// Returns why cells are not ported, a line each below a heading, and the line on pictures; empty if all are
/// translated. Leaves out the cells that a person has `written`.
std::string left_text(const Translated& translated, const std::set<std::size_t>& written = {});

/// Sets the C++ of each cell that can be translated with certainty, and the reason for each other
/// cell. `python` parses the cells and runs none. `run` has the values of an earlier run, or is
/// nullptr. Throws UsageError if `python` cannot be started or does not answer.
Translated translate_draft(importing::Draft& draft, const std::string& python, const CarriedRun* run);

}  // namespace torchbook::cli
