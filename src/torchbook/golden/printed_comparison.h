// Compares two printed texts value by value.
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

/// Two values that are at the same place of two texts and differ.
struct PrintedPair {
  std::size_t tensor = 0;             ///< the printed tensor that holds them, or 0 if none does
  std::vector<std::int64_t> index{};  ///< their index in that tensor
  /// Why they cannot be compared as numbers: their tensors differ in shape or dtype, or the values are of
  /// different kinds. The members below are empty then.
  std::optional<Mismatch> mismatch{};
  std::string golden{};  ///< the value as the golden's text has it
  std::string actual{};
  std::optional<double> absolute{};  ///< |actual - golden|, of numbers
  std::optional<double> relative{};  ///< `absolute` divided by |golden|, of numbers
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
