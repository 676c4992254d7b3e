// Python's _Formatter: notation, width and text of floating-point elements.
#include <torchbook/pyrepr/number_format.h>
#include <torchbook/pyrepr/release.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace torchbook::pyrepr {
namespace {

// The longest double in fixed notation before its point: a sign and 309 digits; and room for a point and
// exponent.
constexpr std::size_t widest_whole_part = 320;

void append_chars(std::string& out, double value, std::chars_format notation, int precision) {
  const std::size_t start = out.size();
  out.resize(start + widest_whole_part + static_cast<std::size_t>(precision));
  const auto end = std::to_chars(out.data() + start, out.data() + out.size(), value, notation, precision);
  out.resize(static_cast<std::size_t>(end.ptr - out.data()));
}

void widen(double magnitude, double& smallest, double& largest) {
  smallest = smallest == 0 ? magnitude : std::min(smallest, magnitude);
  largest = std::max(largest, magnitude);
}

}  // namespace

void append_fixed(std::string& out, double value, int precision) {
  append_chars(out, value, std::chars_format::fixed, precision);
}

void append_scientific(std::string& out, double value, int precision) {
  append_chars(out, value, std::chars_format::scientific, precision);
}

void FloatRange::add(double value) {
  if (value == 0 || !std::isfinite(value)) return;
  whole = whole && value == std::ceil(value);
  if (value > 0) {
    widen(value, smallest_positive, largest_positive);
  } else {
    widen(-value, smallest_negative, largest_negative);
  }
}

FloatFormat::FloatFormat(const FloatRange& range, const PrintOptions& options)
    : precision_(options.precision), notation_(automatic(range)) {
  if (range.empty()) return;
  // Up to 2.6 Python measures in the notation that the values call for, then switches to the forced one.
  if (!release::measures_in_forced_notation) width_ = widest(range);
  if (options.sci_mode) {
    notation_ = *options.sci_mode ? Notation::scientific : range.whole ? Notation::whole : Notation::fixed;
  }
  if (release::measures_in_forced_notation) width_ = widest(range);
}

FloatFormat::Notation FloatFormat::automatic(const FloatRange& range) {
  if (range.empty()) return Notation::whole;
  const double largest = std::max(range.largest_positive, range.largest_negative);
  const double smallest = range.smallest_positive == 0 ? range.smallest_negative
                          : range.smallest_negative == 0
                              ? range.smallest_positive
                              : std::min(range.smallest_positive, range.smallest_negative);
  if (largest / smallest > 1000 || largest > 1e8) return Notation::scientific;
  if (range.whole) return Notation::whole;
  return smallest < 1e-4 ? Notation::scientific : Notation::fixed;
}

/// The longest text over the counted values. In each notation a text is longest at one end of the range of
/// its sign.
std::size_t FloatFormat::widest(const FloatRange& range) const {
  std::size_t width = 1;
  std::string text;
  for (const double value :
       {range.smallest_positive, range.largest_positive, -range.smallest_negative, -range.largest_negative}) {
    if (value == 0) continue;
    text.clear();
    append(text, value);
    width = std::max(width, text.size());
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

void FloatFormat::append_padded(std::string& out, double value) const {
  const std::size_t start = out.size();
  append(out, value);
  const std::size_t length = out.size() - start;
  if (length < width_) out.insert(start, width_ - length, ' ');
}

}  // namespace torchbook::pyrepr
