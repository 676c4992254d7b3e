// Chooses one number format for a whole tensor as Python does, and writes each element in it.
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

namespace torchbook::pyrepr::inline v1 {

/// The range of magnitudes among the counted values of one sign.
struct Magnitudes {
  double smallest = std::numeric_limits<double>::infinity();
  double largest = 0;

  bool empty() const { return largest == 0; }
  /// Adds a magnitude if `counts`. Branchless, because signs may be unpredictable.
  void add(double magnitude, bool counts) {
    smallest = std::min(smallest, counts ? magnitude : std::numeric_limits<double>::infinity());
    largest = std::max(largest, counts ? magnitude : 0.0);
  }
};

/// The properties of the shown elements that decide their format. Zeros, infinities and nan do not count.
struct FloatRange {
  Magnitudes positive;
  Magnitudes negative;
  bool whole = true;  ///< every counted value is a whole number
  bool nan = false;   ///< a nan was counted; then all comparisons are false

  /// Adds `count` elements that lie `stride` elements apart.
  template <class T>
  void add_run(const T* data, std::int64_t count, std::int64_t stride) {
    for (std::int64_t i = 0; i < count; ++i) add(static_cast<double>(data[i * stride]));
  }
  /// Overload for float32. It compares bit patterns if the elements are contiguous.
  void add_run(const float* data, std::int64_t count, std::int64_t stride);

  /// Adds one element.
  void add(double value) {
    const double magnitude = std::fabs(value);
    if (!(magnitude > 0 && magnitude <= std::numeric_limits<double>::max())) return;
    constexpr double all_whole = 0x1p52;  // from here on every double is a whole number
    whole = whole && (magnitude >= all_whole || (magnitude + all_whole) - all_whole == magnitude);
    positive.add(magnitude, value > 0);
    negative.add(magnitude, value < 0);
  }

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

  /// Appends the text of an element, padded on the left to the width.
  void append_padded(Sink& out, double value) const;

  /// Appends the text of an element without padding.
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
  bool fast_ = false;  // every counted value fits the width, and the precision has a fast path
};

/// Writes the point and the digits after it, ending at `end`, and removes those digits from
/// `digits`. Returns the start of the written text.
inline char* FloatFormat::write_fraction(char* end, std::uint64_t& digits) const {
  if (precision_ == 0) return end;
  end = precision_ == 4 ? write_digits<4>(end, digits)  // the default precision, unrolled
                        : write_digits(end, digits, precision_);
  *--end = '.';
  return end;
}

/// Writes a magnitude, ending at `end`. Returns its start, or nullptr if it needs the exact path.
inline char* FloatFormat::write_magnitude(char* end, double magnitude) const {
  if (notation_ == Notation::scientific) {
    const auto [digits, exponent] = scientific_digits(magnitude, precision_);
    if (digits == not_certain) return nullptr;
    auto rest = static_cast<std::uint64_t>(digits);
    auto power = static_cast<std::uint64_t>(std::abs(exponent));
    end = write_digits<2>(end, power);  // the exponents of the fast path have two digits
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

/// Writes a padded value. Returns false if it may exceed the width or needs the exact path.
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

/// Append `value`, which is not nan, in the format of C's `%.{precision}f` or `%.{precision}e`,
/// independent of the locale. The exact binary value is rounded half to even.
void append_fixed(std::string& out, double value, int precision);
void append_scientific(std::string& out, double value, int precision);

}  // namespace torchbook::pyrepr::inline v1
