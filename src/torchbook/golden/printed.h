// Reads back what Python printed, as words, numbers and the elements of tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace torchbook::golden {

/// A piece of a text, from `begin` up to but not including `end`.
struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  bool operator==(const TextRange&) const = default;
};

/// Returns the piece of `text`.
inline std::string_view piece(std::string_view text, const TextRange& range) {
  return text.substr(range.begin, range.end - range.begin);
}

/// A word, a number or a punctuation character of a printed text.
struct PrintedToken {
  TextRange range{};
  bool number = false;   ///< whether it is `1`, `-0.5`, `1.2346e-01`, `inf`, `nan` or one part of a complex
                         ///< number
  bool element = false;  ///< whether it is a number, `True` or `False` in a tensor
  /// The innermost printed tensor that holds the token, including its word `tensor`: 1 for the first
  /// `tensor(` of the text, 2 for the second, 0 if there is none.
  std::size_t tensor = 0;
  std::size_t bracket = 0;  ///< of an element: an index into Printed::brackets
  std::int64_t place = 0;   ///< of an element: its place in that bracket, from 0
};

/// A bracket of a printed tensor. The first bracket of each tensor is its parenthesis.
struct PrintedBracket {
  std::size_t parent = 0;  ///< the bracket around it; a parenthesis has its own index here
  std::int64_t place = 0;  ///< its place in its parent, from 0
  std::int64_t length = 0;
  std::optional<std::int64_t> ellipsis{};  ///< the place of the `...` of a summary
};

/// A tensor as Python printed it.
struct PrintedTensor {
  static constexpr std::int64_t left_out = -1;  ///< the length of a dimension that a summary shortens

  TextRange range;  ///< from `tensor(` to its last parenthesis, or to the end of the text if that is missing
  /// The shape that the brackets show, or `size=` if there are no elements. nullopt if the brackets do not
  /// form a tensor, because lengths on one level differ or a bracket is missing.
  std::optional<std::vector<std::int64_t>> shape{};
  TextRange dtype{};                  ///< the word after `dtype=`; empty if there is none
  bool whole = false;                 ///< whether the text shows every element
  std::vector<TextRange> elements{};  ///< the elements that the text shows, in row-major order

  bool operator==(const PrintedTensor&) const = default;
};

/// A text that Python printed.
struct Printed {
  std::string_view text;
  std::vector<PrintedToken> tokens{};
  std::vector<PrintedTensor> tensors{};
  std::vector<PrintedBracket> brackets{};

  /// Returns the index of an element. After the `...` of a summary it counts from the end: -3, -2, -1.
  std::vector<std::int64_t> index_of(const PrintedToken& element) const;
};

/// Reads any text in linear time and memory. The text must outlive the result. Everything outside of numbers
/// and tensors becomes words and punctuation characters. A word is a run of letters, digits and `_.+-`. So
/// the digits of `x_2`, `1.13.1` and `2026-11-20` are not numbers, but the 2 of `In [2]` is one.
Printed read_printed(std::string_view text);

}  // namespace torchbook::golden
