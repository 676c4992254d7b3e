// The tensors of a cell, found in the texts that show them.
#pragma once

#include <torchbook/golden/printed.h>
#include <torchbook/notebook/transcript.h>

#include <cstddef>
#include <string_view>
#include <vector>

namespace torchbook::golden {

/// A recorded tensor in the text that shows it.
struct ShownTensor {
  std::string_view where;    ///< `stdout` or `result`
  std::size_t recorded = 0;  ///< which one it is, as an index into notebook::Cell::tensors
  std::size_t number = 0;    ///< which printed tensor of that text: 1, 2, 3 …
  PrintedTensor printed{};
};

/// Whether the printed tensor, a piece of `text`, shows the recorded one whole: its shape, and of each
/// element the value, rounded to the printed place. Decided on digits, so of any dtype and size.
bool shows(std::string_view text, const PrintedTensor& printed, const notebook::RecordedTensor& recorded);

/// Returns the recorded tensors that the cell's texts show whole, in the order of recording. Each is the next
/// in stdout, or otherwise in the result, that shows it. One that is printed as a summary, or formatted as a
/// plain number, is not among them.
std::vector<ShownTensor> shown_tensors(const notebook::Cell& cell);

}  // namespace torchbook::golden
