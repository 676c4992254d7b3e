#include <sys/ioctl.h>
#include <torchbook/cli/shared/terminal.h>
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

constexpr std::size_t default_columns = 80;

/// Returns the width of the terminal of stdout. If that is unknown, the variable COLUMNS decides.
std::size_t terminal_columns() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0) return size.ws_col;
  const auto number = notebook::parse_integer<std::size_t>(variable("COLUMNS")).value_or(0);
  return number != 0 ? number : default_columns;
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

report::TerminalStyle terminal_style(const ReportOptions& options) {
  report::TerminalStyle style{.source = options.source,
                              .colour = wants_colour(options.colour, options.output)};
  const std::size_t columns = options.output.to_stdout() ? terminal_columns() : default_columns;
  if (options.output.to_stdout() && ::isatty(STDOUT_FILENO) == 1) {
    style.side_by_side = columns;
    style.columns = std::clamp<std::size_t>(columns, 10, style.columns);
  }
  style.accept = options.accept;
  style.times = options.times;
  if (options.heatmap) style.heatmap = {.width = columns, .depth = colour_depth(style.colour)};
  return style;
}

}  // namespace torchbook::cli
