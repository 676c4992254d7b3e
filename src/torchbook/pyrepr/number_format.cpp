// Implements Python's _Formatter: the notation, width and text of floating-point elements.
#include <torchbook/pyrepr/decimal.h>
#include <torchbook/pyrepr/number_format.h>
#include <torchbook/pyrepr/release.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

namespace torchbook::pyrepr::inline v1 {
namespace {

// A double has at most a sign and 309 digits before its point. The rest is room for a point and an
// exponent.
constexpr std::size_t widest_whole_part = 320;

void append_chars(std::string& out, double value, std::chars_format notation, int precision) {
  char buffer[2 * widest_whole_part];
  const std::size_t room = widest_whole_part + static_cast<std::size_t>(precision);
  if (room <= sizeof buffer) {
    out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value, notation, precision).ptr);
    return;
  }
  const std::size_t start = out.size();
  out.resize(start + room);
  const auto end = std::to_chars(out.data() + start, out.data() + out.size(), value, notation, precision);
  out.resize(static_cast<std::size_t>(end.ptr - out.data()));
}

/// The range of magnitudes of one sign as bit patterns of float32, which have the same order as the numbers.
struct MagnitudeBits {
  static constexpr std::int32_t infinite = 0x7F800000;

  std::int32_t smallest = infinite;
  std::int32_t largest = 0;

  void add(std::int32_t bits, bool counts) {
    smallest = std::min(smallest, counts ? bits : infinite);
    largest = std::max(largest, counts ? bits : 0);
  }
  void add_to(Magnitudes& magnitudes) const {
    if (largest == 0) return;
    magnitudes.add(std::bit_cast<float>(smallest), true);
    magnitudes.add(std::bit_cast<float>(largest), true);
  }
};

}  // namespace

void append_fixed(std::string& out, double value, int precision) {
  append_chars(out, value, std::chars_format::fixed, precision);
}

void append_scientific(std::string& out, double value, int precision) {
  append_chars(out, value, std::chars_format::scientific, precision);
}

void FloatRange::add_run(const float* data, std::int64_t count, std::int64_t stride) {
  std::int64_t i = 0;
  for (; i < count && (whole || stride != 1); ++i) add(data[i * stride]);
  // Compilers turn this loop into vector instructions.
  MagnitudeBits above;
  MagnitudeBits below;
  for (; i < count; ++i) {
    const auto bits = std::bit_cast<std::int32_t>(data[i]);
    const std::int32_t magnitude = bits & 0x7FFFFFFF;
    const bool counts = magnitude > 0 && magnitude < MagnitudeBits::infinite;
    above.add(magnitude, counts && bits > 0);
    below.add(magnitude, counts && bits < 0);
  }
  above.add_to(positive);
  below.add_to(negative);
}

FloatFormat::FloatFormat(const FloatRange& range, const PrintOptions& options)
    : precision_(options.precision), notation_(automatic(range)) {
  if (range.empty()) return;
  // Up to PyTorch 2.6, a forced notation does not change the width, which is computed before it
  // applies.
  if (!release::measures_in_forced_notation) width_ = widest(range);
  if (options.sci_mode) {
    notation_ = *options.sci_mode ? Notation::scientific : range.whole ? Notation::whole : Notation::fixed;
  }
  if (release::measures_in_forced_notation) width_ = widest(range);
  fast_ = precision_ <= most_fast_digits && widest(range) <= width_ && !range.nan;
  std::string zero;
  append(zero, 0);
  zero_fits_ = zero.size() <= width_;
}

FloatFormat::Notation FloatFormat::automatic(const FloatRange& range) {
  if (range.empty()) return Notation::whole;
  if (range.nan) return Notation::fixed;
  const double largest = range.largest();
  const double smallest = range.smallest();
  if (largest / smallest > 1000 || largest > 1e8) return Notation::scientific;
  if (range.whole) return Notation::whole;
  return smallest < 1e-4 ? Notation::scientific : Notation::fixed;
}

/// Returns the length of the longest text of a counted value. Only the ends of each sign's range
/// are measured, because in every notation one of them has the longest text.
std::size_t FloatFormat::widest(const FloatRange& range) const {
  std::size_t width = range.nan ? std::string_view("nan").size() : 1;
  std::string text;
  const auto measure = [&](double value) {
    text.clear();
    append(text, value);
    width = std::max(width, text.size());
  };
  for (const auto& [side, sign] : {std::pair(range.positive, 1), std::pair(range.negative, -1)}) {
    if (side.empty()) continue;
    measure(sign * side.smallest);
    measure(sign * side.largest);
  }
  return width;
}

void FloatFormat::append(std::string& out, double value) const {
  if (std::isnan(value)) {
    out += "nan";  // Python shows no sign
  } else if (std::isinf(value)) {
    out += value < 0 ? "-inf" : "inf";
  } else if (notation_ == Notation::scientific) {
    append_scientific(out, value, precision_);
  } else if (notation_ == Notation::fixed) {
    append_fixed(out, value, precision_);
  } else {
    append_fixed(out, value, 0);
    out += '.';
  }
}

void FloatFormat::append_slowly(Sink& out, double value) const {
  std::string text;
  append(text, value);
  out.append_padded(text, width_);
}

}  // namespace torchbook::pyrepr::inline v1
