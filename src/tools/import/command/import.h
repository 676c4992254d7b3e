// Makes golden, twin and port out of a Python notebook.
#pragma once

#include <tools/import/command/carried_run.h>
#include <tools/import/command/port_build.h>
#include <tools/import/draft.h>
#include <torchbook/cli/shared/options.h>
#include <torchbook/cli/system/exit.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace torchbook::cli {

/// What `torchbook import` reads, and where it writes.
struct ImportOptions {
  std::string notebook{};  ///< a file
  std::string slug{};      ///< empty: made of the file's name
  std::string into = ".";  ///< a folder
  bool update = false;     ///< whether files that exist may be changed
  bool check = false;      ///< whether to compare the golden, and to write nothing
  bool frame = false;      ///< whether to write no C++ for the cells
  bool run = false;        ///< whether PyTorch runs the notebook
  bool no_build = false;   ///< whether the port is neither built nor checked
  std::string restore{};   ///< a cell, and the state of the generator above it; empty: none
  PythonOptions python{};  ///< which reads the cells, and runs them
};

/// A port that was written into a project but not yet built and checked.
struct ImportedPort {
  Project project;
  importing::Draft draft;
  std::string file{};                       ///< that of the port
  std::string python{};                     ///< which reads the cells
  std::shared_ptr<const CarriedRun> run{};  ///< what they left; nullptr if they were not run
  bool is_new = false;                      ///< whether nobody can have changed its C++ yet
  std::function<RecordedCells()> run_again{};  ///< runs the notebook once more
  std::string left{};                       ///< why cells were not translated, a line each below a heading
};

/// The result of an import, or of its check.
struct Imported {
  std::string report;               ///< what was taken and what was not
  ExitCode code = exit_equal;       ///< whether what was compared is equal
  std::vector<std::string> said{};  ///< lines for stderr: what was added to CMakeLists.txt, what is missing
  std::optional<ImportedPort> port{};  ///< what judge_port() is to judge
};

/// Reads the notebook and writes its files, or compares the golden with it. If the notebook cannot
/// be read, a file exists already, or a file cannot be written, throws UsageError and leaves no new
/// file.
Imported import_notebook(const ImportOptions& options);

/// Builds and checks the port of an import. Reports each cell that is not equal, and a summary. If
/// the port cannot be built, reports the cells that are not translated. `seconds` limits the run.
/// If the C++ of a cell does not compile, throws or does not end, its translation is taken back and
/// the rest is built again.
Imported judge_port(ImportedPort port, int seconds);

}  // namespace torchbook::cli
