// Selects the tensors that a page shows as tables of colours: those of a notebook's outputs, and the operands
// and results of its products and softmaxes. Finds how each of them was computed. Pages include only this
// file of the folder.
#pragma once

#include <torchbook/golden/judge.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace torchbook::site {

/// The elements of a tensor as numbers.
struct TensorNumbers {
  std::string dtype;
  std::vector<std::int64_t> shape;
  std::vector<double> values;  ///< in row-major order
};

/// One side of a product: a picture, or a row of it.
struct Operand {
  std::size_t tensor = 0;             ///< an index into the pictures
  std::optional<std::int64_t> row{};  ///< the row of a matrix, if only that row takes part

  bool operator==(const Operand&) const = default;
};

/// A piece of a formula: some text, followed by the name of a picture if there is one.
struct FormulaPart {
  std::string text{};
  std::optional<std::size_t> tensor{};

  bool operator==(const FormulaPart&) const = default;
};

/// How a tensor was computed from others.
struct Origin {
  enum class Kind {
    softmax,  ///< softmax of `left` along `dim`
    scaled,   ///< `left` divided by the number `divisor`
    product,  ///< `left @ right`, or `left @ right.mT` if `transposed`; of batches if a side has three dims
    formula,  ///< whatever else `formula` says
  };

  Kind kind = Kind::product;
  Operand left{};
  Operand right{};
  bool transposed = false;
  std::int64_t dim = 0;
  bool by_hand =
      false;  ///< a softmax written as `exp(x) / exp(x).sum(dim)`, so no largest score is taken off
  std::string divisor{};  ///< `2`, or `√24`
  std::vector<FormulaPart> formula{};

  bool operator==(const Origin&) const = default;
};

/// The name of an entry. One of words is that of an element of a tensor of ids.
struct EntryName {
  std::string text{};
  std::optional<std::size_t> ids{};  ///< a value of trace_diff::Flow
  std::size_t index = 0;             ///< of the id in it

  bool operator==(const EntryName&) const = default;
};

/// The names of the entries of a tensor.
struct EntryNames {
  std::vector<std::vector<EntryName>> dims{};  ///< by dimension; empty if it has no names
  EntryName row{};  ///< of the row of which the tensor is a part, as `journey` of `inputs[1]`; may be empty
};

/// A tensor that a page shows. It has rank 1 to 4, real numbers, and few enough elements to be read.
struct Picture {
  bool shown = true;          ///< whether the cell showed it; otherwise it was traced (Transcript::traced)
  bool is_made_here = false;  ///< whether the notebook wrote it out or drew it into a variable
  bool folded = false;        ///< whether a page shows it only if the reader asks for it
  std::string id{};  ///< `t9-1`: the first tensor that the cell at position 9 shows; `u9-1`: its first other
  std::string variable{};  ///< that holds it: `inputs`, or `inputs[0]` for a part; empty if it is not known
  std::string name{};      ///< the variable; the cell's name if it is not known, or `tensor 2 of In [4]`
  std::string
      operation{};  ///< that made it, if the cell did not show it: `matmul`; empty if none of the trace did
  std::string title{};  ///< `inputs`, `tensor 2`, `matmul`; empty if the cell shows only this one
  std::size_t position = 0;
  TensorNumbers numbers;
  std::vector<std::string> texts;       ///< the elements as printed; rounded if not all of them are printed
  std::vector<std::string> exact;       ///< the elements with all digits that distinguish them
  std::optional<std::size_t> traced{};  ///< its value in the trace, a number of trace_diff::Flow
  bool in_result = false;               ///< whether the cell displayed it, not printed it
  std::vector<golden::TextRange> printed{};  ///< where its elements are in that text; empty for a summary
  EntryNames entry_names{};
  std::optional<Origin> origin;  ///< its operands are indices into the notebook's pictures
};

/// Returns the name of a cell: `In [4]`, or `cell 9` if it has no number.
std::string name_of(const notebook::Cell& cell);

/// Returns the pictures of a run, sorted by cell. Each follows its operands. An unshown tensor is
/// left out if its cell also shows it. It is also left out if a later cell shows it, unless it is
/// an operand of an earlier picture.
std::vector<Picture> pictures_of(const golden::JudgedTranscript& judged);

}  // namespace torchbook::site
