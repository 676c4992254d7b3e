// Asks the terminal, then the environment.
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/files.h>
#include <torchbook/cli/option_words.h>
#include <torchbook/cli/terminal.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace torchbook::cli {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view{} : value;
}

/// Returns what the terminal says, otherwise what the variable says, otherwise `otherwise`.
std::size_t extent(unsigned short terminal, const char* name, std::size_t otherwise) {
  if (terminal != 0) return terminal;
  const auto text = variable(name);
  std::size_t number = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = end.ec == std::errc{} && end.ptr == text.data() + text.size();
  return whole && number != 0 ? number : otherwise;
}

report::ColourDepth colour_depth(bool colour) {
  if (!colour) return report::ColourDepth::none;
  const auto colours = variable("COLORTERM");
  return colours == "truecolor" || colours == "24bit" ? report::ColourDepth::truecolour
                                                      : report::ColourDepth::palette;
}

/// Returns the option or command that leaves no transcript to show, or an empty string.
std::string no_transcript(const Options& options) {
  switch (options.action) {
    case Action::check:
      return "--check";
    case Action::list:
      return "--list";
    case Action::notebooks:
      return "the command list";
    case Action::compare:
      return "the command compare";
    case Action::site:
      return "the command site";
    case Action::doctor:
      return "the command doctor";
    case Action::run:
      break;
  }
  return options.format == Format::text ? "" : fmt::format("--format {}", option_word(options.format));
}

void refuse_without_transcript(std::string_view option, const Options& options) {
  const auto what = no_transcript(options);
  if (!what.empty()) {
    throw UsageError(fmt::format("{} is for transcripts, so it does not go with {}", option, what));
  }
}

}  // namespace

TerminalSize terminal_size() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) size = {};
  return {.columns = extent(size.ws_col, "COLUMNS", 80), .rows = extent(size.ws_row, "LINES", 24)};
}

report::TerminalStyle terminal_style(const Options& options) {
  report::TerminalStyle style{.source = shown_sources(options),
                              .colour = options.output.empty() && stdout_wants_colour()};
  const TerminalSize size = options.output.empty() ? terminal_size() : TerminalSize{};
  if (options.output.empty() && ::isatty(STDOUT_FILENO) == 1) style.side_by_side = size.columns;
  if (options.heatmap) style.heatmap = {.width = size.columns, .depth = colour_depth(style.colour)};
  return style;
}

void refuse_display_where_it_cannot_be(const Options& options) {
  if (options.heatmap) refuse_without_transcript("--heatmap", options);
  if (!options.step) return;
  refuse_without_transcript("--step", options);
  if (!options.output.empty())
    throw UsageError("--step shows cells on the terminal, so it does not go with --output");
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
