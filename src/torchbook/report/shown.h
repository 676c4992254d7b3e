// Selects the parts of a run that a report shows: the sources of a cell, and the items.
#pragma once

#include <torchbook/golden/judge.h>

#include <variant>
#include <vector>

namespace torchbook::report {

/// The sources of a cell that a report shows.
enum class Sources {
  none,
  cpp,     ///< the port's source
  python,  ///< the source of its PyTorch twin
  both,
};

inline bool shows_cpp(Sources sources) { return sources == Sources::cpp || sources == Sources::both; }
inline bool shows_python(Sources sources) { return sources == Sources::python || sources == Sources::both; }

/// A cell, a note or restored state of a transcript.
using Item = std::variant<notebook::Cell, notebook::Note, notebook::Restored>;

/// Returns the judged cells in document order, up to and including the first item that threw. If
/// every cell was selected, the notes and restored states are included. The items live as long as
/// `judged`.
std::vector<const Item*> shown_items(const golden::JudgedTranscript& judged);
std::vector<const Item*> shown_items(const golden::JudgedTranscript&& judged) = delete;

}  // namespace torchbook::report
