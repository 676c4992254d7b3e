// Reports for people: the transcript, the verdicts, the differences.
#pragma once

#include <torchbook/golden/verdict.h>
#include <torchbook/report/terminal/heatmap.h>
#include <torchbook/report/terminal/source_text.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::report {

/// How a report for people looks.
struct TerminalStyle {
  Sources source = Sources::cpp;          ///< which text of each cell to show
  bool colour = false;                    ///< ANSI colours, and the texts highlighted
  std::size_t side_by_side = 0;           ///< in so many columns, if they suffice, a cell beside its twin
  std::optional<HeatmapStyle> heatmap{};  ///< draw the tensors that were printed or displayed
  golden::Accept accept = golden::Accept::equal;  ///< what passes: it is not explained
};

/// What a reader sees of a cell, with the notes and the restored state before it.
struct CellText {
  const notebook::Cell* cell = nullptr;  ///< none where a restored state threw before the first cell
  std::string text;
};

/// Each selected cell that ran, as the transcript shows it. What follows the last one belongs to it. They
/// live as long as `judged`.
std::vector<CellText> cell_texts(const golden::JudgedTranscript& judged, const TerminalStyle& style);

/// The run as a reader sees it: for each selected cell `In [label]:`, its source, what it printed and what it
/// displays; notes and restored state between them where every cell is selected.
std::string transcript_text(const golden::JudgedTranscript& judged, const TerminalStyle& style);

/// A line for each selected cell: position, label, verdict, and of those that are not equal brief().
std::string verdict_text(const golden::JudgedTranscript& judged, const TerminalStyle& style);

/// For each cell that does not pass its details(), and the command that runs it again: `command` followed by
/// `--cell @POSITION`. Empty where every cell passes.
std::string difference_text(const golden::JudgedTranscript& judged, std::string_view command,
                            const TerminalStyle& style);

/// The notebook's cells, a line each: position, label, and the first line of the source.
std::string outline_text(const notebook::Transcript& outline);

}  // namespace torchbook::report
