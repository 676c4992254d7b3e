// Reports for people: the transcript, the verdicts, the differences.
#pragma once

#include <torchbook/golden/verdict.h>

#include <string>
#include <string_view>

namespace torchbook {

/// How a report for people looks.
struct TerminalStyle {
  bool source = true;             ///< show each cell's C++ text
  bool colour = false;            ///< ANSI colours
  Accept accept = Accept::equal;  ///< what passes: it is not explained
};

/// The run as a reader sees it: for each selected cell `In [label]:`, its source, what it printed and what it
/// displays; notes and restored state between them where every cell is selected.
std::string transcript_text(const JudgedTranscript& judged, const TerminalStyle& style);

/// A line for each selected cell: position, label, verdict, and of those that are not equal brief().
std::string verdict_text(const JudgedTranscript& judged, const TerminalStyle& style);

/// For each cell that does not pass its details(), and the command that runs it again: `command` followed by
/// `--cell @POSITION`. Empty where every cell passes.
std::string difference_text(const JudgedTranscript& judged, std::string_view command,
                            const TerminalStyle& style);

/// The notebook's cells, a line each: position, label, and the first line of the source.
std::string outline_text(const Transcript& outline);

}  // namespace torchbook
