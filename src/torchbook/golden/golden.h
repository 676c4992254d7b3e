// Golden files: what a document prints, cell by cell, as readable text.
#pragma once

#include <torchbook/notebook/cells/text_error.h>
#include <torchbook/notebook/recorded_tensor.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::golden {

/// What the document shows of one cell.
struct GoldenCell {
  std::size_t position = 0;           ///< 1, 2, 3 … in document order
  std::string label;                  ///< the number in `In [n]`, or `None`
  std::string out;                    ///< what it printed, byte for byte
  std::optional<std::string> result;  ///< what it displayed, without a last newline
  std::size_t line = 0;               ///< of its heading, from 1; 0 if it was read from no file
  /// The bits of the tensors that it printed or displayed, in that order; nullopt where they are not known. A
  /// golden file holds none.
  std::optional<std::vector<notebook::RecordedTensor>> tensors{};
  /// What the twin's cell raised, with file and line. A golden file holds none.
  std::optional<std::string> error{};
  bool ran = true;  ///< false if the twin ended before this cell, so that nothing is known of it

  bool has_output() const { return !out.empty() || result.has_value(); }
};

/// A document's outputs.
struct Golden {
  std::string slug;      ///< the notebook it belongs to
  std::string document;  ///< the file it was taken from
  std::vector<GoldenCell> cells;
  /// Whether cells must equal its bits, too, where it has any. Otherwise bits only tell by how much a text is
  /// off.
  bool bits_decide = false;
};

/// A golden that cannot be used.
struct GoldenError : notebook::TextError {
  using TextError::TextError;
};

/// Reads a golden file:
///
///     golden of <slug>, from <document>
///
///     @1 In [7]
///     > a line that the cell printed
///     = a line of what it displayed
///
///     end: <n> cells, <m> with output
///
/// A line `\ no newline` behind the printed lines says that the last of them ended without one. Throws
/// GoldenError if the text is empty, torn or anything else than that.
Golden parse_golden(std::string_view text);

/// Throws GoldenError unless the golden belongs to the notebook `slug` and has cells of these labels, in this
/// order.
void require_same_cells(const Golden& golden, std::string_view slug,
                        std::span<const std::string_view> labels);

}  // namespace torchbook::golden
