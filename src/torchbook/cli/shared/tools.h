// Finds and runs the tools: programs beside torchbook that do what the core does not.
#pragma once

#include <torchbook/cli/shared/program.h>
#include <torchbook/cli/system/child.h>

#include <string>
#include <string_view>
#include <vector>

namespace torchbook::cli {

/// A tool, and what brings it.
struct Tool {
  std::string_view name;       ///< its program is `torchbook-NAME`
  bool has_notebooks = false;  ///< every program of several notebooks has one of its own, `PROGRAM-NAME`
};

/// Returns the path of a tool's program: beside this program, among torchbook's own programs, or in
/// PATH. Throws UsageError, which says what brings it, if there is none.
std::string path_of(const Tool& tool, const Program& program);

/// Replaces this program by a tool. `words` are its command and the arguments. Throws UsageError if
/// there is no such program, or if it cannot be started.
[[noreturn]] void run_tool(const Tool& tool, const Program& program, const std::vector<std::string>& words);

/// Runs the tool `part`, whose path_of() is `part`, with `arguments` and stdin. Waits an hour at most, and
/// says so on stderr. Its report is the answer.
Child::Ended run_part(const std::string& part, std::vector<std::string> arguments, const std::string& input);

/// The files with which the tool `part` records: the library, and the module for Python.
struct Recorder {
  std::string library;  ///< libtorchbook_trace.so
  std::string modules;  ///< the folder of torchbook.py
};

/// Returns the files of the recorder. Throws UsageError, which says what brings them, if there are none.
Recorder recorder();

}  // namespace torchbook::cli
