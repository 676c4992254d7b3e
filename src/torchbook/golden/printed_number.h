// A decimal number as it was printed: its digits, and how precise they are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace torchbook::golden {

/// The length of the number that a text starts with, 0 where it starts with none. Numbers are what Python
/// prints: digits, then perhaps a dot with or without digits, an exponent; `inf` and `nan`; a sign before
/// them.
std::size_t number_length(std::string_view text);

/// The numbers that a word is.
struct NumbersOfWord {
  /// One number, or the two parts of a complex one; empty where the word is something else.
  std::array<std::string_view, 2> parts{};
  bool imaginary = false;  ///< whether a `j` follows them
};

/// Takes a word apart: `-0.5`, `7j`, `10.-3.5000j`.
NumbersOfWord numbers_of_word(std::string_view word);

/// A number's text, read without rounding.
class PrintedNumber {
 public:
  /// `text` must be a number as a whole.
  explicit PrintedNumber(std::string_view text);

  /// Neither a dot nor an exponent. What Python prints so is exact.
  bool integer() const { return integer_; }

  /// The nearest double.
  double value() const;

  /// Whether both are one number to the coarser of their two printed precisions (the last decimal place that
  /// is printed): the finer one, rounded to that place, is the other. A tie may be rounded either way. Exact
  /// are integers, which agree with the same integer only, and a number that ends in its dot (`3.`), which
  /// PyTorch prints where every element is whole. `inf` and `nan` agree with themselves only. The sign of a
  /// zero is none of its digits: `-0.` and `0.` agree.
  bool agrees_with(const PrintedNumber& other) const;

  /// Whether `value`, rounded to this number's last printed place as Python rounds (its exact decimal
  /// expansion, ties to even), is this number. Neither is exact about the sign of a zero.
  bool shows(double value) const;

  /// Whether this is that very integer.
  bool shows(std::int64_t value) const;
  bool shows(std::uint64_t value) const;

  /// |this - other|, the double nearest to the exact difference of the digits.
  double distance(const PrintedNumber& other) const;

 private:
  std::string text_;
  bool finite_ = true;
  bool integer_ = false;
  bool whole_ = false;  // ends in its dot
  bool negative_ = false;
  bool scientific_ = false;
  std::string digits_;  // of a finite number, without sign and dot
  long exponent_ = 0;   // the power of ten of the last digit
};

}  // namespace torchbook::golden
