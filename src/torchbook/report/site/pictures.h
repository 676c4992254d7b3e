// The tensors of a notebook's outputs that a page shows as tables of colours.
#pragma once

#include <torchbook/notebook/transcript.h>
#include <torchbook/report/origin.h>
#include <torchbook/report/printed_tensors.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::report {

/// Such a tensor: of rank 1 to 3, with real numbers, and not too large to be read.
struct Picture {
  std::string id;    ///< `t9-1`: the first tensor of the cell at position 9
  std::string name;  ///< the cell's, or `tensor 2 of In [4]` where that shows several
  std::size_t position = 0;
  std::size_t number = 0;  ///< 1, 2 … where its cell shows several, else 0
  Numbers numbers;
  std::vector<std::string> texts;        ///< the elements as they are printed; of a summary, rounded
  std::vector<std::string> exact;        ///< the elements with all the digits that tell them apart
  bool in_result = false;                ///< in what the cell displayed, not in what it printed
  std::optional<PrintedTensor> printed;  ///< where its elements stand in that text, unless that is a summary
  std::optional<Origin> origin;          ///< its operands are indices into the notebook's pictures
};

/// What a cell is called where it is spoken of: `In [4]`, or `cell 9` where it has no number.
std::string name_of(const Cell& cell);

/// The pictures of a run, in their order.
std::vector<Picture> pictures(const Transcript& transcript);

/// Cuts the ranges out of the text.
std::vector<std::string> texts_of(std::string_view text, const std::vector<TextRange>& ranges);

}  // namespace torchbook::report
