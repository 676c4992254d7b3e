// Printed values read back: what Python printed, as words, numbers and the elements of tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::golden {

/// A piece of printed text.
struct PrintedToken {
  std::string text;     ///< as it stands there
  bool number = false;  ///< `1`, `-0.5`, `1.2346e-01`, `inf`, `nan`; each part of a complex number is one
  /// The printed tensor it is an element of: 1 for the first `tensor(` of the text, 2 for the second, 0 for
  /// what is no element. The elements of a bool tensor are words.
  std::size_t tensor = 0;
  std::vector<std::int64_t>
      index{};  ///< of that element; behind the `...` of a summary from the end: -3, -2, -1
};

/// A text that Python printed.
struct Printed {
  std::vector<PrintedToken> tokens;
  std::size_t tensors = 0;  ///< how many are printed in it
};

/// Reads any text; what is neither a number nor a tensor is words and punctuation, one character each. A word
/// is a run of letters, digits and `_.+-`, so the digits of `x_2`, `1.13.1` and `2026-11-20` are no numbers;
/// the 2 of `In [2]` is one.
Printed read_printed(std::string_view text);

/// Two values that stand in the same place of two texts.
struct PrintedPair {
  PrintedToken golden;
  PrintedToken actual;
  std::optional<double> absolute{};  ///< |actual - golden|, of numbers
  std::optional<double> relative{};  ///< that by |golden|, of numbers
};

/// What comparing two texts as printed values gives.
struct PrintedComparison {
  /// Whether, whitespace and the notation of numbers apart, they say the same: the same words and punctuation
  /// in the same order, and numbers that PrintedNumber::agrees_with.
  bool agree = false;
  /// The first values that do not agree, nullopt where the texts part before that. Of texts that agree the
  /// first numbers that are not equal.
  std::optional<PrintedPair> first{};
};

PrintedComparison compare_printed(std::string_view golden, std::string_view actual);

}  // namespace torchbook::golden
