// Colours and measures texts for a terminal, cuts them into pages, and lays sources out.
#pragma once

#include <torchbook/report/shown.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::report {

/// The escape code of unimportant text.
inline constexpr std::string_view faint = "2";

/// Returns the text with an escape code such as `32` around it, or unchanged if `colour` is false.
std::string coloured(std::string_view text, std::string_view code, bool colour);

/// Returns the columns of a line on a terminal: one for each character, none for escape codes.
std::size_t display_width(std::string_view line);

/// Wraps a line at spaces to at most `width` columns. Only a longer word exceeds the width.
std::vector<std::string_view> wrapped(std::string_view line, std::size_t width);

/// Wraps lines with wrapped(), and splits the text into pages that fit a screen. A word that is too
/// long for the screen gets its own page.
std::vector<std::string> pages(std::string_view text, std::size_t width, std::size_t height);

/// How sources look.
struct SourceStyle {
  Sources shown = Sources::cpp;
  bool colour = false;    ///< the syntax is highlighted with ANSI colours
  std::size_t width = 0;  ///< if both sources fit into so many columns, they are side by side
};

/// Returns the sources of a cell or of a restored state, indented. If both are shown, they have headings.
std::string source_text(std::string_view cpp, std::string_view python, const SourceStyle& style);

}  // namespace torchbook::report
