// Colours for numbers: one scale for terminals, pictures and pages.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace torchbook::report {

/// A colour in sRGB, each part from 0 to 255.
struct Rgb {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;

  bool operator==(const Rgb&) const = default;
};

/// The colours of one tensor's values. Where all are of one sign, lightness falls from light (the smallest)
/// to dark blue (the largest); where there are both, it falls from white at zero to dark blue for positive
/// and to dark orange for negative ones, as far as the largest magnitude goes. Both can be told apart without
/// red and green, and in grey the order of lightness is the order of magnitude. Infinities and nan are grey.
class ColourScale {
 public:
  /// The scale that fits these values. Only finite ones count; without any, everything is the lightest
  /// colour.
  explicit ColourScale(std::span<const double> values);

  Rgb colour(double value) const;
  /// Black or white, whichever reads better on the value's colour.
  Rgb text(double value) const;

  double lowest() const { return lowest_; }    ///< the value at the scale's lower end
  double highest() const { return highest_; }  ///< the value at its upper end
  bool diverges() const { return diverges_; }  ///< whether it has two sides, around zero

 private:
  double lowest_ = 0;
  double highest_ = 0;
  bool diverges_ = false;
};

}  // namespace torchbook::report
