// Which notebooks and which cells a command line means.
#pragma once

#include <torchbook/notebook/ported_notebook.h>
#include <torchbook/notebook/transcript.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace torchbook::cli {

/// The notebooks with these slugs, in the order of their documents; every one for none. Throws UsageError for
/// a slug that no linked notebook has.
std::vector<notebook::PortedNotebook> selected_notebooks(const std::vector<std::string>& slugs);

/// The positions that `--cell` options name, nullopt for none. Each is a label or `@` and a position. Throws
/// UsageError for a cell that is not there and for a label that several cells share.
std::optional<std::set<std::size_t>> selected_cells(const std::vector<std::string>& cells,
                                                    const notebook::Transcript& outline);

}  // namespace torchbook::cli
