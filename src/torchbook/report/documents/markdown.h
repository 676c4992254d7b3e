// The report as Markdown, as GitHub reads it.
#pragma once

#include <torchbook/golden/verdict.h>
#include <torchbook/report/sources.h>

#include <span>
#include <string>
#include <string_view>

namespace torchbook::report {

/// Several runs, one below the other: a heading a notebook, its notes as paragraphs, its cells with their
/// sources and outputs in fences.
std::string markdown_report(std::span<const golden::JudgedTranscript> judged, Sources sources);

/// Plain text as a paragraph in which Markdown finds no markup but the code between two backticks. Line
/// breaks become spaces.
std::string markdown_paragraph(std::string_view text);

/// Text in a fence that nothing in it can end, pictured().
std::string markdown_fence(std::string_view text, std::string_view language);

/// What the first cell of a document says about its run: where it comes from, and the counts.
std::string markdown_origin(const golden::JudgedTranscript& judged);

/// How a cell differs from its golden, a sentence and both sides in a fence; empty where it does not.
std::string markdown_difference(const golden::Judgement& judgement, std::string_view against);

}  // namespace torchbook::report
