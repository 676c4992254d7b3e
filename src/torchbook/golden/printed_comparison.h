// Two printed texts, compared value by value.
#pragma once

#include <torchbook/golden/mismatch.h>
#include <torchbook/golden/printed.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::golden {

/// Two values that stand in the same place of two texts and differ.
struct PrintedPair {
  std::size_t tensor = 0;             ///< the printed tensor that they are elements of, 0 for none
  std::vector<std::int64_t> index{};  ///< in that tensor
  /// Why they cannot be compared as numbers: their tensors have other shapes or dtypes, or they are of other
  /// kinds. What follows is then empty.
  std::optional<Mismatch> mismatch{};
  std::string golden{};  ///< as they stand there
  std::string actual{};
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
