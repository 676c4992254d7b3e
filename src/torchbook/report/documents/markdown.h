// Writes the report as GitHub Flavored Markdown.
#pragma once

#include <torchbook/golden/verdict.h>
#include <torchbook/report/shown.h>

#include <span>
#include <string>
#include <string_view>

namespace torchbook::report {

/// Returns several runs in one document. Each has a heading, its notes as paragraphs, and its cells
/// with their sources and outputs in fences.
std::string markdown_report(std::span<const golden::JudgedTranscript> judged, Sources sources);

/// Returns plain text as a paragraph. Code between backticks stays markup, everything else is
/// escaped. Line breaks become spaces.
std::string markdown_paragraph(std::string_view text);

/// Returns a text, pictured(), in a fence that the text cannot close.
std::string markdown_fence(std::string_view text, std::string_view language);

/// Returns the origin and the counts of a run, for the start of a document.
std::string markdown_origin(const golden::JudgedTranscript& judged);

/// Returns a paragraph on why a run could not be judged, or an empty string if it was judged.
std::string markdown_failure(const golden::JudgedTranscript& judged);

/// Returns how a cell differs from its golden, and what was expected of it: a sentence, and both
/// sides in a fence. Empty if it does not differ and has no expectation().
std::string markdown_difference(const golden::Judgement& judgement, std::string_view against);

}  // namespace torchbook::report
