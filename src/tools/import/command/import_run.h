// Runs a notebook during its import.
#pragma once

#include <tools/import/command/carried_run.h>
#include <tools/import/draft.h>
#include <torchbook/cli/shared/options.h>
#include <torchbook/golden/golden.h>

#include <memory>
#include <set>
#include <string>

namespace torchbook::cli {

/// The result of running the notebook's Python.
struct NotebookRun {
  std::shared_ptr<const CarriedRun> carried{};  ///< the values of its names; nullptr if it was not run
  golden::Golden golden{};                      ///< the outputs of its cells
  std::string torch{};                          ///< its release: `PyTorch 1.13.1`
  std::string stored{};                         ///< how its outputs compare with the stored ones, in lines
};

/// Runs the notebook's Python under PyTorch and replaces the stored outputs. Throws UsageError if there is no
/// PyTorch, or no answer in time.
NotebookRun run_notebook(importing::Draft& draft, const PythonOptions& python);

/// Returns the indices of the cells that read a clock, or a name that a line with a clock assigns.
std::set<std::size_t> cells_with_times(const importing::Draft& draft);

/// Runs the notebook's Python once more.
NotebookRun run_again(const importing::Draft& draft, const PythonOptions& python);

}  // namespace torchbook::cli
