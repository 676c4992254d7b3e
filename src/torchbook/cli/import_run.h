// Runs a notebook that is imported.
#pragma once

#include <torchbook/cli/carried_run.h>
#include <torchbook/cli/options.h>
#include <torchbook/importing/draft.h>

namespace torchbook::cli {

/// What a run of the notebook's Python gave.
struct NotebookRun {
  std::shared_ptr<const CarriedRun> carried{};  ///< what it left in its names; nullptr if it was not run
  std::string stored{};                         ///< how it repeats the stored outputs, in lines
};

/// Runs the Python of a notebook under PyTorch if `--run` asks for that, and takes its outputs in place of
/// stored ones. Throws UsageError if there is no PyTorch, no answer in time, or an option that only `--run`
/// needs.
NotebookRun run_notebook_if_asked(importing::Draft& draft, const Options& options);

}  // namespace torchbook::cli
