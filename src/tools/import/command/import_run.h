// Runs a notebook during its import.
#pragma once

#include <tools/import/command/carried_run.h>
#include <tools/import/command/import.h>
#include <tools/import/draft.h>

namespace torchbook::cli {

/// The result of running the notebook's Python.
struct NotebookRun {
  std::shared_ptr<const CarriedRun> carried{};  ///< what it left in its names; nullptr if it was not run
  std::string stored{};                         ///< how it repeats the stored outputs, in lines
};

/// If `--run` is given, runs the notebook's Python under PyTorch and replaces the stored outputs.
/// Throws UsageError if there is no PyTorch, or no answer in time.
NotebookRun run_notebook_if_asked(importing::Draft& draft, const ImportOptions& options);

/// Runs the notebook's Python once more, and returns what its cells leave.
RecordedCells run_again(const importing::Draft& draft, const PythonOptions& python);

}  // namespace torchbook::cli
