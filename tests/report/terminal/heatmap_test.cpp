// Tests heatmaps byte for byte.
#include <gtest/gtest.h>
#include <report/samples.h>
#include <support/texts.h>
#include <torchbook/notebook/lines.h>
#include <torchbook/report/colour_scale.h>
#include <torchbook/report/terminal/heatmap.h>
#include <torchbook/report/terminal/text.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace torchbook::report {
namespace {

using test::inf;

/// Returns the numbers 0, 1, 2 … in a shape.
notebook::RecordedTensor counted(std::vector<std::int64_t> shape) {
  std::int64_t size = 1;
  for (const auto extent : shape) size *= extent;
  std::vector<std::int64_t> values;
  for (std::int64_t i = 0; i < size; ++i) values.push_back(i);
  return test::tensor<std::int64_t>("torch.int64", std::move(shape), values);
}

TEST(Heatmap, InShades) {
  EXPECT_EQ(heatmap_text(test::tensor({5}, {0, 0.25, 0.5, 0.75, 1}), {}),
            "# Heatmap of (5,), torch.float32\n"
            "     0.00  ░░ 0.25  ▒▒ 0.50  ▓▓ 0.75  ██ 1.00\n"
            "  lowest 0.00 │   ░░░▒▒▒▓▓▓████│ highest 1.00\n");
}

TEST(Heatmap, InShadesOfTheDistanceFromZero) {
  EXPECT_EQ(heatmap_text(test::tensor({2, 2}, {-2, -1, 0, 2}), {.width = 26}),
            "# Heatmap of (2, 2), torch.float32\n"
            "  ██ -2  ▒▒ -1\n"
            "      0  ██  2\n"
            "  lowest -2 │██│ highest 2\n");
}

TEST(Heatmap, InAnyColour) {
  EXPECT_EQ(
      heatmap_text(test::tensor({2, 2}, {0, 1, -inf, NAN}), {.width = 39, .depth = ColourDepth::truecolour}),
      "\033[2m# Heatmap of (2, 2), torch.float32\033[0m\n"
      "  \033[48;2;247;251;255;38;2;0;0;0m    0 \033[0m"
      "\033[48;2;8;48;107;38;2;255;255;255m    1 \033[0m\n"
      "  \033[48;2;189;189;189;38;2;0;0;0m -inf \033[0m"
      "\033[48;2;189;189;189;38;2;0;0;0m  nan \033[0m\n"
      "  lowest 0 │\033[48;2;247;251;255m \033[0m\033[48;2;8;48;107m \033[0m│ highest 1, "
      "\033[48;2;189;189;189m \033[0m not finite\n");
}

TEST(Heatmap, InColoursOfThePalette) {
  EXPECT_EQ(heatmap_text(test::tensor({2}, {-1, 1}), {.width = 20, .depth = ColourDepth::palette}),
            "\033[2m# Heatmap of (2,), torch.float32\033[0m\n"
            "  \033[48;5;88;38;5;231m -1 \033[0m\033[48;5;23;38;5;231m  1 \033[0m\n"
            "  lowest -1 │\033[48;5;88m \033[0m\033[48;5;23m \033[0m│ highest 1\n");
}

TEST(Heatmap, MarksWhatIsNotFinite) {
  EXPECT_EQ(heatmap_text(test::tensor({3}, {-inf, 1, NAN}), {}),
            "# Heatmap of (3,), torch.float32\n"
            "  ·· -inf        1  ··  nan\n"
            "  lowest 1 │                │ highest 1, · not finite\n");
  EXPECT_EQ(heatmap_text(test::tensor({2}, {inf, inf}), {}),
            "# Heatmap of (2,), torch.float32\n  ·· inf  ·· inf\n  · not finite\n");
}

TEST(Heatmap, OfThreeDimensionsIsOneScaleAndAMatrixASlice) {
  EXPECT_EQ(heatmap_text(counted({2, 1, 2}), {}),
            "# Heatmap of (2, 1, 2), torch.int64\n"
            "  [0]\n"
            "     0  ░░ 1\n"
            "  [1]\n"
            "  ▓▓ 2  ██ 3\n"
            "  lowest 0 │   ░░░▒▒▒▓▓▓████│ highest 3\n");
}

TEST(Heatmap, LeavesOutColumnsThatDoNotFit) {
  test::expect_part(heatmap_text(counted({5}), {.width = 32}),
                    ", torch.int64\n     0  ░░ 1  ▒▒ 2  ▓▓ 3  ██ 4\n");
  EXPECT_EQ(heatmap_text(counted({100}), {.width = 40}),
            "# Heatmap of (100,), torch.int64\n"
            "# of which (5,) is shown\n"
            "      0      1      2   … ██ 98  ██ 99\n"
            "  lowest 0 │   ░░░▒▒▒▓▓▓████│ highest 99\n");
}

TEST(Heatmap, LeavesOutRowsAndSlicesWhereThereAreMany) {
  const auto rows = heatmap_text(counted({21, 1}), {});
  EXPECT_TRUE(rows.starts_with("# Heatmap of (21, 1), torch.int64\n# of which (20, 1) is shown\n      0\n"))
      << rows;
  test::expect_part(rows, "  ▒▒  9\n  …\n  ▒▒ 11\n");
  const auto slices = heatmap_text(counted({5, 20, 1}), {});
  EXPECT_TRUE(
      slices.starts_with("# Heatmap of (5, 20, 1), torch.int64\n# of which (2, 20, 1) is shown\n  [0]\n"))
      << slices;
  test::expect_part(slices, " 19\n  …\n  [4]\n");
}

TEST(Heatmap, FitsItsWidth) {
  for (const std::size_t width : {40U, 47U, 80U, 200U}) {
    for (const auto depth : {ColourDepth::none, ColourDepth::palette, ColourDepth::truecolour}) {
      for (const auto& tensor :
           {counted({40, 300}), counted({3, 30, 30}), test::tensor({1, 2}, {-1e-20F, 3e20F})}) {
        const auto text = heatmap_text(tensor, {.width = width, .depth = depth});
        for (const auto line : notebook::lines_of(text)) EXPECT_LE(display_width(line), width) << text;
      }
    }
  }
}

TEST(Heatmap, OfANarrowTerminalShowsAColumn) {
  const auto text = heatmap_text(counted({3}), {.width = 3});
  EXPECT_TRUE(text.starts_with("# Heatmap of (3,), torch.int64\n# of which (1,) is shown\n     0   …\n"))
      << text;
}

TEST(Heatmap, HasOneFormatForAllNumbers) {
  const auto row = [](const std::vector<float>& values) {
    const auto text = heatmap_text(test::tensor({2}, values), {});
    return std::string(notebook::lines_of(text)[1]);
  };
  EXPECT_EQ(row({1, 100}), "       1  ██ 100");
  EXPECT_EQ(row({1, 100.5}), "       1.00  ██ 100.50");
  EXPECT_EQ(row({0, 0.001F}), "     0.0e+00  ██ 1.0e-03");
  EXPECT_EQ(row({0.5, 20000}), "     5.0e-01  ██ 2.0e+04");
  EXPECT_EQ(row({0, 999999}), "          0  ██ 999999");
  EXPECT_EQ(row({0, 1000000}), "     0.0e+00  ██ 1.0e+06");
  EXPECT_EQ(row({0.5, 9999}), "        0.50  ██ 9999.00");
  EXPECT_EQ(row({0.5, 10000}), "     5.0e-01  ██ 1.0e+04");
}

TEST(Heatmap, DrawsBools) {
  EXPECT_EQ(std::string(notebook::lines_of(
                heatmap_text(test::tensor<std::uint8_t>("torch.bool", {2}, {0, 1}), {}))[1]),
            "     0  ██ 1");
}

TEST(Heatmap, DrawsNothingElse) {
  EXPECT_EQ(heatmap_text(test::tensor({}, {1}), {}), "");
  EXPECT_EQ(heatmap_text(test::tensor({1, 1, 1, 1}, {1}), {}), "");
  EXPECT_EQ(heatmap_text(test::tensor({0, 3}, {}), {}), "");
  EXPECT_EQ(heatmap_text(test::tensor<float>("torch.complex64", {1}, {1, 2}), {}), "");
}

TEST(Palette, HoldsItsOwnColours) {
  EXPECT_EQ(palette_colour({0, 0, 0}), 16);
  EXPECT_EQ(palette_colour({255, 255, 255}), 231);
  EXPECT_EQ(palette_colour({95, 135, 175}), 67);
  EXPECT_EQ(palette_colour({8, 8, 8}), 232);
  EXPECT_EQ(palette_colour({188, 188, 188}), 250);
  EXPECT_EQ(palette_colour({238, 238, 238}), 255);
}

TEST(Palette, HasTheNearestOfOtherColours) {
  EXPECT_EQ(palette_colour({100, 0, 0}), 52);  // {95, 0, 0}
  EXPECT_EQ(palette_colour({0, 100, 0}), 22);
  EXPECT_EQ(palette_colour({0, 0, 100}), 17);
  EXPECT_EQ(palette_colour({12, 12, 12}), 232);  // {8, 8, 8}
}

}  // namespace
}  // namespace torchbook::report
