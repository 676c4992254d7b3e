// Implements Python's _Formatter: the notation, width and text of floating-point elements.
#include <torchbook/pyrepr/number_format.h>
#include <torchbook/pyrepr/release.h>

#include <charconv>
#include <cmath>
#include <utility>

namespace torchbook::pyrepr::inline v1 {
namespace {

std::string chars(double value, std::chars_format notation, int precision) {
  // A double has at most a sign and 309 digits before its point. The rest is room for a point and an
  // exponent.
  constexpr std::size_t widest_whole_part = 320;
  std::string text(widest_whole_part + static_cast<std::size_t>(precision), ' ');
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, notation, precision);
  text.resize(static_cast<std::size_t>(end.ptr - text.data()));
  return text;
}

}  // namespace

std::string fixed_text(double value, int precision) {
  return chars(value, std::chars_format::fixed, precision);
}

std::string scientific_text(double value, int precision) {
  return chars(value, std::chars_format::scientific, precision);
}

void append_padded(std::string& out, std::string_view text, std::size_t width) {
  if (text.size() < width) out.append(width - text.size(), ' ');
  out += text;
}

void FloatRange::add(double value) {
  const double magnitude = std::fabs(value);
  if (magnitude == 0 || !std::isfinite(magnitude)) return;
  whole = whole && std::trunc(magnitude) == magnitude;
  auto& side = value > 0 ? positive : negative;
  side.smallest = std::min(side.smallest, magnitude);
  side.largest = std::max(side.largest, magnitude);
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
  for (const auto& [side, sign] : {std::pair(range.positive, 1), std::pair(range.negative, -1)}) {
    if (side.empty()) continue;
    width = std::max({width, text(sign * side.smallest).size(), text(sign * side.largest).size()});
  }
  return width;
}

std::string FloatFormat::text(double value) const {
  if (std::isnan(value)) return "nan";  // Python shows no sign
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  if (notation_ == Notation::scientific) return scientific_text(value, precision_);
  return notation_ == Notation::fixed ? fixed_text(value, precision_) : fixed_text(value, 0) + '.';
}

}  // namespace torchbook::pyrepr::inline v1
