// Makes a golden from PyTorch's outputs for a twin.
#pragma once

#include <torchbook/cli/shared/options.h>
#include <torchbook/notebook/ported_notebook.h>

#include <string>
#include <vector>

namespace torchbook::cli {

/// A golden as the text of a file, or why there is none.
struct PythonGolden {
  std::string text;
  std::vector<std::string> raised{};  ///< what the twin raised, cell by cell; if it did, there is no text
};

/// Runs the twin of a notebook under PyTorch and returns its outputs as a golden, which names its
/// source. Throws UsageError if there is no twin or no PyTorch, or if the run is incomplete.
PythonGolden python_golden(const notebook::PortedNotebook& notebook, const PythonOptions& python);

}  // namespace torchbook::cli
