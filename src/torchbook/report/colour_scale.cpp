// Interpolates between the colours of a scale.
#include <torchbook/report/colour_scale.h>

#include <algorithm>
#include <cmath>

namespace torchbook::report {
namespace {

using Ramp = std::array<Rgb, 6>;  // from light to dark

// These are ColorBrewer's Blues and Oranges, sequential schemes that are safe for colour-blind readers.
constexpr Ramp blues = {
    {{247, 251, 255}, {198, 219, 239}, {158, 202, 225}, {107, 174, 214}, {33, 113, 181}, {8, 48, 107}}};
constexpr Ramp oranges = {
    {{255, 245, 235}, {253, 208, 162}, {253, 174, 107}, {241, 105, 19}, {217, 72, 1}, {127, 39, 4}}};
constexpr Rgb grey = {189, 189, 189};
constexpr Rgb black = {0, 0, 0};
constexpr Rgb white = {255, 255, 255};

std::uint8_t between(std::uint8_t from, std::uint8_t to, double part) {
  return static_cast<std::uint8_t>(std::lround(from + part * (to - from)));
}

/// Returns the colour of a ramp at the position `part`, from 0 to 1.
Rgb at(const Ramp& ramp, double part) {
  const double place = std::clamp(part, 0.0, 1.0) * static_cast<double>(ramp.size() - 1);
  const auto step = std::min(static_cast<std::size_t>(place), ramp.size() - 2);
  const double rest = place - static_cast<double>(step);
  const Rgb& from = ramp[step];
  const Rgb& to = ramp[step + 1];
  return {between(from.red, to.red, rest), between(from.green, to.green, rest),
          between(from.blue, to.blue, rest)};
}

/// Returns the relative luminance of WCAG 2, from 0 to 1.
double luminance(const Rgb& colour) {
  const auto linear = [](std::uint8_t part) {
    const double value = part / 255.0;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
}

}  // namespace

ColourScale::ColourScale(std::span<const double> values) {
  bool first = true;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    lowest_ = first ? value : std::min(lowest_, value);
    highest_ = first ? value : std::max(highest_, value);
    first = false;
  }
  constexpr double least = 1e-5;  // numbers that differ by less are printed alike, and have one colour
  if (highest_ - lowest_ <= least * std::max(std::abs(lowest_), std::abs(highest_))) highest_ = lowest_;
  diverges_ = lowest_ < 0 && highest_ > 0;
  if (diverges_) {
    highest_ = std::max(-lowest_, highest_);
    lowest_ = -highest_;
  }
}

Rgb ColourScale::colour(double value) const {
  if (!std::isfinite(value)) return grey;
  if (diverges_) return at(value < 0 ? oranges : blues, std::fabs(value) / highest_);
  if (highest_ == lowest_) return blues.front();
  return at(blues, (value - lowest_) / (highest_ - lowest_));
}

Rgb ColourScale::text(double value) const {
  // At L = 0.179, the contrasts with white, 1.05 / (L + 0.05), and black, (L + 0.05) / 0.05, are
  // equal.
  return luminance(colour(value)) > 0.179 ? black : white;
}

}  // namespace torchbook::report
