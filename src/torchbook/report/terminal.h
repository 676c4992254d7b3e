// Reports for people: the transcript, the verdicts, the differences.
#pragma once

#include <torchbook/golden/verdict.h>

#include <string>
#include <string_view>

namespace torchbook {

/// How a report for people looks.
struct TerminalStyle {
  bool source = true;   ///< show each cell's C++ text
  bool colour = false;  ///< ANSI colours
};

/// The run as a reader sees it: for each selected cell `In [label]:`, its source, what it printed and what it
/// displays; notes and restored state between them where every cell is selected.
std::string transcript_text(const JudgedTranscript& judged, const TerminalStyle& style);

/// A line for each selected cell: position, label, verdict.
std::string verdict_text(const JudgedTranscript& judged, const TerminalStyle& style);

/// For each cell that differs the first differing line of both texts, and the command that runs this cell
/// again: `command` followed by `--cell @POSITION`. Empty where nothing differs.
std::string difference_text(const JudgedTranscript& judged, std::string_view command,
                            const TerminalStyle& style);

/// The notebook's cells, a line each: position, label, and the first line of the source.
std::string outline_text(const Transcript& outline);

}  // namespace torchbook
