// Tests that pictures have the colours of their tensors, square by square. libpng reads them back.
#include <gtest/gtest.h>
#include <png.h>
#include <report/samples.h>
#include <torchbook/report/colour_scale.h>
#include <torchbook/report/documents/picture.h>

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace torchbook::report {
namespace {

using test::inf;
using test::tensor;
using Pixel = std::array<int, 4>;  // red, green, blue, opacity

constexpr Pixel lightest_pixel = {247, 251, 255, 255};
constexpr Pixel dark_blue = {8, 48, 107, 255};
constexpr Pixel dark_orange = {127, 39, 4, 255};
constexpr Pixel grey_pixel = {189, 189, 189, 255};
constexpr Pixel line = {204, 204, 204, 255};
constexpr Pixel nothing = {0, 0, 0, 0};

/// A decoded PNG file.
struct Image {
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<std::uint8_t> bytes;

  Pixel at(std::size_t x, std::size_t y) const {
    const auto* pixel = &bytes.at(4 * (y * width + x));
    return {pixel[0], pixel[1], pixel[2], pixel[3]};
  }
};

Image read(const std::string& png) {
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  EXPECT_NE(png_image_begin_read_from_memory(&header, png.data(), png.size()), 0) << header.message;
  header.format = PNG_FORMAT_RGBA;
  Image image{header.width, header.height, std::vector<std::uint8_t>(PNG_IMAGE_SIZE(header))};
  EXPECT_NE(png_image_finish_read(&header, nullptr, image.bytes.data(), 0, nullptr), 0) << header.message;
  return image;
}

Image image_of(const notebook::RecordedTensor& tensor) { return read(heatmap(tensor).value().png); }
std::string description_of(const notebook::RecordedTensor& tensor) {
  return heatmap(tensor).value().description;
}

TEST(Picture, HasASquareForEachElement) {
  const auto image = image_of(tensor({2, 3}, {-4, 0, 4, 0, inf, -4}));
  ASSERT_EQ(image.width, 73U);
  ASSERT_EQ(image.height, 49U);
  EXPECT_EQ(image.at(12, 12), dark_orange);
  EXPECT_EQ(image.at(36, 12), lightest_pixel);
  EXPECT_EQ(image.at(60, 12), dark_blue);
  EXPECT_EQ(image.at(12, 36), lightest_pixel);
  EXPECT_EQ(image.at(36, 36), grey_pixel);
  EXPECT_EQ(image.at(60, 36), dark_orange);
}

TEST(Picture, HasLinesAroundTheSquares) {
  const auto image = image_of(tensor({2, 2}, {1, 2, 3, 4}));
  for (const std::size_t place : {0U, 24U, 48U}) {
    EXPECT_EQ(image.at(place, 12), line) << place;
    EXPECT_EQ(image.at(12, place), line) << place;
  }
  EXPECT_EQ(image.at(1, 1), lightest_pixel);
  EXPECT_EQ(image.at(47, 47), dark_blue);
}

TEST(Picture, OfOneDimensionIsARow) {
  const auto image = image_of(tensor({4}, {0, 1, 2, 3}));
  EXPECT_EQ(image.width, 97U);
  EXPECT_EQ(image.height, 25U);
  EXPECT_EQ(image.at(12, 12), lightest_pixel);
  EXPECT_EQ(image.at(84, 12), dark_blue);
}

TEST(Picture, OfThreeDimensionsHasATileForEachIndexOfTheFirst) {
  const auto image = image_of(tensor({2, 1, 2}, {0, 1, 1, 0}));
  ASSERT_EQ(image.width, 110U);  // twice 49, and 12 between
  EXPECT_EQ(image.at(12, 12), lightest_pixel);
  EXPECT_EQ(image.at(36, 12), dark_blue);
  EXPECT_EQ(image.at(55, 12), nothing);
  EXPECT_EQ(image.at(73, 12), dark_blue);
  EXPECT_EQ(image.at(97, 12), lightest_pixel);
}

TEST(Picture, PutsTilesThatDoNotFitBelow) {
  std::vector<float> values(30);
  values.back() = 1;
  const auto image = image_of(tensor({30, 1, 1}, values));
  ASSERT_EQ(image.width, 765U);  // 21 tiles of 25, and 20 times 12 between
  ASSERT_EQ(image.height, 62U);
  EXPECT_EQ(image.at(271, 49), lightest_pixel);
  EXPECT_EQ(image.at(308, 49), dark_blue);  // the ninth of the second row
  EXPECT_EQ(image.at(345, 49), nothing);
}

TEST(Picture, HasSmallerSquaresForLargerTensors) {
  std::vector<float> values(100 * 10);
  values.back() = 1;
  const auto image = image_of(tensor({100, 10}, values));
  ASSERT_EQ(image.height, 701U);  // squares of 7
  ASSERT_EQ(image.width, 71U);
  EXPECT_EQ(image.at(66, 696), dark_blue);
  EXPECT_EQ(image.at(59, 696), lightest_pixel);
}

TEST(Picture, HasNoLinesWhereSquaresAreTiny) {
  std::vector<float> values(768 * 2);
  values.back() = 1;
  const auto image = image_of(tensor({2, 768}, values));
  ASSERT_EQ(image.width, 768U);
  ASSERT_EQ(image.height, 2U);
  EXPECT_EQ(image.at(0, 0), lightest_pixel);
  EXPECT_EQ(image.at(767, 1), dark_blue);
}

TEST(Picture, IsNoneOfWhatHasNoSquares) {
  EXPECT_FALSE(heatmap(tensor({}, {1})));
  EXPECT_FALSE(heatmap(tensor({1}, {1})));
  EXPECT_FALSE(heatmap(tensor({0}, {})));
  EXPECT_FALSE(heatmap(tensor({2, 0}, {})));
  EXPECT_FALSE(heatmap(tensor({1, 1, 1, 2}, {1, 2})));
  EXPECT_FALSE(heatmap(tensor({769}, std::vector<float>(769))));
  EXPECT_FALSE(heatmap({.dtype = "torch.complex64", .shape = {2}, .bytes = std::string(16, '\0')}));
}

TEST(Picture, OfATornRecordIsNone) { EXPECT_FALSE(heatmap(tensor({3, 3}, {1, 2, 3}))); }

TEST(Picture, IsDescribed) {
  EXPECT_EQ(description_of(tensor({2, 2}, {1, 2, 3, 4.5})),
            "Heatmap of a torch.float32 tensor of shape (2, 2): from 1, white, to 4.5, dark blue");
  EXPECT_EQ(description_of(tensor({3}, {-1, 0.25, inf})),
            "Heatmap of a torch.float32 tensor of shape (3,): -1 is dark orange, 0 white, 1 dark blue, grey "
            "is not finite");
  EXPECT_EQ(description_of(tensor({2, 1, 1}, {7, 7})),
            "Heatmap of a torch.float32 tensor of shape (2, 1, 1) as 2 tiles: all 7");
  EXPECT_EQ(description_of(tensor({2}, {inf, -inf})),
            "Heatmap of a torch.float32 tensor of shape (2,): none of its numbers is finite, all are grey");
  EXPECT_EQ(description_of({.dtype = "torch.bool", .shape = {2}, .bytes = std::string("\0\1", 2)}),
            "Heatmap of a torch.bool tensor of shape (2,): from 0, white, to 1, dark blue");
}

}  // namespace
}  // namespace torchbook::report
