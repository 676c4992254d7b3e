// Describes the terminal behind stdout: its size, its colours, and thus the look of transcripts.
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

/// Returns the size of the terminal behind stdout. If there is none, or it does not know its size, the
/// variables COLUMNS and LINES decide, and otherwise it is 80 by 24.
TerminalSize terminal_size();

/// Whether what is written there has colours. Unless `--color` says otherwise, only terminals get them.
bool wants_colour(Colour colour, const Output& output);

/// Returns the look of a transcript at the place where the options send it. Its colours are all if
/// COLORTERM is `truecolor` or `24bit`, otherwise the 256 of xterm.
report::TerminalStyle terminal_style(const ReportOptions& options);

/// Throws UsageError if there is no terminal for `--step`. The message says what to do instead.
void require_terminal_for_steps();

}  // namespace torchbook::cli
