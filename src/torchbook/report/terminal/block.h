// Writes one value of a heatmap in a terminal: a number on its colour, or after its shade.
#pragma once

#include <torchbook/report/colour_scale.h>
#include <torchbook/report/terminal/heatmap.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace torchbook::report {

/// Returns the nearest colour of xterm's 256, without the first 16, which users change.
std::uint8_t palette_colour(const Rgb& colour);

/// Returns a number with its value's colour or shade.
std::string block(std::string_view number, double value, const ColourScale& scale, ColourDepth depth);

/// Returns the columns of a block whose number takes `number_width` columns.
std::size_t block_width(std::size_t number_width, ColourDepth depth);

/// Returns one character in the value's colour or shade.
std::string swatch(double value, const ColourScale& scale, ColourDepth depth);

}  // namespace torchbook::report
