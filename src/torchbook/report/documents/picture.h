// Draws tensors as pictures.
#pragma once

#include <torchbook/notebook/recorded_tensor.h>

#include <optional>
#include <string>

namespace torchbook::report {

/// A picture, and its description for readers who do not see it.
struct PngPicture {
  std::string png;          ///< the bytes of a PNG file; the same tensor gives the same bytes
  std::string description;  ///< one line: shape, dtype, and which colours stand for which numbers
};

/// Returns a heatmap: a square for each element, in the colours of ColourScale. A one-dimensional
/// tensor is a row. A three-dimensional tensor has a tile for each index of the first dimension.
/// Squares are as large as possible, up to 24 pixels, in a picture of at most 768 by 768.
///
/// Returns nullopt for a tensor of another rank, with fewer than two elements, without real
/// numbers, or too large for such a picture.
std::optional<PngPicture> heatmap(const notebook::RecordedTensor& tensor);

}  // namespace torchbook::report
