// Reads back what Python printed, as words and numbers, and compares two such texts.
#pragma once

#include <torchbook/golden/tensor_difference.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
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
  bool number = false;  ///< whether it is `1`, `-0.5`, `1.2346e-01`, `inf`, `nan` or one part of a complex
                        ///< number
};

/// A text that Python printed.
struct Printed {
  std::string_view text;
  std::vector<PrintedToken> tokens{};
  std::vector<std::size_t> tensors{};  ///< the indices of the tokens `tensor` that a `(` follows

  /// Returns the text of a token, or an empty one after the last token.
  std::string_view word(std::size_t token) const;
};

/// Reads any text in linear time and memory. The text must outlive the result. A word is a run of letters,
/// digits and `_.+-`. So the digits of `x_2`, `1.13.1` and `2026-11-20` are not numbers, but the 2 of `In
/// [2]` is one.
Printed read_printed(std::string_view text);

/// An element of a printed tensor.
struct PrintedElement {
  TextRange range{};
  std::size_t index = 0;  ///< in row-major order

  bool operator==(const PrintedElement&) const = default;
};

/// Returns the elements that a text shows of its printed tensor `tensor`, an index into Printed::tensors.
/// Returns nullopt if the brackets are not those of a tensor of this shape. A summary leaves elements out.
std::optional<std::vector<PrintedElement>> elements_of(const Printed& printed, std::size_t tensor,
                                                       std::span<const std::int64_t> shape);

/// Two values at the same place of two texts that differ.
struct PrintedPair {
  TextRange place{};          ///< of the value in the actual text
  TensorDifference values{};  ///< the values as the texts have them, without an index
};

/// The result of comparing two texts as printed values.
struct PrintedComparison {
  /// Whether both texts have the same words and punctuation in the same order, and numbers for which
  /// PrintedNumber::agrees_with holds. Whitespace and the notation of numbers do not matter.
  bool agree = false;
  /// The first values that do not agree, or nullopt if the texts first disagree at something other
  /// than a value. If the texts agree, the first numbers that are not equal.
  std::optional<PrintedPair> first{};
};

PrintedComparison compare_printed(std::string_view golden, std::string_view actual);

}  // namespace torchbook::golden
