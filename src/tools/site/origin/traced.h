// Selects the values of a trace that are worth a picture, and finds the cells to which they belong.
#pragma once

#include <tools/part/flow.h>

#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace torchbook::site {

/// Returns the position in `@7`, or 0 for another text.
std::size_t position_in(std::string_view mark);

/// Parses `shown @7.1`. Returns the position and the number, which is counted from 0.
std::optional<std::pair<std::size_t, std::size_t>> place_in(std::string_view name);

inline constexpr std::size_t largest_rank = 4;      ///< of a picture
inline constexpr std::size_t most_elements = 1024;  ///< of a picture

/// An operand or result of a product or softmax.
struct TracedValue {
  std::size_t value = 0;
  std::size_t position =
      0;  ///< of the cell that made it or, if none did, of the first that used or showed it
  std::size_t shown_before = 0;  ///< how many tensors that cell had shown by then
};

/// Returns the operands and results of products and softmaxes, and the ids of words, that have 1 to 4
/// dimensions and 2 to 1024 real numbers. Of each cell, the sixteen that were used last are returned. A row
/// of a matrix is replaced by the matrix. A right operand that is a transpose is replaced by the tensor that
/// it transposes.
///
/// The values are sorted by cell; within a cell, by the number of tensors shown before, then by
/// first use.
std::vector<TracedValue> traced_values(const trace_diff::Flow& flow);

/// Returns the values that cells showed, by the cell's position and their number in it, from 0 on.
std::map<std::pair<std::size_t, std::size_t>, std::size_t> shown_values(const trace_diff::Flow& flow);

}  // namespace torchbook::site
