// Runs a notebook that is imported.
#pragma once

#include <torchbook/cli/commands/import/carried_run.h>
#include <torchbook/cli/commands/import/import.h>
#include <torchbook/importing/draft.h>

namespace torchbook::cli {

/// What a run of the notebook's Python gave.
struct NotebookRun {
  std::shared_ptr<const CarriedRun> carried{};  ///< what it left in its names; nullptr if it was not run
  std::string stored{};                         ///< how it repeats the stored outputs, in lines
};

/// Runs the Python of a notebook under PyTorch if `--run` asks for that, and takes its outputs in place of
/// stored ones. Throws UsageError if there is no PyTorch, or no answer in time.
NotebookRun run_notebook_if_asked(importing::Draft& draft, const ImportOptions& options);

}  // namespace torchbook::cli
