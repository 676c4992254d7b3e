// Finds the notebooks that a command line names.
#pragma once

#include <torchbook/notebook/ported_notebook.h>

#include <string>
#include <vector>

namespace torchbook::cli {

/// Returns the notebooks with these slugs, in document order, or all notebooks if there are no
/// slugs. A unique prefix of a slug is enough. Throws UsageError if a slug is unknown or ambiguous.
std::vector<notebook::PortedNotebook> selected_notebooks(const std::vector<std::string>& slugs);

}  // namespace torchbook::cli
