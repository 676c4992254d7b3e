// Chooses one number format for a whole tensor as Python does, and writes each element in it.
#pragma once

#include <torchbook/pyrepr/options.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace torchbook::pyrepr::inline v1 {

/// The range of magnitudes among the counted values of one sign.
struct Magnitudes {
  double smallest = std::numeric_limits<double>::infinity();
  double largest = 0;

  bool empty() const { return largest == 0; }
};

/// The properties of the shown elements that decide their format. Zeros, infinities and nan do not count.
struct FloatRange {
  Magnitudes positive;
  Magnitudes negative;
  bool whole = true;  ///< every counted value is a whole number
  bool nan = false;   ///< a nan was counted; then all comparisons are false

  /// Adds one element.
  void add(double value);

  /// Adds a nan. Only some dtypes count it.
  void add_nan() {
    nan = true;
    whole = false;
  }

  double smallest() const { return std::min(positive.smallest, negative.smallest); }
  double largest() const { return std::max(positive.largest, negative.largest); }
  bool empty() const { return largest() == 0 && !nan; }
};

/// The format of a real floating-point tensor, or of the real or the imaginary parts of a complex one.
class FloatFormat {
 public:
  FloatFormat(const FloatRange& range, const PrintOptions& options);

  /// Returns the number of columns to which elements are padded.
  std::size_t width() const { return width_; }

  /// Returns the text of an element without padding.
  std::string text(double value) const;

 private:
  enum class Notation { whole, fixed, scientific };

  static Notation automatic(const FloatRange& range);
  std::size_t widest(const FloatRange& range) const;

  int precision_;
  Notation notation_;
  std::size_t width_ = 1;
};

/// Return `value`, which is not nan, in the format of C's `%.{precision}f` or `%.{precision}e`,
/// independent of the locale. The exact binary value is rounded half to even.
std::string fixed_text(double value, int precision);
std::string scientific_text(double value, int precision);

/// Appends a text, padded on the left to a width.
void append_padded(std::string& out, std::string_view text, std::size_t width);

}  // namespace torchbook::pyrepr::inline v1
