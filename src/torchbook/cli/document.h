// Reports to be kept and opened elsewhere: Jupyter notebooks and Markdown.
#pragma once

#include <torchbook/cli/options.h>
#include <torchbook/golden/verdict.h>
#include <torchbook/notebook/ported_notebook.h>

#include <string>
#include <vector>

namespace torchbook::cli {

/// A report with the file that it is for, an empty path for stdout.
struct ReportFile {
  std::string path;
  std::string text;
};

/// Throws UsageError, saying what would be right, where the options ask for a document that cannot be made of
/// these notebooks.
void check_document_options(const Options& options, const std::vector<notebook::PortedNotebook>& notebooks);

/// The runs in one Markdown document.
std::string markdown_document(const std::vector<golden::JudgedTranscript>& judged, const Options& options);

/// A Jupyter notebook for each run: one goes to stdout or to the file `--output`; where that is a folder, and
/// where there are several, they go into it as SLUG.ipynb. Makes the folder where it is missing.
std::vector<ReportFile> ipynb_documents(const std::vector<golden::JudgedTranscript>& judged,
                                        const Options& options);

}  // namespace torchbook::cli
