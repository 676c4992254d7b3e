// One number format for a whole tensor: Python's choice of notation and width, and the text of each element.
#pragma once

#include <torchbook/pyrepr/options.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace torchbook::pyrepr {

/// What the choice of a format needs to know of the elements shown. Zeros, infinities and nan do not count.
struct FloatRange {
  double smallest_positive = 0;  ///< 0 where there is no positive value
  double largest_positive = 0;
  double smallest_negative = 0;  ///< magnitudes; 0 where there is no negative value
  double largest_negative = 0;
  bool whole = true;  ///< every counted value is a whole number

  /// Counts one element.
  void add(double value);

  bool empty() const { return largest_positive == 0 && largest_negative == 0; }
};

/// The format of a real floating-point tensor, or of the real or imaginary parts of a complex one.
class FloatFormat {
 public:
  FloatFormat(const FloatRange& range, const PrintOptions& options);

  /// The columns to which elements are padded.
  std::size_t width() const { return width_; }

  /// Appends the element's text, padded on the left to the width.
  void append_padded(std::string& out, double value) const;

  /// Appends the element's text as it is.
  void append(std::string& out, double value) const;

 private:
  enum class Notation { whole, fixed, scientific };

  static Notation automatic(const FloatRange& range);
  std::size_t widest(const FloatRange& range) const;

  int precision_;
  Notation notation_;
  std::size_t width_ = 1;
};

/// Appends `value`, a number that is not nan, in C's `%.{precision}f` or `%.{precision}e`: the exact binary
/// value rounded to even, whatever the locale.
void append_fixed(std::string& out, double value, int precision);
void append_scientific(std::string& out, double value, int precision);

}  // namespace torchbook::pyrepr
