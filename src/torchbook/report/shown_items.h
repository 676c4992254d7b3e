// Selects the parts of a run that a reader is shown.
#pragma once

#include <torchbook/golden/verdict.h>

#include <variant>
#include <vector>

namespace torchbook::report {

/// A cell, a note or restored state of a transcript.
using Item = std::variant<notebook::Cell, notebook::Note, notebook::Restored>;

/// Returns the judged cells in document order, up to the first item that threw. If every cell was selected,
/// it also returns the notes and the restored state between them. The items live as long as `judged`.
std::vector<const Item*> shown_items(const golden::JudgedTranscript& judged);
std::vector<const Item*> shown_items(const golden::JudgedTranscript&& judged) = delete;

}  // namespace torchbook::report
