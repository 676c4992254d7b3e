// Tests reading the elements of recorded tensors as numbers.
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <gtest/gtest.h>
#include <torchbook/golden/element.h>

#include <cmath>
#include <string>
#include <vector>

namespace torchbook::golden {
namespace {

using Values = std::vector<double>;

TEST(RecordedTensor, GivesItsElementsAsNumbers) {
  using namespace std::string_literals;
  EXPECT_EQ(values_of(notebook::RecordedTensor{"torch.float32", {2}, "\0\0\x80\x3f\0\0\0\xc0"s}),
            (Values{1, -2}));
  EXPECT_EQ(values_of(notebook::RecordedTensor{"torch.float64", {}, "\0\0\0\0\0\0\xe0\x3f"s}), (Values{0.5}));
  EXPECT_EQ(values_of(notebook::RecordedTensor{"torch.float16", {1}, "\0\x3c"s}), (Values{1}));
  EXPECT_EQ(values_of(notebook::RecordedTensor{"torch.bfloat16", {1}, "\x80\xbf"s}), (Values{-1}));
  EXPECT_EQ(values_of(notebook::RecordedTensor{"torch.int64", {1}, std::string(8, '\xff')}), (Values{-1}));
  EXPECT_EQ(values_of(notebook::RecordedTensor{"torch.int32", {1}, "\0\1\0\0"s}), (Values{256}));
  EXPECT_EQ(values_of(notebook::RecordedTensor{"torch.int16", {1}, "\xfe\xff"s}), (Values{-2}));
  EXPECT_EQ(values_of(notebook::RecordedTensor{"torch.int8", {1}, "\x80"s}), (Values{-128}));
  EXPECT_EQ(values_of(notebook::RecordedTensor{"torch.uint8", {1}, "\x80"s}), (Values{128}));
  EXPECT_EQ(values_of(notebook::RecordedTensor{"torch.bool", {2}, "\1\0"s}), (Values{1, 0}));
  EXPECT_EQ(values_of(notebook::RecordedTensor{"torch.float32", {0}, ""}), Values{});
  EXPECT_TRUE(std::isinf(values_of(notebook::RecordedTensor{"torch.float32", {}, "\0\0\x80\x7f"s})->front()));
}

/// Requires that every text of two bytes is read as the number that LibTorch has for these bits.
template <class T>
void expect_all_as_in_libtorch(const char* dtype) {
  for (std::uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
    const auto value = static_cast<double>(T(static_cast<std::uint16_t>(bits), T::from_bits()));
    const std::string bytes = {static_cast<char>(bits & 0xFF), static_cast<char>(bits >> 8)};
    const auto read = values_of(notebook::RecordedTensor{dtype, {}, bytes})->front();
    ASSERT_TRUE(read == value || (std::isnan(read) && std::isnan(value))) << dtype << ' ' << bits;
    ASSERT_TRUE(std::isnan(value) || std::signbit(read) == std::signbit(value)) << dtype << ' ' << bits;
  }
}

TEST(RecordedTensor, HasTheNumbersOfLibTorchInHalfPrecision) {
  expect_all_as_in_libtorch<c10::Half>("torch.float16");
  expect_all_as_in_libtorch<c10::BFloat16>("torch.bfloat16");
}

TEST(RecordedTensor, HasNoNumbersForOtherDtypes) {
  EXPECT_FALSE(values_of(notebook::RecordedTensor{"torch.complex64", {1}, std::string(8, '\0')}));
}

}  // namespace
}  // namespace torchbook::golden
