// Texts as a terminal shows them: coloured, measured and cut into pages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::report {

/// The escape code of what stands back.
inline constexpr std::string_view faint = "2";

/// The text between an escape code such as `32` and its end; the text alone without `colour`.
std::string coloured(std::string_view text, std::string_view code, bool colour);

/// The columns that a line takes on a terminal: a character each, escape codes none.
std::size_t display_width(std::string_view line);

/// The text cut behind lines, so that each piece fits a screen that breaks lines at its width. A line that
/// alone is too long for the screen is a piece of its own.
std::vector<std::string> pages(std::string_view text, std::size_t width, std::size_t height);

}  // namespace torchbook::report
