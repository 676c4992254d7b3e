// Reads and writes golden files, which hold the outputs of a document as readable text.
#pragma once

#include <torchbook/golden/exceptions.h>
#include <torchbook/notebook/cells/text_error.h>
#include <torchbook/notebook/recorded_tensor.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::golden {

/// The shape of a tensor that a statement in a twin's cell assigned to a name.
struct AssignedShape {
  int line = 0;    ///< of the statement in the cell, from 1
  int column = 0;  ///< of its first character, in bytes from 0
  std::string name{};
  std::vector<std::int64_t> shape{};
};

/// The outputs that one cell is compared with.
struct GoldenCell {
  std::size_t position = 0;           ///< 1, 2, 3 … in document order
  std::string label;                  ///< the number in `In [n]`, or `None`
  std::string out;                    ///< what the cell printed, byte for byte
  std::optional<std::string> result;  ///< what the cell displayed, without a last newline
  std::size_t line = 0;               ///< the line of its heading, from 1; 0 if it was not read from a file
  /// The bits of the tensors that the cell printed or displayed, in that order; nullopt if they are not
  /// known. A golden file holds no bits.
  std::optional<std::vector<notebook::RecordedTensor>> tensors{};
  /// What the twin's cell raised, with file and line. A golden file holds no errors.
  std::optional<std::string> error{};
  int raised_line = 0;                   ///< the line of the cell that did, from 1; 0 if it is not known
  std::optional<Exception> exception{};  ///< what is known of the port's cell (golden/exceptions.h)
  std::vector<AssignedShape> shapes{};   ///< of a run that was asked for them. A golden file holds none.
  std::optional<std::string> missing{};  ///< modules that such a run imported and did not find
  bool draws = false;                    ///< whether such a run displayed a picture, whose text is no output
  bool ran = true;  ///< false if the twin ended before this cell, so that its output is unknown

  bool has_output() const { return !out.empty() || result.has_value(); }
};

/// How close a cell's tensors have to be to the recorded ones.
enum class Closeness {
  any,       ///< recorded tensors only explain why texts differ
  rounding,  ///< within rounding (is_rounding()), because other kernels computed them
  bits,
};

/// A document's outputs.
struct Golden {
  std::string slug;      ///< the notebook that it belongs to
  std::string document;  ///< the file from which it was taken
  std::vector<GoldenCell> cells;
  Closeness closeness = Closeness::bits;
};

/// A golden that cannot be used.
struct GoldenError : notebook::TextError {
  using TextError::TextError;
};

/// Returns how many cells have an output. A cell that prints and displays something has one.
std::size_t output_count(const Golden& golden);

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
/// A line `\ no newline` after the printed lines says that the last of them did not end with a newline.
/// Throws GoldenError if the text is empty, incomplete or malformed.
Golden parse_golden(std::string_view text);

/// Returns the text of a golden file, which parse_golden() reads back as the same golden.
std::string golden_text(const Golden& golden);

/// Throws GoldenError, with line 1, unless `named`, the notebook that a file names, is `slug`.
void require_slug(std::string_view named, std::string_view slug);

/// Throws GoldenError unless the golden belongs to the notebook `slug` and has cells of these labels, in this
/// order.
void require_same_cells(const Golden& golden, std::string_view slug,
                        std::span<const std::string_view> labels);

}  // namespace torchbook::golden
