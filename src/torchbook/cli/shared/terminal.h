// Describes the terminal of stdout: its size, its colours, and so the style of transcripts.
#pragma once

#include <torchbook/cli/shared/options.h>
#include <torchbook/report/terminal/terminal.h>

#include <cstddef>

namespace torchbook::cli {

/// The size of a terminal in characters.
struct TerminalSize {
  std::size_t columns = 80;
  std::size_t rows = 24;
};

/// Returns the size of the terminal of stdout. If that is unknown, the variables COLUMNS and LINES
/// decide; the default is 80 by 24.
TerminalSize terminal_size();

/// Returns whether the output is coloured. Unless `--color` says otherwise, only a terminal gets
/// colours.
bool wants_colour(Colour colour, const Output& output);

/// Returns the style of a transcript at its destination. If it is coloured, it uses all colours if
/// COLORTERM is `truecolor` or `24bit`, otherwise the 256 of xterm.
report::TerminalStyle terminal_style(const ReportOptions& options);

/// Throws UsageError if there is no terminal for `--step`. The message says what to do instead.
void require_terminal_for_steps();

}  // namespace torchbook::cli
