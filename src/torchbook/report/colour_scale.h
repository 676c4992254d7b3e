// Maps numbers to colours: one scale for terminals, pictures and pages. tools/site/computing/colours.js
// follows it.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace torchbook::report {

/// A colour in sRGB. Each part ranges from 0 to 255.
struct Rgb {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;

  bool operator==(const Rgb&) const = default;
};

/// The colours of one tensor's values.
///
/// If all values have one sign, lightness falls from light for the smallest to dark blue for the largest.
/// Otherwise it falls from white at zero to dark blue for positive and dark orange for negative values, up to
/// the largest magnitude. Infinities and nan are grey.
///
/// Readers who cannot distinguish red and green can read both scales. In grey, lightness orders the
/// magnitudes.
class ColourScale {
 public:
  /// Fits the scale to the finite values. If there are none, all values have the lightest colour.
  explicit ColourScale(std::span<const double> values);

  Rgb colour(double value) const;
  /// Returns black or white, whichever is easier to read on the value's colour.
  Rgb text(double value) const;

  double lowest() const { return lowest_; }    ///< the value at the lower end of the scale
  double highest() const { return highest_; }  ///< the value at the upper end of the scale
  bool diverges() const { return diverges_; }  ///< whether the scale has two sides, around zero

 private:
  double lowest_ = 0;
  double highest_ = 0;
  bool diverges_ = false;
};

}  // namespace torchbook::report
