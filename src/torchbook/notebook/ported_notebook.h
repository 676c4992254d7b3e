// A ported notebook as it is built into a program: its function, the table of its cells and its golden.
#pragma once

#include <torchbook/notebook/cells/table.h>

#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace torchbook::notebook {

// Declared here because their headers include LibTorch: without it, the sources that the build
// generates compile fast.
class Notebook;
class RunTrace;
struct Transcript;

/// The outputs of one release of PyTorch: a golden with the exceptions from it, a recording, or both.
struct ReleaseReference {
  std::string_view release{};      ///< `2.6`, of `<slug>.2.6.golden`
  std::string_view golden_file{};  ///< empty if there is none
  std::string_view golden{};
  std::string_view exceptions_file{};  ///< `<slug>.2.6.exceptions`; empty if there is none
  std::string_view exceptions{};
  std::string_view recording_file{};  ///< `<slug>.2.6.json`; empty if there is none
  std::string_view recording{};
};

/// One `<slug>.cpp`, with what the build found beside it. Files are named without their folders.
struct PortedNotebook {
  std::string_view slug;
  std::string_view document;            ///< the name of the file that holds the original
  void (*define)(Notebook&);            ///< the notebook itself
  std::string_view port_file{};         ///< `<slug>.cpp`
  std::span<const TableEntry> table{};  ///< its cells and restored state, in document order
  std::string_view golden_file{};
  std::string_view golden{};           ///< the text of the golden
  std::string_view exceptions_file{};  ///< `<slug>.exceptions` (golden/exceptions.h); empty if there is none
  std::string_view exceptions{};       ///< the text of the exceptions
  std::string_view recording_file{};   ///< what PyTorch gave for the twin (golden/recording.h), or empty
  std::string_view recording{};        ///< the text of the recording
  std::span<const ReleaseReference> releases{};  ///< the outputs of single releases
  std::string_view questions_file{};  ///< `<slug>.questions`, for the pages; empty if there is none
  std::string_view questions{};       ///< the text of the questions
  std::string_view twin_file{};       ///< `<slug>.py`, its PyTorch counterpart; empty if it has none
  std::string_view carried_file{};    ///< the path of `<slug>.carried` (carried.h); empty if there is none
};

/// Returns the notebooks linked into this program, in the order of their documents. The build defines it.
std::span<const PortedNotebook> linked_notebooks();

/// Returns the name of this program. The build defines it.
std::string_view program_name();

/// Returns the folder of torchbook's own programs, such as torchbook-import, if this program is one of
/// another project; otherwise an empty text. The build defines it.
std::string_view torchbook_programs();

/// Returns the notebook's cells without running them. Does not call LibTorch.
Transcript outline(const PortedNotebook& notebook);

/// Runs the notebook from a fresh state: it sees nothing of what ran before. With `positions`, only those
/// cells are selected: cells before the last of them run silently, cells after it do not run. An error in a
/// cell ends the run and is recorded in the transcript. With a `trace` that this thread records,
/// marks the cells in it and names the tensors that they show (notebook_run.h).
Transcript run(const PortedNotebook& notebook,
               const std::optional<std::set<std::size_t>>& positions = std::nullopt,
               RunTrace* trace = nullptr);

/// Runs the whole notebook, and records its operations (Transcript::trace) with the library in a
/// file (run_trace.h). Of each cell, the first 10,000 operations are recorded. Throws
/// std::runtime_error if the library cannot be loaded.
Transcript run_traced(const PortedNotebook& notebook, const std::string& library);

}  // namespace torchbook::notebook
