// One value of a heatmap in a terminal: a number on its colour, or behind its shade.
#pragma once

#include <torchbook/report/colour_scale.h>
#include <torchbook/report/terminal/heatmap.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace torchbook::report {

/// The colour of xterm's 256, above the first 16, which users change, that is nearest.
std::uint8_t palette_colour(const Rgb& colour);

/// A number with its value's colour or shade.
std::string block(std::string_view number, double value, const ColourScale& scale, ColourDepth depth);

/// The columns that a block takes whose number takes so many.
std::size_t block_width(std::size_t number_width, ColourDepth depth);

/// One character of the value's colour or shade.
std::string swatch(double value, const ColourScale& scale, ColourDepth depth);

}  // namespace torchbook::report
