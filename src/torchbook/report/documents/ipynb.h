// Writes the report as a Jupyter notebook.
#pragma once

#include <torchbook/golden/judge.h>

#include <string>

namespace torchbook::report {

/// The language of a notebook's code cells.
enum class NotebookLanguage {
  cpp,     ///< the port; the twin's text is in each cell's metadata
  python,  ///< the twin, which Jupyter can run; the port's text is above each cell
};

/// Returns a run as a notebook of nbformat 4.5, with the run's outputs, its notes as Markdown, and the
/// heatmap_text() of each tensor that was printed or displayed. The same run yields the same bytes.
/// docs/running.md describes the format.
std::string ipynb_report(const golden::JudgedTranscript& judged, NotebookLanguage language);

}  // namespace torchbook::report
