#include <sys/ioctl.h>
#include <torchbook/cli/shared/terminal.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/notebook/parse_integer.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace torchbook::cli {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view{} : value;
}

/// Returns the size that the terminal reports, or else the one in the variable, or else
/// `otherwise`.
std::size_t extent(unsigned short terminal, const char* name, std::size_t otherwise) {
  if (terminal != 0) return terminal;
  const auto number = notebook::parse_integer<std::size_t>(variable(name)).value_or(0);
  return number != 0 ? number : otherwise;
}

report::ColourDepth colour_depth(bool colour) {
  if (!colour) return report::ColourDepth::none;
  const auto colours = variable("COLORTERM");
  return colours == "truecolor" || colours == "24bit" ? report::ColourDepth::truecolour
                                                      : report::ColourDepth::palette;
}

}  // namespace

bool wants_colour(Colour colour, const Output& output) {
  if (colour != Colour::automatic) return colour == Colour::always;
  const bool dumb = std::getenv("TERM") == nullptr || variable("TERM") == "dumb";
  return output.to_stdout() && ::isatty(STDOUT_FILENO) == 1 && !dumb && variable("NO_COLOR").empty();
}

TerminalSize terminal_size() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) size = {};
  return {.columns = extent(size.ws_col, "COLUMNS", 80), .rows = extent(size.ws_row, "LINES", 24)};
}

report::TerminalStyle terminal_style(const ReportOptions& options) {
  report::TerminalStyle style{.source = options.source,
                              .colour = wants_colour(options.colour, options.output)};
  const TerminalSize size = options.output.to_stdout() ? terminal_size() : TerminalSize{};
  if (options.output.to_stdout() && ::isatty(STDOUT_FILENO) == 1) {
    style.side_by_side = size.columns;
    style.columns = std::clamp<std::size_t>(size.columns, 10, style.columns);
  }
  style.accept = options.accept;
  style.times = options.times;
  if (options.heatmap) style.heatmap = {.width = size.columns, .depth = colour_depth(style.colour)};
  return style;
}

void require_terminal_for_steps() {
  if (::isatty(STDIN_FILENO) != 1 || ::isatty(STDOUT_FILENO) != 1) {
    throw UsageError(
        "--step needs a terminal for its keys and its cells; without --step all cells are shown at once");
  }
  const auto terminal = variable("TERM");
  if (terminal.empty() || terminal == "dumb") {
    throw UsageError(
        "--step draws on the terminal, but TERM says that this one cannot; without --step all cells are "
        "shown at once");
  }
}

}  // namespace torchbook::cli
