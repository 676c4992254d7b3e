// Tests that recorded tensors are found, by their digits, in the texts that show them.
#include <gtest/gtest.h>
#include <support/recorded_tensor.h>
#include <torchbook/golden/shown_tensor.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace torchbook::golden {
namespace {

using Shape = std::vector<std::int64_t>;

using test::floats;
using test::tensor;

bool is_shown(const std::string& text, const notebook::RecordedTensor& recorded) {
  notebook::Cell cell;
  cell.out = text;
  cell.tensors = {recorded};
  return !shown_tensors(cell).empty();
}

TEST(Shows, AValueThatRoundsToThePrintedPlace) {
  EXPECT_TRUE(is_shown("tensor([0.1235, 2.0000])", floats({0.12346F, 2})));
  EXPECT_TRUE(is_shown("tensor([1., 2.])", floats({1, 2})));
  EXPECT_TRUE(is_shown("tensor([1.2346e-05, 3.0000e+00])", floats({1.23456e-05F, 3})));
  EXPECT_TRUE(is_shown("tensor([0., -0.])", floats({0, -0.0F})));
  EXPECT_FALSE(is_shown("tensor([0.1235])", floats({0.1236F})));
  EXPECT_FALSE(is_shown("tensor([1])", floats({1})));  // an int
  EXPECT_FALSE(is_shown("tensor([1.])", floats({-1})));
}

TEST(Shows, TiesAreThoseOfTheExactValue) {
  const auto of = [](double value) { return tensor<double>("torch.float64", {1}, {value}); };
  EXPECT_TRUE(is_shown("tensor([0.1250])", of(0.125)));
  EXPECT_TRUE(is_shown("tensor([0.12])", of(0.125)));  // a tie is rounded to even
  EXPECT_FALSE(is_shown("tensor([0.13])", of(0.125)));
  EXPECT_TRUE(is_shown("tensor([0.13])", of(std::nextafter(0.125, 1.0))));
  EXPECT_FALSE(is_shown("tensor([0.12])", of(std::nextafter(0.125, 1.0))));
  // The double 0.15 is a little less than 0.15. Rounding a rounded text, or a tolerance, would give 0.2.
  EXPECT_TRUE(is_shown("tensor([0.1])", of(0.15)));
  EXPECT_FALSE(is_shown("tensor([0.2])", of(0.15)));
}

TEST(Shows, ValuesOfAnySize) {
  const auto of = [](double value) { return tensor<double>("torch.float64", {1}, {value}); };
  EXPECT_TRUE(is_shown("tensor([1.7977e+308])", of(std::numeric_limits<double>::max())));
  EXPECT_TRUE(is_shown("tensor([4.9407e-324])", of(std::numeric_limits<double>::denorm_min())));
  EXPECT_TRUE(is_shown("tensor([100000000000000000000.])", of(1e20)));
  EXPECT_TRUE(is_shown("tensor([0." + std::string(100000, '0') + "])", of(0)));
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(is_shown("tensor([inf])", of(inf)));
  EXPECT_TRUE(is_shown("tensor([-inf])", of(-inf)));
  EXPECT_FALSE(is_shown("tensor([inf])", of(-inf)));
  EXPECT_FALSE(is_shown("tensor([inf])", of(1)));
  EXPECT_FALSE(is_shown("tensor([1.])", of(inf)));
  EXPECT_TRUE(is_shown("tensor([nan])", of(std::nan(""))));
  EXPECT_FALSE(is_shown("tensor([nan])", of(0)));
  EXPECT_FALSE(is_shown("tensor([0.])", of(std::nan(""))));
}

TEST(Shows, IntegersDigitByDigit) {
  const std::int64_t large = (std::int64_t{1} << 53) + 1;  // no double has this value
  EXPECT_TRUE(is_shown("tensor([9007199254740993])", tensor<std::int64_t>("torch.int64", {1}, {large})));
  EXPECT_FALSE(is_shown("tensor([9007199254740992])", tensor<std::int64_t>("torch.int64", {1}, {large})));
  const auto lowest = std::numeric_limits<std::int64_t>::min();
  EXPECT_TRUE(is_shown("tensor([-9223372036854775808])", tensor<std::int64_t>("torch.int64", {1}, {lowest})));
  EXPECT_TRUE(is_shown("tensor([18446744073709551615], dtype=torch.uint64)",
                       tensor<std::uint64_t>("torch.uint64", {1}, {~std::uint64_t{0}})));
  EXPECT_TRUE(is_shown("tensor([-1], dtype=torch.int8)", tensor<std::int8_t>("torch.int8", {1}, {-1})));
  EXPECT_TRUE(is_shown("tensor([255], dtype=torch.uint8)", tensor<std::uint8_t>("torch.uint8", {1}, {255})));
  EXPECT_FALSE(is_shown("tensor([1.])", tensor<std::int64_t>("torch.int64", {1}, {1})));
}

TEST(Shows, OtherDtypes) {
  EXPECT_TRUE(is_shown("tensor([True, False])", tensor<char>("torch.bool", {2}, {1, 0})));
  EXPECT_FALSE(is_shown("tensor([True, True])", tensor<char>("torch.bool", {2}, {1, 0})));
  EXPECT_FALSE(is_shown("tensor([1, 0])", tensor<char>("torch.bool", {2}, {1, 0})));
  EXPECT_TRUE(is_shown("tensor([1.0010], dtype=torch.float16)",
                       tensor<std::uint16_t>("torch.float16", {1}, {0x3C01})));
  EXPECT_FALSE(is_shown("tensor([1.0000], dtype=torch.float16)",
                        tensor<std::uint16_t>("torch.float16", {1}, {0x3C01})));
  EXPECT_TRUE(is_shown("tensor([1.0156], dtype=torch.bfloat16)",
                       tensor<std::uint16_t>("torch.bfloat16", {1}, {0x3F82})));
  EXPECT_TRUE(is_shown("tensor([3.-4.5000j])", tensor<float>("torch.complex64", {1}, {3, -4.5F})));
  EXPECT_FALSE(is_shown("tensor([3.+4.5000j])", tensor<float>("torch.complex64", {1}, {3, -4.5F})));
  EXPECT_FALSE(is_shown("tensor([3.])", tensor<float>("torch.complex64", {1}, {3, 0})));
  EXPECT_FALSE(is_shown("tensor([1.])", tensor<char>("torch.quint8", {1}, {1})));
}

TEST(Shows, TheSameShapeOnly) {
  EXPECT_FALSE(is_shown("tensor([[1., 2.]])", floats({1, 2})));
  EXPECT_FALSE(is_shown("tensor([1.,  ..., 2.])", floats({1, 2})));
  EXPECT_TRUE(is_shown("tensor([1.,  ..., 2.])", floats({1, 7, 2})));
  EXPECT_FALSE(is_shown("tensor([1.,  ..., 2.])", floats({1, 7, 3})));
  EXPECT_TRUE(is_shown("tensor(1.)", tensor<float>("torch.float32", {}, {1})));
  EXPECT_TRUE(is_shown("tensor([], size=(0, 3))", tensor<float>("torch.float32", {0, 3}, {})));
  notebook::RecordedTensor torn = floats({1, 2});
  torn.bytes.pop_back();
  EXPECT_FALSE(is_shown("tensor([1., 2.])", torn));
}

/// Returns texts such as `stdout 2 = 0`: the second printed tensor of stdout shows the first recorded tensor.
std::vector<std::string> found(const std::string& out, const std::optional<std::string>& result,
                               std::vector<notebook::RecordedTensor> recorded) {
  notebook::Cell cell;
  cell.out = out;
  cell.result = result;
  cell.tensors = std::move(recorded);
  std::vector<std::string> lines;
  for (const auto& one : shown_tensors(cell)) {
    lines.push_back(std::string(one.where) + ' ' + std::to_string(one.number) + " = " +
                    std::to_string(one.recorded));
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST(ShownTensors, AreFoundInTheOrderOfPrinting) {
  EXPECT_EQ(found("tensor([1.]) tensor([2.]) tensor([1.])\n", "tensor([1.])",
                  {floats({1}), floats({2}), floats({1}), floats({1})}),
            (Lines{"stdout 1 = 0", "stdout 2 = 1", "stdout 3 = 2", "result 1 = 3"}));
  EXPECT_EQ(found("tensor([9.]) tensor([2.])\n", std::nullopt, {floats({1}), floats({2})}),
            Lines{"stdout 2 = 1"});
  EXPECT_EQ(found("", "tensor([0.,  ..., 2.])", {floats({0, 1, 2})}), Lines{"result 1 = 0"});
}

TEST(ShownTensors, AreNotPassedByOneThatWasFormattedAsANumber) {
  const auto scalar = tensor<float>("torch.float32", {}, {1});
  EXPECT_EQ(found("1.0 tensor([2.]) tensor(1.)\n", std::nullopt, {scalar, floats({2}), scalar}),
            (Lines{"stdout 1 = 1", "stdout 2 = 2"}));
}

}  // namespace
}  // namespace torchbook::golden
