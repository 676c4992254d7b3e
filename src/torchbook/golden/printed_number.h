// A decimal number as it was printed: its digits and their precision.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace torchbook::golden {

/// The numbers that a word consists of.
struct NumbersOfWord {
  /// One number, or the two parts of a complex number. Both are empty if the word is something else.
  std::array<std::string_view, 2> parts{};
  bool imaginary = false;  ///< whether a `j` follows them
};

/// Splits a word such as `-0.5`, `7j` or `10.-3.5000j`.
NumbersOfWord numbers_of_word(std::string_view word);

/// A printed number. Its digits are kept without rounding.
class PrintedNumber {
 public:
  /// Digits, and the power of ten of the last one.
  struct Decimal {
    std::string digits{};
    long exponent = 0;
  };

  /// `text` must be exactly one number.
  explicit PrintedNumber(std::string_view text);

  /// Returns whether the number has neither a dot nor an exponent. Python prints such a number exactly.
  bool integer() const { return integer_; }

  /// Returns the nearest double.
  double value() const;

  /// Returns half a unit of the last printed place, the largest possible rounding error. Returns 0
  /// if the number is exact (see agrees_with()) or not finite.
  double half_unit() const;

  /// Returns whether both can be one number, printed with different precisions. The precision of a number is
  /// the last decimal place that is printed. The finer number, rounded to the last place of the coarser one,
  /// must equal the coarser one. A tie may be rounded either way.
  ///
  /// Integers are exact: they agree only with the same integer. A number that ends in its dot (`3.`) is exact
  /// too, because PyTorch prints it so only if every element is whole. `inf` and `nan` agree only with
  /// themselves. The sign of a zero does not matter: `-0.` and `0.` agree.
  bool agrees_with(const PrintedNumber& other) const;

  /// Returns whether this number is `value`, rounded to its last printed place as Python rounds (from the
  /// exact decimal expansion, ties to even). An integer shows no float.
  bool shows(double value) const;

  /// Returns |this - other|, as the double nearest to the exact difference of the digits.
  double distance(const PrintedNumber& other) const;

 private:
  std::string text_;
  bool finite_ = true;
  bool integer_ = false;
  bool whole_ = false;  // whether the text ends in its dot
  bool negative_ = false;
  Decimal decimal_{};  // of a finite number, without its sign
};

}  // namespace torchbook::golden
