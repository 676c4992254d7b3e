// Finds the notebooks that a command line names.
#pragma once

#include <torchbook/notebook/ported_notebook.h>

#include <string>
#include <vector>

namespace torchbook::cli {

/// Returns the notebooks that the words name, in document order. A word is a slug, a part of only one slug,
/// or a suite. Without words, returns all notebooks that belong to no suite. Throws UsageError if a word
/// names none, or may name several.
std::vector<notebook::PortedNotebook> selected_notebooks(const std::vector<std::string>& words);

}  // namespace torchbook::cli
