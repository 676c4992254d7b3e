// Implements `torchbook import`: makes golden, twin and port out of a Python notebook.
#pragma once

#include <torchbook/cli/carried_run.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/options.h>
#include <torchbook/cli/port_build.h>
#include <torchbook/importing/draft.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace torchbook::cli {

/// Adds the options of the command.
void add_import_options(CLI::App& app, Options& options);

/// A port that was written into a project, and is still to be built and checked.
struct ImportedPort {
  Project project;
  importing::Draft draft;
  std::string file{};                       ///< that of the port
  std::string python{};                     ///< which reads the cells
  std::shared_ptr<const CarriedRun> run{};  ///< what they left; nullptr if they were not run
  bool is_new = false;                      ///< whether nobody can have changed its C++ yet
  std::string left{};                       ///< why cells were not translated, a line each below a heading
};

/// The result of an import, or of its check.
struct Imported {
  std::string report;             ///< what was taken and what was not
  ExitCode code = exit_equal;     ///< whether what was compared is equal
  std::vector<std::string> said;  ///< lines for stderr: what was added to CMakeLists.txt, what is missing
  std::optional<ImportedPort> port{};  ///< what judge_port() is to judge
};

/// Reads the notebook and writes its files, or compares the golden with it. Throws UsageError if the notebook
/// cannot be read, or a file exists or cannot be written; then no file was made.
Imported import_notebook(const Options& options);

/// Builds and checks the port of an import. Returns a line for each cell that is not equal, and a summary. If
/// the port cannot be built, the report has the cells that are not translated. `seconds` limits its run. The
/// translation of a cell that does not compile or throws is taken back, and the rest is built again.
Imported judge_port(ImportedPort port, int seconds);

}  // namespace torchbook::cli
