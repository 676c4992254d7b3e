// Printed values read back: what Python printed, as words, numbers and the elements of tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace torchbook::golden {

/// A piece of a text: from `begin` up to, not including, `end`.
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
  bool number = false;   ///< `1`, `-0.5`, `1.2346e-01`, `inf`, `nan`; each part of a complex number is one
  bool element = false;  ///< of a tensor: a number, or `True` or `False`
  /// The innermost printed tensor that it stands in, the word `tensor` included: 1 for the first `tensor(` of
  /// the text, 2 for the second, 0 for none.
  std::size_t tensor = 0;
  std::size_t bracket = 0;  ///< an element's, as an index into Printed::brackets
  std::int64_t place = 0;   ///< an element's within that bracket, from 0
};

/// A bracket of a printed tensor. The first of each tensor is its parenthesis.
struct PrintedBracket {
  std::size_t parent = 0;  ///< the bracket that it stands in; its own index for a parenthesis
  std::int64_t place = 0;  ///< within its parent, from 0
  std::int64_t length = 0;
  std::optional<std::int64_t> ellipsis{};  ///< the place of the `...` of a summary
};

/// A tensor as Python printed it.
struct PrintedTensor {
  static constexpr std::int64_t left_out = -1;  ///< the length of a dimension that a summary shortens

  TextRange range;  ///< from `tensor(` to its last parenthesis, or to the end of a text that lacks that
  /// As its brackets tell it, or `size=` where it has no elements. nullopt for brackets that are of no
  /// tensor: of other lengths on one level, or torn.
  std::optional<std::vector<std::int64_t>> shape{};
  TextRange dtype{};                  ///< the word behind `dtype=`, empty without that
  bool whole = false;                 ///< whether the text shows every element
  std::vector<TextRange> elements{};  ///< those that the text shows, in row-major order

  bool operator==(const PrintedTensor&) const = default;
};

/// A text that Python printed.
struct Printed {
  std::string_view text;
  std::vector<PrintedToken> tokens{};
  std::vector<PrintedTensor> tensors{};
  std::vector<PrintedBracket> brackets{};

  /// Returns the index of an element: behind the `...` of a summary from the end, -3, -2, -1.
  std::vector<std::int64_t> index_of(const PrintedToken& element) const;
};

/// Reads any text, which must outlive the result, in linear time and memory. What is neither a number nor a
/// tensor is words and punctuation, one character each. A word is a run of letters, digits and `_.+-`, so the
/// digits of `x_2`, `1.13.1` and `2026-11-20` are no numbers; the 2 of `In [2]` is one.
Printed read_printed(std::string_view text);

}  // namespace torchbook::golden
