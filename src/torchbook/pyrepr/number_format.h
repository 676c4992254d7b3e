// One number format for a whole tensor: Python's choice of notation and width, and the text of each element.
#pragma once

#include <torchbook/pyrepr/decimal.h>
#include <torchbook/pyrepr/options.h>
#include <torchbook/pyrepr/sink.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>

namespace torchbook::pyrepr {

/// The magnitudes of the counted values of one sign.
struct Magnitudes {
  double smallest = std::numeric_limits<double>::infinity();
  double largest = 0;

  bool empty() const { return largest == 0; }
  /// Counts a magnitude where `counts`; without a branch, since signs may be random.
  void add(double magnitude, bool counts) {
    smallest = std::min(smallest, counts ? magnitude : std::numeric_limits<double>::infinity());
    largest = std::max(largest, counts ? magnitude : 0.0);
  }
};

/// What the choice of a format needs to know of the elements shown. Zeros, infinities and nan do not count.
struct FloatRange {
  Magnitudes positive;
  Magnitudes negative;
  bool whole = true;  ///< every counted value is a whole number
  bool nan = false;   ///< a nan was counted, with which no comparison holds

  /// Counts `count` elements, `stride` elements apart.
  template <class T>
  void add_run(const T* data, std::int64_t count, std::int64_t stride) {
    for (std::int64_t i = 0; i < count; ++i) add(static_cast<double>(data[i * stride]));
  }
  /// The same for float32, by the bits where they lie side by side.
  void add_run(const float* data, std::int64_t count, std::int64_t stride);

  /// Counts one element.
  void add(double value) {
    const double magnitude = std::fabs(value);
    if (!(magnitude > 0 && magnitude <= std::numeric_limits<double>::max())) return;
    constexpr double all_whole = 0x1p52;  // from here on every double is a whole number
    whole = whole && (magnitude >= all_whole || (magnitude + all_whole) - all_whole == magnitude);
    positive.add(magnitude, value > 0);
    negative.add(magnitude, value < 0);
  }

  /// Counts a nan, where it is to count.
  void add_nan() {
    nan = true;
    whole = false;
  }

  double smallest() const { return std::min(positive.smallest, negative.smallest); }
  double largest() const { return std::max(positive.largest, negative.largest); }
  bool empty() const { return largest() == 0 && !nan; }
};

/// The format of a real floating-point tensor, or of the real or imaginary parts of a complex one.
class FloatFormat {
 public:
  FloatFormat(const FloatRange& range, const PrintOptions& options);

  /// The columns to which elements are padded.
  std::size_t width() const { return width_; }

  /// Appends the element's text, padded on the left to the width.
  void append_padded(Sink& out, double value) const;

  /// Appends the element's text as it is.
  void append(std::string& out, double value) const;

 private:
  enum class Notation { whole, fixed, scientific };

  static Notation automatic(const FloatRange& range);
  std::size_t widest(const FloatRange& range) const;
  bool write_fast(Sink& out, double value) const;
  char* write_magnitude(char* end, double magnitude) const;
  char* write_fraction(char* end, std::uint64_t& digits) const;
  void append_slowly(Sink& out, double value) const;

  int precision_;
  Notation notation_;
  std::size_t width_ = 1;
  bool zero_fits_ = false;
  bool fast_ = false;  // every counted value fits the width, and the precision is one of the fast ones
};

/// Writes the digits after the point, which are the last of `digits`, and the point, so that they end at
/// `end`; gives where they start, and takes them off.
inline char* FloatFormat::write_fraction(char* end, std::uint64_t& digits) const {
  if (precision_ == 0) return end;
  end = precision_ == 4 ? write_digits<4>(end, digits)  // the default, unrolled
                        : write_digits(end, digits, precision_);
  *--end = '.';
  return end;
}

/// Writes a magnitude so that it ends at `end`; gives where it starts, nullptr where only the exact path is
/// certain.
inline char* FloatFormat::write_magnitude(char* end, double magnitude) const {
  if (notation_ == Notation::scientific) {
    const auto [digits, exponent] = scientific_digits(magnitude, precision_);
    if (digits == not_certain) return nullptr;
    auto rest = static_cast<std::uint64_t>(digits);
    auto power = static_cast<std::uint64_t>(std::abs(exponent));
    end = write_digits<2>(end, power);  // within the fast powers of ten it has two
    *--end = exponent < 0 ? '-' : '+';
    *--end = 'e';
    end = write_fraction(end, rest);
    *--end = static_cast<char>('0' + rest);
    return end;
  }
  const bool whole = notation_ == Notation::whole;
  const auto digits = fixed_digits(magnitude, whole ? 0 : precision_);
  if (digits == not_certain) return nullptr;
  auto rest = static_cast<std::uint64_t>(digits);
  if (whole) {
    *--end = '.';
  } else {
    end = write_fraction(end, rest);
  }
  return write_number(end, rest);
}

/// Writes a value, padded; false where it may be longer than the width, or only the exact path is certain.
inline bool FloatFormat::write_fast(Sink& out, double value) const {
  if (!fast_ || (value == 0 && (std::signbit(value) || !zero_fits_))) return false;
  char* const start = out.room(width_);
  char* text = write_magnitude(start + width_, std::fabs(value));
  if (text == nullptr) return false;
  if (value < 0) *--text = '-';
  while (text > start) *--text = ' ';
  out.commit(width_);
  return true;
}

inline void FloatFormat::append_padded(Sink& out, double value) const {
  if (!write_fast(out, value)) append_slowly(out, value);
}

/// Appends `value`, a number that is not nan, in C's `%.{precision}f` or `%.{precision}e`: the exact binary
/// value rounded to even, whatever the locale.
void append_fixed(std::string& out, double value, int precision);
void append_scientific(std::string& out, double value, int precision);

}  // namespace torchbook::pyrepr
