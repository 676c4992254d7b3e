// Tensors as pictures.
#pragma once

#include <torchbook/notebook/recorded_tensor.h>

#include <optional>
#include <string>

namespace torchbook::report {

/// A picture, and the words for those who do not see it.
struct PngPicture {
  std::string png;          ///< the bytes of a PNG file; the same tensor gives the same bytes
  std::string description;  ///< one line: shape, dtype, and which colours stand for which numbers
};

/// A heatmap: a square for each element, in the colours of ColourScale. A tensor of one dimension is a row;
/// one of three dimensions is a tile for each index of the first. Squares are as large as fits, up to 24
/// pixels in a picture of at most 768 each way. nullopt for a tensor of other dimensions, of fewer than two
/// elements, without real numbers, or with too many for such a picture.
std::optional<PngPicture> heatmap(const notebook::RecordedTensor& tensor);

}  // namespace torchbook::report
