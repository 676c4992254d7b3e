// Colours, measures and wraps texts for a terminal, and lays sources out.
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

/// How sources look.
struct SourceStyle {
  Sources shown = Sources::cpp;
  bool colour = false;    ///< the syntax is highlighted with ANSI colours
  std::size_t width = 0;  ///< if both sources fit into so many columns, they are side by side
};

/// Returns the sources of a cell or of a restored state, indented. If both are shown, they have headings.
std::string source_text(std::string_view cpp, std::string_view python, const SourceStyle& style);

}  // namespace torchbook::report
