// Where the elements of tensors stand in printed text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace torchbook::report {

/// A piece of a text: from `begin` up to, not including, `end`.
struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  bool operator==(const TextRange&) const = default;
};

/// A tensor as Python printed it.
struct PrintedTensor {
  TextRange range;                  ///< from `tensor(` to the last bracket of its elements
  std::vector<std::int64_t> shape;  ///< as its brackets tell it
  std::vector<TextRange> elements;  ///< in row-major order

  bool operator==(const PrintedTensor&) const = default;
};

/// The tensors that a text shows whole, in their order: `tensor(` and then one element, or brackets of equal
/// lengths on each level. A summary, which leaves elements out, is not among them, nor is anything else.
std::vector<PrintedTensor> printed_tensors(std::string_view text);

}  // namespace torchbook::report
