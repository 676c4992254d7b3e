// Writes the report as Markdown, as GitHub reads it.
#pragma once

#include <torchbook/golden/verdict.h>
#include <torchbook/report/shown.h>

#include <span>
#include <string>
#include <string_view>

namespace torchbook::report {

/// Returns several runs, one below the other: a heading for each notebook, its notes as paragraphs, its cells
/// with their sources and outputs in fences.
std::string markdown_report(std::span<const golden::JudgedTranscript> judged, Sources sources);

/// Returns plain text as a paragraph in which only code between two backticks is markup. Line breaks become
/// spaces.
std::string markdown_paragraph(std::string_view text);

/// Returns a text, pictured(), in a fence that nothing in the text can end.
std::string markdown_fence(std::string_view text, std::string_view language);

/// Returns what the first cell of a document says about its run: its origin, and the counts.
std::string markdown_origin(const golden::JudgedTranscript& judged);

/// Returns a paragraph on why a run could not be judged, or an empty string if it was judged.
std::string markdown_failure(const golden::JudgedTranscript& judged);

/// Returns how a cell differs from its golden, and what was known of it beforehand: a sentence, and both
/// sides in a fence. Empty if it does not differ and nothing was known.
std::string markdown_difference(const golden::Judgement& judgement, std::string_view against);

}  // namespace torchbook::report
