// Finds the cells that `--cell` names.
#pragma once

#include <torchbook/notebook/ported_notebook.h>

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace torchbook::cli {

/// A notebook and its cells that the command line names.
struct SelectedNotebook {
  notebook::PortedNotebook notebook;
  std::optional<std::set<std::size_t>> positions{};  ///< nullopt: every cell
};

/// Returns the notebooks that have the cells which `words` name, with the positions of these cells; all
/// notebooks if there are no words. A word is a list of cells with commas. A cell is `In [26]`, `[26]`, `In
/// 26`, `26`, or `@7` with its position. Two of them with `-` between are a range in the order of the
/// notebook. Throws UsageError if no notebook has a cell, or if several have it.
std::vector<SelectedNotebook> select_cells(const std::vector<notebook::PortedNotebook>& notebooks,
                                           const std::vector<std::string>& words);

}  // namespace torchbook::cli
