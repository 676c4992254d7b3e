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

/// Returns the tensor as a heatmap: a heading, its matrix and a legend with its lowest and highest
/// values. A tensor of rank 3 has a matrix for each slice. A tensor of rank 1 is a row. All slices
/// share one ColourScale, drawn as shades if there are no colours. Infinities and nan are grey, or
/// dots.
///
/// If the tensor is too wide or too long, its middle is omitted and the heading says so. The text
/// is empty for tensors of other ranks, without elements or without real numbers.
std::string heatmap_text(const notebook::RecordedTensor& tensor, const HeatmapStyle& style);

/// Returns the nearest of xterm's 256 colours, except the first 16, which users may redefine.
std::uint8_t palette_colour(const Rgb& colour);

}  // namespace torchbook::report
