// Draws a tensor in a terminal: its numbers on colours, or beside shades of grey.
#pragma once

#include <torchbook/notebook/recorded_tensor.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace torchbook::report {

struct Rgb;

/// The colours that a terminal has.
enum class ColourDepth {
  none,        ///< no colours, or none are wanted: shades ` ░▒▓█`
  palette,     ///< the 256 colours of xterm
  truecolour,  ///< any colour
};

/// How heatmaps are drawn.
struct HeatmapStyle {
  std::size_t width = 80;  ///< the columns of a line
  ColourDepth depth = ColourDepth::none;
};

/// Returns the tensor as a heatmap: a heading, its matrix and a legend with its lowest and its highest value.
/// A tensor of rank 3 has a matrix for each slice, one of rank 1 a row. All slices share one ColourScale,
/// drawn as shades if there are no colours. Infinities and nan are grey, or dots.
///
/// If it does not fit the width or is long, its middle is omitted and the heading says so. The text is empty
/// for tensors of other ranks, without elements or without real numbers.
std::string heatmap_text(const notebook::RecordedTensor& tensor, const HeatmapStyle& style);

/// Returns the nearest colour of xterm's 256, without the first 16, which users change.
std::uint8_t palette_colour(const Rgb& colour);

}  // namespace torchbook::report
