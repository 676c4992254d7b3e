// Compares the ports under this LibTorch with their twins under a PyTorch.
#pragma once

#include <torchbook/cli/cell_selection.h>
#include <torchbook/cli/options.h>
#include <torchbook/golden/verdict.h>

#include <vector>

namespace torchbook::cli {

/// Runs the notebooks and judges them by their twins. All twins run in one Python, at the same time as the
/// ports. If the options say so, recordings replace the twins. A notebook whose twin or recording is missing
/// or broken is not judged, and its `failure` says why. Throws UsageError if there is no PyTorch, or if it
/// gives no recording at all.
std::vector<golden::JudgedTranscript> compare(const std::vector<SelectedNotebook>& notebooks,
                                              const Options& options);

}  // namespace torchbook::cli
