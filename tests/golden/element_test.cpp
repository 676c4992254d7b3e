// Tests values of floating-point bits against the processor, for the formats that it knows.
#include <gtest/gtest.h>
#include <torchbook/golden/element.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>

namespace torchbook::golden {
namespace {

constexpr IeeeFormat half{2, 10};
constexpr IeeeFormat brain{2, 7};
constexpr IeeeFormat single{4, 23};
constexpr IeeeFormat twofold{8, 52};

std::uint64_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

TEST(FloatValue, OfSingleAndDoubleIsTheProcessors) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100000; ++i) {
    const std::uint64_t wide = random();
    const auto narrow = static_cast<std::uint32_t>(random());
    const double expected = std::bit_cast<double>(wide);
    const float expected_single = std::bit_cast<float>(narrow);
    if (!std::isnan(expected)) {
      EXPECT_EQ(float_value(wide, twofold), expected);
    }
    if (!std::isnan(expected_single)) {
      EXPECT_EQ(float_value(narrow, single), expected_single);
    }
    EXPECT_EQ(std::isnan(float_value(wide, twofold)), std::isnan(expected));
    EXPECT_EQ(std::isnan(float_value(narrow, single)), std::isnan(expected_single));
  }
}

TEST(FloatValue, OfTheShortFormats) {
  const struct {
    std::uint64_t bits;
    IeeeFormat format;
    double value;
  } table[] = {{0x3C00, half, 1.0},        {0xC000, half, -2.0},    {0x7BFF, half, 65504.0},
               {0x0400, half, 0x1p-14},    {0x0001, half, 0x1p-24}, {0x03FF, half, 1023 * 0x1p-24},
               {0x3F80, brain, 1.0},       {0xBFC0, brain, -1.5},   {0x0001, brain, 0x1p-133},
               {0x7F7F, brain, 0x1.FEp127}};
  for (const auto& row : table) EXPECT_EQ(float_value(row.bits, row.format), row.value) << row.bits;
  EXPECT_EQ(float_value(0xFC00, half), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(float_value(0x7E00, half)));
  EXPECT_EQ(float_value(0x7F80, brain), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::signbit(float_value(0x8000, half)));
}

TEST(FloatText, IsTheShortestThatReadsBack) {
  EXPECT_EQ(float_text(bits(0.1F), single), "0.1");
  EXPECT_EQ(float_text(bits(std::nextafter(0.1F, 1.0F)), single), "0.10000001");
  EXPECT_EQ(float_text(bits(0.1), twofold), "0.1");
  EXPECT_EQ(float_text(bits(1.0F), single), "1.0");
  EXPECT_EQ(float_text(bits(-0.0F), single), "-0.0");
  EXPECT_EQ(float_text(bits(1e-45F), single), "1e-45");
  EXPECT_EQ(float_text(bits(-std::numeric_limits<double>::infinity()), twofold), "-inf");
  EXPECT_EQ(float_text(0x7FC00001, single), "nan (0x7fc00001)");
  EXPECT_EQ(float_text(0x7E00, half), "nan (0x7e00)");
  EXPECT_EQ(float_text(0x3C01, half), "1.0009766");
}

TEST(ElementText, OfEveryDtypeReadsItsBytesAndNoMore) {
  const struct {
    const char* dtype;
    std::size_t bytes;
    const char* text;  // of an element of which every bit is set
  } table[] = {{"torch.bool", 1, "True"},
               {"torch.int8", 1, "-1"},
               {"torch.int16", 2, "-1"},
               {"torch.int32", 4, "-1"},
               {"torch.int64", 8, "-1"},
               {"torch.uint8", 1, "255"},
               {"torch.uint16", 2, "65535"},
               {"torch.uint32", 4, "4294967295"},
               {"torch.uint64", 8, "18446744073709551615"},
               {"torch.float16", 2, "nan (0xffff)"},
               {"torch.bfloat16", 2, "nan (0xffff)"},
               {"torch.float32", 4, "nan (0xffffffff)"},
               {"torch.float64", 8, "nan (0xffffffffffffffff)"},
               {"torch.complex32", 4, "nan (0xffff)+nan (0xffff)j"},
               {"torch.complex64", 8, "nan (0xffffffff)+nan (0xffffffff)j"},
               {"torch.complex128", 16, "nan (0xffffffffffffffff)+nan (0xffffffffffffffff)j"},
               {"torch.quint8", 3, "0xffffff"}};
  for (const auto& row : table) {
    const auto memory = std::string(row.bytes, '\xff') + std::string(8, 'x');
    EXPECT_EQ(element_text(memory.data(), row.bytes, element_format(row.dtype)), row.text) << row.dtype;
  }
}

}  // namespace
}  // namespace torchbook::golden
