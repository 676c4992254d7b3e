// Makes golden, twin and port out of a Python notebook.
#pragma once

#include <tools/import/command/port_build.h>
#include <tools/import/draft.h>
#include <torchbook/cli/shared/options.h>
#include <torchbook/cli/system/exit.h>

#include <optional>
#include <string>
#include <vector>

namespace torchbook::cli {

/// What `torchbook import` reads, and where it writes.
struct ImportOptions {
  std::string notebook{};  ///< a file
  std::string slug{};      ///< empty: derived from the file's name
  std::string into = ".";  ///< a folder
  bool own = false;        ///< whether `into` is torchbook's: its files are made anew, CMakeLists.txt stays
  std::string beside{};    ///< a target of torchbook's that is built beside the proof; empty: none
  bool update = false;     ///< whether files that exist may be changed
  bool check = false;      ///< whether to compare the golden, and to write nothing
  bool frame = false;      ///< whether to run nothing, and to write no C++ for the cells
  bool unproved = false;   ///< whether to write the C++ without proof: for the translator's tests
  std::string record{};    ///< the file that gets the record of the run; empty: none
  std::string restore{};   ///< a cell, and the state of the generator above it; empty: none
  PythonOptions python{};  ///< the Python that parses and runs the cells
};

/// A port that was written into a project, and is to be built and checked there.
struct ImportedPort {
  Project project;
  golden::Golden golden;
};

/// The result of an import, or of its check.
struct Imported {
  std::string report;                  ///< what was imported, and what was left out
  ExitCode code = exit_equal;          ///< the exit code of the comparisons
  std::vector<std::string> said{};     ///< lines for stderr: additions to CMakeLists.txt, missing parts
  std::optional<ImportedPort> port{};  ///< the port that judge_port() is to judge
};

/// Reads the notebook and writes its files, or compares the golden with it. If the notebook cannot
/// be read, a file exists already, or a file cannot be written, throws UsageError and leaves no new
/// file.
Imported import_notebook(const ImportOptions& options);

/// Builds and checks the port of an import. Reports each cell that is not equal, and a summary. `seconds`
/// limits the run.
Imported judge_port(const ImportedPort& port, int seconds);

}  // namespace torchbook::cli
