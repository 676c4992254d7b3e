// Finds the recorded tensors of a cell in the texts that show them.
#pragma once

#include <torchbook/golden/printed.h>
#include <torchbook/notebook/transcript.h>

#include <cstddef>
#include <string_view>
#include <vector>

namespace torchbook::golden {

/// A recorded tensor and its place in the text that shows it.
struct ShownTensor {
  std::string_view where;    ///< `stdout` or `result`
  std::size_t recorded = 0;  ///< its index in notebook::Cell::tensors
  std::size_t number = 0;    ///< the number of the printed tensor in that text: 1, 2, 3 …
  std::vector<PrintedElement> elements{};
};

/// Returns the recorded tensors that the cell's texts show as tensors, in the order of recording. Each is
/// matched with the next printed tensor of stdout that has its shape and shows its elements, rounded to the
/// printed place, or otherwise with one of the result. The digits decide, so it works for any dtype and size.
/// A tensor that is formatted as a plain number is not returned.
std::vector<ShownTensor> shown_tensors(const notebook::Cell& cell);

}  // namespace torchbook::golden
