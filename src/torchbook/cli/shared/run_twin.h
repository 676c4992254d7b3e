// Runs one twin under PyTorch.
#pragma once

#include <torchbook/cli/shared/options.h>
#include <torchbook/cli/shared/twins.h>
#include <torchbook/golden/recording.h>

#include <string>

namespace torchbook::cli {

/// Runs a twin under PyTorch and returns its recording. A cell that raises does not end the run.
/// Throws UsageError if there is no PyTorch, or no answer in time.
golden::Recording run_twin(const std::string& slug, const Twin& twin, const PythonOptions& python);

}  // namespace torchbook::cli
