// The terminal behind stdout: its size, its colours, and so how transcripts look on it.
#pragma once

#include <torchbook/cli/options.h>
#include <torchbook/report/terminal/terminal.h>

#include <cstddef>

namespace torchbook::cli {

/// A terminal's size in characters.
struct TerminalSize {
  std::size_t columns = 80;
  std::size_t rows = 24;
};

/// The size of the terminal behind stdout; where there is none, or it does not know, by the variables COLUMNS
/// and LINES, else 80 by 24.
TerminalSize terminal_size();

/// The sources that `--source` asks for.
report::Sources shown_sources(const Options& options);

/// How a transcript looks where the options send it. Colours are for terminals only: any where COLORTERM is
/// `truecolor` or `24bit`, else the 256 of xterm.
report::TerminalStyle terminal_style(const Options& options);

/// Throws UsageError, saying what to do instead, where `--step` or `--heatmap` have no transcript to show, or
/// `--step` no terminal.
void refuse_display_where_it_cannot_be(const Options& options);

}  // namespace torchbook::cli
