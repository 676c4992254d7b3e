// Selects the tensors that a page shows as tables of colours: those of a notebook's outputs, and the operands
// and results of its products and softmaxes.
#pragma once

#include <torchbook/golden/verdict.h>
#include <torchbook/report/origin.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace torchbook::report {

/// A tensor that a page shows. It has rank 1 to 3, real numbers, and few enough elements to be read.
struct Picture {
  bool shown = true;  ///< whether the cell showed it; otherwise it was traced (Transcript::traced)
  std::string id{};   ///< `t9-1`: the first tensor that the cell at position 9 shows; `u9-1`: its first other
  std::string name{};   ///< the cell's name, or `tensor 2 of In [4]` if the cell has several
  std::string title{};  ///< `tensor 2`, `unshown tensor`; empty if the cell shows only this one
  std::size_t position = 0;
  Numbers numbers;
  std::vector<std::string> texts;  ///< the elements as printed; rounded if not all of them are printed
  std::vector<std::string> exact;  ///< the elements with all digits that tell them apart
  bool in_result = false;          ///< whether the cell displayed it, not printed it
  std::optional<golden::PrintedTensor>
      printed;                   ///< where its elements stand in that text, unless that is a summary
  std::optional<Origin> origin;  ///< its operands are indices into the notebook's pictures
};

/// Returns the name of a cell: `In [4]`, or `cell 9` if it has no number.
std::string name_of(const notebook::Cell& cell);

/// Returns the pictures of a run, sorted by cell. Each follows those from which it can be computed. An
/// unshown tensor is left out if its cell also shows it. It is also left out if a later cell shows it, unless
/// a picture before that one is computed from it.
std::vector<Picture> pictures_of(const golden::JudgedTranscript& judged);

}  // namespace torchbook::report
