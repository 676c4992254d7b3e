// Golden files: what a document prints, cell by cell, as readable text.
#pragma once

#include <torchbook/notebook/recorded_tensor.h>

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::golden {

/// What the document shows of one cell.
struct GoldenCell {
  std::size_t position = 0;           ///< 1, 2, 3 … in document order
  std::string label;                  ///< the number in `In [n]`, or `None`
  std::string out;                    ///< what it printed, each line with its newline
  std::optional<std::string> result;  ///< what it displayed, without a last newline
  /// The bits of the tensors that it printed or displayed, in that order; nullopt where they are not known. A
  /// golden file holds none.
  std::optional<std::vector<notebook::RecordedTensor>> tensors{};
  /// What the twin's cell raised, with file and line. A golden file holds none.
  std::optional<std::string> error{};
  bool ran = true;       ///< false if the twin ended before this cell, so that nothing is known of it
  std::size_t line = 0;  ///< of its heading in the golden file, from 1; 0 without a file

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

/// A golden that cannot be read; what() is one line that names the line and what would be right.
struct GoldenError : std::runtime_error {
  using std::runtime_error::runtime_error;
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
/// Throws GoldenError where the text is empty, torn or anything else than that.
Golden parse_golden(std::string_view text);

}  // namespace torchbook::golden
