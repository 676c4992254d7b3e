// Finds the notebooks that a command line names.
#pragma once

#include <torchbook/notebook/ported_notebook.h>

#include <string>
#include <vector>

namespace torchbook::cli {

/// Returns the notebooks with these slugs, in the order of their documents, or all notebooks if there are no
/// slugs. The beginning of a slug is enough if no other slug has it. Throws UsageError if no linked notebook
/// has a slug, or if several begin with it.
std::vector<notebook::PortedNotebook> selected_notebooks(const std::vector<std::string>& slugs);

}  // namespace torchbook::cli
