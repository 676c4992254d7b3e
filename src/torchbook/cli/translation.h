// Translates the cells of an imported notebook.
#pragma once

#include <torchbook/importing/draft.h>

#include <string>

namespace torchbook::cli {

/// What became of the cells.
struct Translated {
  std::string counts{};  ///< how many were translated: a line
  std::string left{};    ///< why the others were not, a line each below a heading; empty if all were
};

/// Gives the cells of a draft their C++, where a translation is certain; the others get the reason why not.
/// `python` reads the cells and runs none of them. Throws UsageError if `python` cannot be started or does
/// not answer.
Translated translate_draft(importing::Draft& draft, const std::string& python);

}  // namespace torchbook::cli
