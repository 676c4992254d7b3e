// Proves the C++ of a notebook cell by cell against Python's run, before a port is written.
#pragma once

#include <tools/import/command/import.h>
#include <tools/import/command/import_run.h>
#include <tools/import/command/translation.h>
#include <tools/import/draft.h>

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace torchbook::cli {

/// The reason of an exception that a second run of Python gives.
inline constexpr std::string_view differing_runs = "two runs of its Python differ";

/// The result of a proof.
struct Proved {
  Translated translated{};             ///< the translation without the cells taken back
  std::string why_not{};               ///< why nothing is proved; empty if the rest of the C++ is proved
  std::set<std::size_t> taken_back{};  ///< the positions of cells whose C++ was wrong
  std::string remark{};                ///< why a second run of Python excuses less; may be empty
};

/// Translates a notebook that has been run, and builds and runs the C++ in the project of `options.into`, or
/// in own_project(). A cell that does not compile, throws, does not end, or ends with other outputs or values
/// than Python's becomes not ported, until nothing differs. Calls `early` before the first build, with the
/// draft translated.
Proved prove(importing::Draft& draft, const NotebookRun& run, const ImportOptions& options,
             const std::function<void(const Translated&)>& early);

}  // namespace torchbook::cli
