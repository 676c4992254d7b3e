// Finds the notebooks and the cells that a command line names.
#pragma once

#include <torchbook/notebook/ported_notebook.h>
#include <torchbook/notebook/transcript.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace torchbook::cli {

/// Returns the notebooks with these slugs, in the order of their documents, or all notebooks if there are no
/// slugs. Throws UsageError if no linked notebook has a slug.
std::vector<notebook::PortedNotebook> selected_notebooks(const std::vector<std::string>& slugs);

/// Returns the positions that the `--cell` options name, or nullopt if there are none. Each option is a
/// label, or `@` and a position. Throws UsageError if a cell does not exist or if several cells share a
/// label.
std::optional<std::set<std::size_t>> selected_cells(const std::vector<std::string>& cells,
                                                    const notebook::Transcript& outline);

}  // namespace torchbook::cli
