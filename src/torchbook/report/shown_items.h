// What of a run a reader is shown.
#pragma once

#include <torchbook/golden/verdict.h>

#include <variant>
#include <vector>

namespace torchbook::report {

/// A cell, a note or restored state of a transcript.
using Item = std::variant<notebook::Cell, notebook::Note, notebook::Restored>;

/// The judged cells in document order, up to the first thing that threw; where every cell was asked for, the
/// notes and the restored state between them, too. They live as long as `judged`.
std::vector<const Item*> shown_items(const golden::JudgedTranscript& judged);

}  // namespace torchbook::report
