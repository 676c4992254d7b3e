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
  PrintedTensor printed{};
};

/// Returns whether `printed`, a piece of `text`, shows the recorded tensor as a whole: its shape, and every
/// element rounded to the printed place. The digits decide, so it works for any dtype and size.
bool shows(std::string_view text, const PrintedTensor& printed, const notebook::RecordedTensor& recorded);

/// Returns the recorded tensors that the cell's texts show as a whole, in the order of recording. Each is
/// matched with the next printed tensor of stdout that shows it, or otherwise of the result. A tensor that is
/// printed as a summary, or formatted as a plain number, is not returned.
std::vector<ShownTensor> shown_tensors(const notebook::Cell& cell);

}  // namespace torchbook::golden
