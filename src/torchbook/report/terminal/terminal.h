// Writes reports for people: the transcript, the verdicts, the differences.
#pragma once

#include <torchbook/golden/judge.h>
#include <torchbook/notebook/fingerprint.h>
#include <torchbook/report/terminal/heatmap.h>
#include <torchbook/report/terminal/text.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::report {

/// How a report for people looks.
struct TerminalStyle {
  Sources source = Sources::cpp;                  ///< the texts of each cell to show
  bool colour = false;                            ///< ANSI colours and highlighted sources
  std::size_t columns = 80;                       ///< the columns of notes
  std::size_t side_by_side = 0;                   ///< a cell is beside its twin if this many columns suffice
  std::optional<HeatmapStyle> heatmap{};          ///< how to draw tensors that were printed or displayed
  golden::Accept accept = golden::Accept::equal;  ///< what passes and is thus not explained
  bool times = false;                             ///< how long each cell took
};

/// Returns the transcript of a run. It shows each selected cell as `In [label]:`, its source, its
/// stdout and its result. If every cell is selected, the notes and restored state are included.
std::string transcript_text(const golden::JudgedTranscript& judged, const TerminalStyle& style);

/// Returns a line for each selected cell: position, label, verdict, and brief() if it is not equal.
std::string verdict_text(const golden::JudgedTranscript& judged, const TerminalStyle& style);

/// Returns the details() of each cell that does not pass, and the command that runs it again:
/// `command` with `--cell @POSITION`. A cell that, by its traces, only follows from what is shown of other
/// cells has one line. The text is empty if every cell passes.
std::string difference_text(const golden::JudgedTranscript& judged, std::string_view command,
                            const TerminalStyle& style);

/// Returns `computed by LibTorch 1.13.1, AVX2, …` for the heading `computed by`, wrapped at spaces
/// to at most 100 columns.
std::string fingerprint_lines(std::string_view heading, const notebook::Fingerprint& fingerprint);

/// Returns a line for each cell of the notebook: position, label, and the first line of the source.
std::string outline_text(const notebook::Transcript& outline);

}  // namespace torchbook::report
