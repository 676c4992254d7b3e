// Runs a notebook that is imported.
#pragma once

#include <torchbook/cli/options.h>
#include <torchbook/importing/draft.h>

namespace torchbook::cli {

/// Runs the Python of a notebook under PyTorch if `--run` asks for that, and takes its outputs if the
/// notebook stores none. Throws UsageError if there is no PyTorch, no answer in time, or an option that only
/// `--run` needs.
void run_notebook_if_asked(importing::Draft& draft, const Options& options);

}  // namespace torchbook::cli
