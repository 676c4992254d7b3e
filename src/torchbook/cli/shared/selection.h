// Finds the notebooks that a command line names, and the cells that `--cell` names.
#pragma once

#include <torchbook/notebook/ported_notebook.h>
#include <torchbook/notebook/transcript.h>

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::cli {

/// Returns the notebooks that the words name, in document order. A word is a slug or a part of only one slug.
/// Without words, returns all notebooks. Throws UsageError if a word names none, or may name several.
std::vector<notebook::PortedNotebook> selected_notebooks(const std::vector<std::string>& words);

/// A notebook and its cells that the command line names.
struct SelectedNotebook {
  notebook::PortedNotebook notebook;
  std::optional<std::set<std::size_t>> positions{};  ///< nullopt: every cell
};

/// Returns the notebooks that have the cells in `words`, with the positions of these cells. Without
/// words, returns all notebooks. A word is a list of cells, separated by commas. A cell is
/// `In [26]`, `26`, or its position, `@7`. Two cells joined by `-` are a range in document order. Throws
/// UsageError if no notebook has a cell, or if several have it.
std::vector<SelectedNotebook> select_cells(const std::vector<notebook::PortedNotebook>& notebooks,
                                           const std::vector<std::string>& words);

/// Runs the selected cells of a notebook. If a cell crashed in an earlier process of this command, only the
/// cells before it run, and the crash is its error.
notebook::Transcript run_until_crash(const notebook::PortedNotebook& notebook,
                                     const std::optional<std::set<std::size_t>>& positions,
                                     notebook::RunTrace* trace = nullptr);

/// Throws UsageError if there are several notebooks, because `what` is for one.
void require_one(const std::vector<SelectedNotebook>& selected, std::string_view what);

}  // namespace torchbook::cli
