// Implements `torchbook import`: makes golden, twin and port out of a Python notebook.
#pragma once

#include <torchbook/cli/exit.h>
#include <torchbook/cli/options.h>

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace torchbook::cli {

/// Adds the options of the command.
void add_import_options(CLI::App& app, Options& options);

/// The result of an import, or of its check.
struct Imported {
  std::string report;          ///< what was taken and what was not
  ExitCode code = exit_equal;  ///< whether the golden is what the notebook holds, if that was asked
  std::vector<std::string>
      said;  ///< lines for stderr: what was added to CMakeLists.txt, or what to add there
};

/// Reads the notebook and writes its files, or compares the golden with it. Throws UsageError if the notebook
/// cannot be read, or a file exists or cannot be written; then no file was made.
Imported import_notebook(const Options& options);

}  // namespace torchbook::cli
