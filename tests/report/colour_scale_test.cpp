// Tests that colours follow the values and that text on them is readable.
#include <gtest/gtest.h>
#include <report/samples.h>
#include <torchbook/report/colour_scale.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace torchbook::report {
namespace {

using test::inf;
constexpr Rgb lightest = {247, 251, 255};
constexpr Rgb darkest = {8, 48, 107};
constexpr Rgb grey = {189, 189, 189};

ColourScale scale(const std::vector<double>& values) { return ColourScale(values); }

/// Returns the relative luminance of WCAG 2.
double luminance(const Rgb& colour) {
  const auto linear = [](double part) {
    return part <= 10 ? part / 3294.6 : std::pow((part / 255 + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
}

double contrast(const Rgb& one, const Rgb& other) {
  const double a = luminance(one) + 0.05;
  const double b = luminance(other) + 0.05;
  return std::max(a, b) / std::min(a, b);
}

TEST(ColourScale, OfOneSignGoesFromTheSmallestToTheLargest) {
  const auto one = scale({2, 5, 3});
  EXPECT_EQ(one.colour(2), lightest);
  EXPECT_EQ(one.colour(5), darkest);
  EXPECT_FALSE(one.diverges());
  EXPECT_EQ(one.lowest(), 2);
  EXPECT_EQ(one.highest(), 5);
  EXPECT_EQ(scale({-5, -2}).colour(-5), lightest);
  EXPECT_FALSE(scale({0, 4}).diverges());
  EXPECT_FALSE(scale({-4, 0}).diverges());
}

TEST(ColourScale, OfTwoSignsGoesAroundZero) {
  const auto both = scale({-4, 1, 2});
  EXPECT_TRUE(both.diverges());
  EXPECT_EQ(both.lowest(), -4);
  EXPECT_EQ(both.highest(), 4);
  EXPECT_EQ(scale({-2, 4}).lowest(), -4);
  EXPECT_EQ(both.colour(4), darkest);
  EXPECT_EQ(both.colour(-4), (Rgb{127, 39, 4}));
  EXPECT_EQ(both.colour(2), (Rgb{133, 188, 220}));  // between the third and the fourth of the six blues
  EXPECT_EQ(both.colour(0), lightest);
}

TEST(ColourScale, GrowsDarkerWithTheMagnitude) {
  const auto both = scale({-1, 1});
  for (const double sign : {1.0, -1.0}) {
    for (int i = 0; i < 100; ++i) {
      EXPECT_GT(luminance(both.colour(sign * i / 100)), luminance(both.colour(sign * (i + 1) / 100))) << i;
    }
  }
}

TEST(ColourScale, LeavesOutWhatIsNotFinite) {
  const auto masked = scale({-inf, 1, 3, std::nan(""), inf});
  EXPECT_EQ(masked.lowest(), 1);
  EXPECT_EQ(masked.highest(), 3);
  EXPECT_EQ(masked.colour(-inf), grey);
  EXPECT_EQ(masked.colour(std::nan("")), grey);
}

TEST(ColourScale, OfOneValueOrNoneIsLight) {
  EXPECT_EQ(scale({7, 7}).colour(7), lightest);
  EXPECT_EQ(scale({}).colour(0), lightest);
  EXPECT_EQ(scale({inf}).lowest(), 0);
}

TEST(ColourScale, HasTextThatCanBeRead) {
  const auto both = scale({-1, 1});
  for (int i = -100; i <= 100; ++i) {
    const double value = i / 100.0;
    EXPECT_GE(contrast(both.colour(value), both.text(value)), 4.5) << value;  // WCAG 2's AA
  }
  EXPECT_GE(contrast(both.colour(inf), both.text(inf)), 4.5);
}

}  // namespace
}  // namespace torchbook::report
