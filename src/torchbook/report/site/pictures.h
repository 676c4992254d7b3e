// The tensors of a notebook that a page shows as tables of colours: those of its outputs, and those that its
// products and softmaxes took and gave on the way.
#pragma once

#include <torchbook/golden/verdict.h>
#include <torchbook/report/origin.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace torchbook::report {

/// Such a tensor: of rank 1 to 3, with real numbers, and not too large to be read.
struct Picture {
  bool shown = true;  ///< by the cell; else the cell computed it on the way (Transcript::traced)
  std::string id{};  ///< `t9-1`: the first tensor that the cell at position 9 shows; `u9-1`: that it does not
  std::string name{};   ///< the cell's, or `tensor 2 of In [4]` where that has several
  std::string title{};  ///< what tells it apart in its cell: `tensor 2`, `unshown tensor`, or nothing
  std::size_t position = 0;
  Numbers numbers;
  std::vector<std::string> texts;  ///< the elements as they are printed; else, or of a summary, rounded
  std::vector<std::string> exact;  ///< the elements with all the digits that tell them apart
  bool in_result = false;          ///< in what the cell displayed, not in what it printed
  std::optional<golden::PrintedTensor>
      printed;                   ///< where its elements stand in that text, unless that is a summary
  std::optional<Origin> origin;  ///< its operands are indices into the notebook's pictures
};

/// What a cell is called where it is spoken of: `In [4]`, or `cell 9` where it has no number.
std::string name_of(const notebook::Cell& cell);

/// The pictures of a run, cell by cell, each after those that it can come from. A tensor that is not shown is
/// left out where its cell shows the same, and where a later cell does and nothing before that needs it.
std::vector<Picture> pictures_of(const golden::JudgedTranscript& judged);

}  // namespace torchbook::report
