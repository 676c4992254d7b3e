// The live comparison: the ports under this LibTorch, their twins under a PyTorch.
#pragma once

#include <torchbook/cli/options.h>
#include <torchbook/golden/recording.h>
#include <torchbook/golden/verdict.h>
#include <torchbook/notebook/ported_notebook.h>

#include <string>
#include <vector>

namespace torchbook::cli {

/// Ports, judged by what PyTorch gave for their twins.
struct Comparison {
  std::vector<golden::JudgedTranscript> judged;
  std::vector<golden::Recording> recordings;  ///< what they were judged by, in the same order
  std::vector<std::string> errors;  ///< what cells of twins raised; their twins are not judged from there on
};

/// Runs the notebooks and, beside them, all their twins in one Python; or takes the twins' outputs from
/// recordings where the options say so. Throws UsageError where there is no twin, no PyTorch, or none that
/// answers.
Comparison compare(const std::vector<notebook::PortedNotebook>& notebooks, const Options& options);

}  // namespace torchbook::cli
