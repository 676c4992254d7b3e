// Tests Python's f-strings through fmt.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <torchbook/pyrepr/fmt.h>
#include <torchbook/pyrepr/python.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "judged.h"
#include "tensors.h"

namespace torchbook::pyrepr {
namespace {

using namespace torchbook::test;

TEST(FormatTensor, OfMoreDimensionsIsItsStr) {
  EXPECT_PYTHON("f'{torch.tensor([1., 2.5])}'", fmt::format("{}", f32({1, 2.5})), "tensor([1.0000, 2.5000])");
  EXPECT_PYTHON("f'{torch.tensor([0.1])}'", fmt::format("{}", f32({0.1f})), "tensor([0.1000])");
  EXPECT_PYTHON("f'a {torch.arange(4).view(2, 2)} b'", fmt::format("a {} b", at::arange(4).view({2, 2})),
                "a tensor([[0, 1],\n"
                "        [2, 3]]) b");
  EXPECT_PYTHON("f'{torch.zeros(0)}'", fmt::format("{}", at::zeros({0})), "tensor([])");
  EXPECT_PYTHON("f'{torch.empty((), device=\"meta\")}'",
                fmt::format("{}", at::empty({}, at::device(at::kMeta))),
                "tensor(..., device='meta', size=())");
}

TEST(FormatTensor, OfMoreDimensionsTakesNoSpec) {
  EXPECT_PYTHON_RAISES("f'{torch.ones(2):.3f}'", "TypeError", fmt::format("{:.3f}", at::ones({2})),
                       fmt::format_error);
  EXPECT_PYTHON_RAISES("f'{torch.ones(1):5}'", "TypeError", fmt::format("{:5}", at::ones({1})),
                       fmt::format_error);
}

TEST(FormatTensor, FollowsThePrintOptionsOnlyWhereItIsStr) {
  const ScopedPrintOptions scope({.precision = 2});
  EXPECT_PYTHON("repr_with(torch.tensor([0.125]), precision=2)", fmt::format("{}", f32({0.125})),
                "tensor([0.12])");
  EXPECT_PYTHON("f'{torch.tensor(0.125)}'", fmt::format("{}", scalar(0.125f)), "0.125");
}

TEST(FormatSize, IsItsStrAndTakesNoSpec) {
  EXPECT_PYTHON("f'{torch.zeros(2, 3).shape}'", fmt::format("{}", shape(at::zeros({2, 3}))),
                "torch.Size([2, 3])");
  EXPECT_PYTHON_RAISES("f'{torch.zeros(2, 3).shape:>20}'", "TypeError",
                       format(shape(at::zeros({2, 3})), ">20"), fmt::format_error);
}

TEST(FormatValue, WrapsBoolsAndFloatsOnly) {
  EXPECT_PYTHON("f'{1.0} {True} {0.1}'", fmt::format("{} {} {}", python(1.0), python(true), python(0.1)),
                "1.0 True 0.1");
  EXPECT_PYTHON("f'{torch.tensor(0.1).item()}'", fmt::format("{}", python(0.1f)), "0.10000000149011612");
  EXPECT_PYTHON("f'{1.5:6.2f}|{7:>3}|{\"ab\":<4}|'",
                fmt::format("{:6.2f}|{:>3}|{:<4}|", python(1.5), python(7), python(std::string_view("ab"))),
                "  1.50|  7|ab  |");
}

TEST(FormatInt, AsCharacterTakesEachLengthOfUtf8) {
  EXPECT_PYTHON("format(0x7f, 'c')", format(std::int64_t{0x7F}, "c"), "\x7f");
  EXPECT_PYTHON("format(0x80, 'c')", format(std::int64_t{0x80}, "c"), "\xC2\x80");
  EXPECT_PYTHON("format(0x7ff, 'c')", format(std::int64_t{0x7FF}, "c"), "\u07FF");
  EXPECT_PYTHON("format(0x800, 'c')", format(std::int64_t{0x800}, "c"), "\u0800");
  EXPECT_PYTHON("format(0xffff, 'c')", format(std::int64_t{0xFFFF}, "c"), "\xEF\xBF\xBF");
  EXPECT_PYTHON("format(0x10000, 'c')", format(std::int64_t{0x10000}, "c"), "\U00010000");
  EXPECT_PYTHON("format(0x10ffff, 'c')", format(std::int64_t{0x10FFFF}, "c"), "\xF4\x8F\xBF\xBF");
}

TEST(FormatFloat, ChoosesTheShorterNotation) {
  const auto general = [](double value, std::string_view spec) { return format(value, spec); };
  EXPECT_PYTHON("format(1.5, '.0g')", general(1.5, ".0g"), "2");
  EXPECT_PYTHON("format(25., '.1g')", general(25, ".1g"), "2e+01");
  EXPECT_PYTHON("format(1.23456789e10, '.3g')", general(1.23456789e10, ".3g"), "1.23e+10");
  EXPECT_PYTHON("format(1e-4, 'g')", general(1e-4, "g"), "0.0001");
  EXPECT_PYTHON("format(1e-5, 'g')", general(1e-5, "g"), "1e-05");
  EXPECT_PYTHON("format(2., 'g')", general(2, "g"), "2");
  EXPECT_PYTHON("format(100., '.4')", general(100, ".4"), "100.0");
  EXPECT_PYTHON("format(100., '.3')", general(100, ".3"), "1e+02");
}

TEST(FormatFloat, HasAPointInTheAlternateForm) {
  EXPECT_PYTHON("format(1., '#.3g')", format(1.0, "#.3g"), "1.00");
  EXPECT_PYTHON("format(100., '#.3g')", format(100.0, "#.3g"), "100.");
  EXPECT_PYTHON("format(1e10, '#.1g')", format(1e10, "#.1g"), "1.e+10");
  EXPECT_PYTHON("format(2.5, '.0f')", format(2.5, ".0f"), "2");
  EXPECT_PYTHON("format(2.5, '#.0f')", format(2.5, "#.0f"), "2.");
  EXPECT_PYTHON("format(2.5, '#.0e')", format(2.5, "#.0e"), "2.e+00");
  EXPECT_PYTHON("format(1e16, '#')", format(1e16, "#"), "1.e+16");
}

TEST(FormatFloat, IsUpperCaseWhereItsTypeIs) {
  EXPECT_PYTHON("format(1e20, 'E')", format(1e20, "E"), "1.000000E+20");
  EXPECT_PYTHON("format(1e20, 'G')", format(1e20, "G"), "1E+20");
  EXPECT_PYTHON("format(inf, 'F')", format(std::numeric_limits<double>::infinity(), "F"), "INF");
}

TEST(FormatFloat, KeepsTheSignOfWhatIsNotZeroIfAskedFor) {
  EXPECT_PYTHON("format(-0.04, 'z.1f')", format(-0.04, "z.1f"), "0.0");
  EXPECT_PYTHON("format(-0.06, 'z.1f')", format(-0.06, "z.1f"), "-0.1");
}

TEST(FormatFloat, TakesAnyPrecision) {
  EXPECT_PYTHON("format(0.5, '.1000f')", format(0.5, ".1000f"), "0.5" + std::string(999, '0'));
  EXPECT_PYTHON("format(0.5, '.1000e')", format(0.5, ".1000e"), "5." + std::string(1000, '0') + "e-01");
}

TEST(FormatComplex, IsPaddedAsAWhole) {
  EXPECT_PYTHON("format(1 + 2j, '9.1f')", format(scalar(c10::complex<float>(1, 2)), "9.1f"), " 1.0+2.0j");
}

TEST(FormatGrouping, CountsTheZerosThatPadTheNumber) {
  EXPECT_PYTHON("format(1234567, '015,')", format(1234567, "015,"), "000,001,234,567");
  EXPECT_PYTHON("format(1234, '08,')", format(1234, "08,"), "0,001,234");
  EXPECT_PYTHON("format(1234, '08')", format(1234, "08"), "00001234");
  EXPECT_PYTHON("format(-1234.5, '012,')", format(-1234.5, "012,"), "-0,001,234.5");
  EXPECT_PYTHON("format(255, '#010_x')", format(255, "#010_x"), "0x000_00ff");
  EXPECT_PYTHON("format(1234, '0>12,')", format(1234, "0>12,"), "00000001,234");
  EXPECT_PYTHON("format(1234, '*=12,')", format(1234, "*=12,"), "*******1,234");
  EXPECT_PYTHON("format(math.inf, '09,')", format(std::numeric_limits<double>::infinity(), "09,"),
                "000000inf");
}

TEST(FormatGrouping, OfAWideField) {
  EXPECT_PYTHON("str(len(format(1.5, '0160000,')))", std::to_string(format(1.5, "0160000,").size()),
                "160000");
}

}  // namespace
}  // namespace torchbook::pyrepr
