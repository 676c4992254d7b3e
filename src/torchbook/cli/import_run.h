// Runs a notebook that is imported.
#pragma once

#include <torchbook/cli/options.h>
#include <torchbook/importing/draft.h>

#include <string>

namespace torchbook::cli {

/// Runs the Python of a notebook under PyTorch and takes its outputs if the notebook stores none. Throws
/// UsageError if there is no PyTorch, or no answer in time.
void run_notebook(importing::Draft& draft, const CompareOptions& how);

}  // namespace torchbook::cli
