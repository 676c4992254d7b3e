// Converts runs to Jupyter notebooks.
#pragma once

#include <torchbook/cli/shared/options.h>
#include <torchbook/cli/shared/program.h>
#include <torchbook/cli/shared/selection.h>
#include <torchbook/golden/verdict.h>

#include <string>
#include <vector>

namespace torchbook::cli {

/// A report and the path of its file. The path is empty for stdout.
struct ReportFile {
  std::string path;
  std::string text;
};

/// Throws UsageError if the options name a document that cannot be made of these notebooks. The message says
/// what would be right.
void refuse_impossible_ipynb(const ReportOptions& options, const std::vector<SelectedNotebook>& notebooks,
                             const SameCommand& again);

/// Returns a Jupyter notebook for each run. A single one goes to stdout or to the file `--output`. If that is
/// a folder, or if there are several, they go into it as SLUG.ipynb. Makes the folder if it does not exist.
std::vector<ReportFile> ipynb_documents(const std::vector<golden::JudgedTranscript>& judged,
                                        const ReportOptions& options);

}  // namespace torchbook::cli
