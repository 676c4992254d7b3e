// What of a run a report shows: which sources of a cell, and which items.
#pragma once

#include <torchbook/golden/verdict.h>

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

/// Returns the judged cells in document order, up to the first item that threw. If every cell was selected,
/// it also returns the notes and the restored state between them. The items live as long as `judged`.
std::vector<const Item*> shown_items(const golden::JudgedTranscript& judged);
std::vector<const Item*> shown_items(const golden::JudgedTranscript&& judged) = delete;

}  // namespace torchbook::report
