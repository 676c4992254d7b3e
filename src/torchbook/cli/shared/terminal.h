// Describes the terminal of stdout: its width, its colours, and so the style of transcripts.
#pragma once

#include <torchbook/cli/shared/options.h>
#include <torchbook/report/terminal/terminal.h>

namespace torchbook::cli {

/// Returns whether the output is coloured. Unless `--color` says otherwise, only a terminal gets
/// colours.
bool wants_colour(Colour colour, const Output& output);

/// Returns the style of a transcript at its destination. If it is coloured, it uses all colours if
/// COLORTERM is `truecolor` or `24bit`, otherwise the 256 of xterm.
report::TerminalStyle terminal_style(const ReportOptions& options);

}  // namespace torchbook::cli
