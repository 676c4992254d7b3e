// Translates the cells of an imported notebook.
#pragma once

#include <torchbook/importing/draft.h>

#include <string>

namespace torchbook::cli {

/// Gives the cells of a draft their C++, where a translation is certain; the others get the reason why not.
/// `python` reads the cells and runs none of them. Returns a report: how many cells were translated, and why
/// the others were not. Throws UsageError if `python` cannot be started or does not answer.
std::string translate_draft(importing::Draft& draft, const std::string& python);

}  // namespace torchbook::cli
