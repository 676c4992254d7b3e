// A tensor drawn in a terminal: its numbers on colours, or beside shades of grey.
#pragma once

#include <torchbook/notebook/recorded_tensor.h>

#include <cstddef>
#include <string>

namespace torchbook::report {

/// The colours that a terminal has.
enum class ColourDepth {
  none,        ///< none, or none are wanted: shades ` ░▒▓█`
  palette,     ///< the 256 of xterm
  truecolour,  ///< any
};

/// How heatmaps are drawn.
struct HeatmapStyle {
  std::size_t width = 80;  ///< the columns of a line
  ColourDepth depth = ColourDepth::none;
};

/// The tensor as a heatmap: a heading, its matrix (for rank 3 a matrix a slice, for rank 1 a row) and a
/// legend with its lowest and its highest value. All its slices share one ColourScale, without colours as
/// shades. What does not fit the width, or is long, is left out in the middle, and the heading says so.
/// Infinities and nan are grey, or dots. Empty for tensors of other ranks, without elements or without real
/// numbers.
std::string heatmap_text(const notebook::RecordedTensor& tensor, const HeatmapStyle& style);

}  // namespace torchbook::report
