// The report as Markdown, as GitHub reads it.
#pragma once

#include <torchbook/golden/verdict.h>

#include <span>
#include <string>
#include <string_view>

namespace torchbook::report {

/// Which sources a Markdown report shows.
struct MarkdownStyle {
  bool cpp = true;     ///< each cell's C++ text
  bool python = true;  ///< its PyTorch counterpart
};

/// Several runs, one below the other: a heading a notebook, its notes as paragraphs, its cells with their
/// sources and outputs in fences.
std::string markdown_report(std::span<const golden::JudgedTranscript> judged, const MarkdownStyle& style);

/// Plain text as a paragraph in which Markdown finds no markup but the code between two backticks. Line
/// breaks become spaces.
std::string markdown_paragraph(std::string_view text);

/// Text in a fence that nothing in it can end. Control characters become the pictures that Unicode has for
/// them, and bytes that are no UTF-8 become U+FFFD: Markdown cannot hold them.
std::string markdown_fence(std::string_view text, std::string_view language);

/// What the first cell of a document says about its run: where it comes from, and the counts.
std::string markdown_origin(const golden::JudgedTranscript& judged);

/// Why a run could not be judged, as a paragraph; empty if it was judged.
std::string markdown_failure(const golden::JudgedTranscript& judged);

/// Where a cell first differs from its golden, as a paragraph; empty where it does not.
std::string markdown_difference(const golden::Judgement& judgement);

}  // namespace torchbook::report
