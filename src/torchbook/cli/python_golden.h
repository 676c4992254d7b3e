// Makes a golden of what PyTorch gives for a twin.
#pragma once

#include <torchbook/cli/options.h>
#include <torchbook/cli/twins.h>
#include <torchbook/golden/recording.h>
#include <torchbook/notebook/ported_notebook.h>

#include <string>
#include <vector>

namespace torchbook::cli {

/// A golden as the text of a file, or why there is none.
struct PythonGolden {
  std::string text;
  std::vector<std::string> raised{};  ///< what the twin raised, cell by cell; if it did, there is no text
};

/// Runs a twin under PyTorch, also behind a cell that raised, and returns what it gives. Throws UsageError if
/// there is no PyTorch, or no answer in time.
golden::Recording run_twin(const std::string& slug, const Twin& twin, const CompareOptions& how);

/// Runs the twin of a notebook under PyTorch and returns what it gives as a golden, which says where it is
/// from. Throws UsageError if there is no twin, no PyTorch, or no whole run.
PythonGolden python_golden(const notebook::PortedNotebook& notebook, const CompareOptions& how);

}  // namespace torchbook::cli
