// Tests Python's f-strings through fmt.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <torchbook/pyrepr/fmt.h>
#include <torchbook/pyrepr/python.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

#include "judged.h"
#include "tensors.h"

namespace torchbook::pyrepr {
namespace {

using namespace torchbook::test;

TEST(FormatTensor, OfZeroDimensionsIsItsItem) {
  EXPECT_PYTHON("f'{torch.tensor(0.1)}'", fmt::format("{}", scalar(0.1f)), "0.10000000149011612");
  EXPECT_PYTHON("f'{torch.tensor(0.1, dtype=torch.float64)}'", fmt::format("{}", scalar(0.1)), "0.1");
  EXPECT_PYTHON("f'{torch.tensor(7)}'", fmt::format("{}", scalar(7, at::kLong)), "7");
  EXPECT_PYTHON("f'{torch.tensor(7, dtype=torch.uint8)}'", fmt::format("{}", scalar(7, at::kByte)), "7");
  EXPECT_PYTHON("f'{torch.tensor(True)}'", fmt::format("{}", scalar(true)), "True");
  EXPECT_PYTHON("f'{torch.tensor(0.1).half()}'", fmt::format("{}", scalar(0.1f).to(at::kHalf)),
                "0.0999755859375");
  EXPECT_PYTHON("f'{torch.tensor(0.1).bfloat16()}'", fmt::format("{}", scalar(0.1f).to(at::kBFloat16)),
                "0.10009765625");
  EXPECT_PYTHON("f'{torch.tensor(3.)}'", fmt::format("{}", scalar(3.0f)), "3.0");
  EXPECT_PYTHON("f'{torch.tensor(math.copysign(nan, -1.))}'",
                fmt::format("{}", scalar(std::copysign(kNan, -1.0f))), "nan");
  EXPECT_PYTHON("f'{torch.tensor(-inf)}'", fmt::format("{}", scalar(-kInf)), "-inf");
  EXPECT_PYTHON("f'{torch.tensor(1e16)}'", fmt::format("{}", scalar(1e16f)), "1.0000000272564224e+16");
  EXPECT_PYTHON("f'{torch.tensor(1.5, requires_grad=True)}'",
                fmt::format("{}", scalar(1.5f).requires_grad_()), "1.5");
  EXPECT_PYTHON("f'{torch.tensor([1.5, 2.])[1]}'", fmt::format("{}", f32({1.5, 2})[1]), "2.0");
}

TEST(FormatTensor, OfComplexIsPythonsComplex) {
  const auto item = [](float real, float imaginary) { return scalar(c10::complex<float>(real, imaginary)); };
  EXPECT_PYTHON("f'{torch.tensor(1 + 2j)}'", fmt::format("{}", item(1, 2)), "(1+2j)");
  EXPECT_PYTHON("f'{torch.tensor(1.5 - 0.25j)}'", fmt::format("{}", item(1.5, -0.25)), "(1.5-0.25j)");
  EXPECT_PYTHON("f'{torch.tensor(2j)}'", fmt::format("{}", item(0, 2)), "2j");
  EXPECT_PYTHON("f'{torch.tensor(complex(-0., 2.))}'", fmt::format("{}", item(-0.0f, 2)), "(-0+2j)");
  EXPECT_PYTHON("f'{torch.tensor(complex(nan, inf))}'", fmt::format("{}", item(kNan, kInf)), "(nan+infj)");
  EXPECT_PYTHON("f'{torch.tensor(complex(1., -0.))}'", fmt::format("{}", item(1, -0.0f)), "(1-0j)");
  EXPECT_PYTHON("f'{torch.tensor(1e20 + 1e-7j, dtype=torch.complex128)}'",
                fmt::format("{}", scalar(c10::complex<double>(1e20, 1e-7))), "(1e+20+1e-07j)");
  EXPECT_PYTHON("f'{torch.tensor(1 + 2j).conj()}'", fmt::format("{}", item(1, 2).conj()), "(1-2j)");
}

TEST(FormatTensor, OfComplexTakesNoZeroAsFill) {
  const at::Tensor t = scalar(c10::complex<float>(1, 2));
  EXPECT_PYTHON("f'{torch.tensor(1 + 2j):.2f}'", fmt::format("{:.2f}", t), "1.00+2.00j");
  EXPECT_PYTHON("f'{torch.tensor(1 + 2j):>8}'", fmt::format("{:>8}", t), "  (1+2j)");
  EXPECT_PYTHON("f'{torch.tensor(1 + 2j):x>08}'", fmt::format("{:x>08}", t), "xx(1+2j)");
  EXPECT_PYTHON_RAISES("f'{torch.tensor(1 + 2j):0>8}'", "ValueError", fmt::format("{:0>8}", t),
                       fmt::format_error);
  EXPECT_PYTHON_RAISES("f'{torch.tensor(1 + 2j):08}'", "ValueError", fmt::format("{:08}", t),
                       fmt::format_error);
  EXPECT_PYTHON_RAISES("f'{torch.tensor(1 + 2j):=8}'", "ValueError", fmt::format("{:=8}", t),
                       fmt::format_error);
  EXPECT_PYTHON_RAISES("f'{torch.tensor(1 + 2j):%}'", "ValueError", fmt::format("{:%}", t),
                       fmt::format_error);
}

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

TEST(FormatTensor, TakesASpecForItsItem) {
  const at::Tensor third = scalar(1.0 / 3);
  EXPECT_PYTHON("f'{torch.tensor(1 / 3, dtype=torch.float64):.3f}'", fmt::format("{:.3f}", third), "0.333");
  EXPECT_PYTHON("f'{torch.tensor(1 / 3, dtype=torch.float64):8.2e}'", fmt::format("{:8.2e}", third),
                "3.33e-01");
  EXPECT_PYTHON("f'{torch.tensor(1 / 3, dtype=torch.float64):10.2e}|'", fmt::format("{:10.2e}|", third),
                "  3.33e-01|");
  EXPECT_PYTHON("f'{torch.tensor(0.5):>10}'", fmt::format("{:>10}", scalar(0.5f)), "       0.5");
  EXPECT_PYTHON("f'{torch.tensor(-42):05d}'", fmt::format("{:05d}", scalar(-42, at::kLong)), "-0042");
  EXPECT_PYTHON("f'{torch.tensor(2.5):+}'", fmt::format("{:+}", scalar(2.5f)), "+2.5");
  EXPECT_PYTHON("f'{torch.tensor(1234567):,}'", fmt::format("{:,}", scalar(1234567, at::kLong)), "1,234,567");
  EXPECT_PYTHON("f'{torch.tensor(0.12345, dtype=torch.float64):.2%}'", fmt::format("{:.2%}", scalar(0.12345)),
                "12.35%");
  EXPECT_PYTHON("f'{torch.tensor(1e-5, dtype=torch.float64):g}'", fmt::format("{:g}", scalar(1e-5)), "1e-05");
  EXPECT_PYTHON("f'{torch.tensor(255):x}'", fmt::format("{:x}", scalar(255, at::kLong)), "ff");
  EXPECT_PYTHON("f'{torch.tensor(7):10}|'", fmt::format("{:10}|", scalar(7, at::kLong)), "         7|");
  EXPECT_PYTHON("f'{torch.tensor(1234.5):.3}'", fmt::format("{:.3}", scalar(1234.5f)), "1.23e+03");
  EXPECT_PYTHON("f'{torch.tensor(0.1):.4f}'", fmt::format("{:.4f}", scalar(0.1f)), "0.1000");
}

TEST(FormatTensor, OfMoreDimensionsTakesNoSpec) {
  EXPECT_PYTHON_RAISES("f'{torch.ones(2):.3f}'", "TypeError", fmt::format("{:.3f}", at::ones({2})),
                       fmt::format_error);
  EXPECT_PYTHON_RAISES("f'{torch.ones(1):5}'", "TypeError", fmt::format("{:5}", at::ones({1})),
                       fmt::format_error);
}

TEST(FormatTensor, OfAnItemOfAnotherKindRefusesTheSpec) {
  EXPECT_PYTHON_RAISES("f'{torch.tensor(0.5):d}'", "ValueError", fmt::format("{:d}", scalar(0.5f)),
                       fmt::format_error);
  EXPECT_PYTHON_RAISES("f'{torch.tensor(5):.2}'", "ValueError", fmt::format("{:.2}", scalar(5, at::kLong)),
                       fmt::format_error);
  EXPECT_PYTHON_RAISES("f'{torch.tensor(5):s}'", "ValueError", format(scalar(5, at::kLong), "s"),
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

TEST(FormatBool, IsAnIntUnderASpec) {
  EXPECT_PYTHON("format(True, '')", format(true, ""), "True");
  EXPECT_PYTHON("format(False, '')", format(false, ""), "False");
  EXPECT_PYTHON("format(True, '5')", format(true, "5"), "    1");
  EXPECT_PYTHON("format(True, 'd')", format(true, "d"), "1");
  EXPECT_PYTHON("format(True, '.1f')", format(true, ".1f"), "1.0");
}

TEST(FormatInt, AlignsAndFills) {
  const std::int64_t n = 42;
  EXPECT_PYTHON("format(42, '6')", format(n, "6"), "    42");
  EXPECT_PYTHON("format(42, '<6')", format(n, "<6"), "42    ");
  EXPECT_PYTHON("format(42, '^7')", format(n, "^7"), "  42   ");
  EXPECT_PYTHON("format(42, '*^7')", format(n, "*^7"), "**42***");
  EXPECT_PYTHON("format(-42, '=6')", format(-n, "=6"), "-   42");
  EXPECT_PYTHON("format(-42, '06')", format(-n, "06"), "-00042");
  EXPECT_PYTHON("format(-42, 'x=6')", format(-n, "x=6"), "-xxx42");
  EXPECT_PYTHON(R"(format(42, '\u4e2d>4'))", format(n, "\u4e2d>4"), "\u4e2d\u4e2d42");
  EXPECT_PYTHON("format(42, '+d')", format(n, "+d"), "+42");
  EXPECT_PYTHON("format(42, ' d')", format(n, " d"), " 42");
}

TEST(FormatInt, ChangesBase) {
  const std::int64_t n = 255;
  EXPECT_PYTHON("format(255, 'X')", format(n, "X"), "FF");
  EXPECT_PYTHON("format(255, '#x')", format(n, "#x"), "0xff");
  EXPECT_PYTHON("format(255, '#06x')", format(n, "#06x"), "0x00ff");
  EXPECT_PYTHON("format(255, 'b')", format(n, "b"), "11111111");
  EXPECT_PYTHON("format(255, '#o')", format(n, "#o"), "0o377");
  EXPECT_PYTHON("format(-255, '#b')", format(-n, "#b"), "-0b11111111");
  EXPECT_PYTHON("format(-2**63, 'x')", format(std::numeric_limits<std::int64_t>::min(), "x"),
                "-8000000000000000");
  EXPECT_PYTHON("format(-2**63, ',')", format(std::numeric_limits<std::int64_t>::min(), ","),
                "-9,223,372,036,854,775,808");
}

TEST(FormatInt, IsACharacterForC) {
  EXPECT_PYTHON("format(65, '3c')", format(std::int64_t{65}, "3c"), "  A");
  EXPECT_PYTHON(R"(format(0x4e2d, 'c'))", format(std::int64_t{0x4e2d}, "c"), "\u4e2d");
}

TEST(FormatInt, GroupsDigits) {
  const std::int64_t n = 1234567;
  EXPECT_PYTHON("format(1234567, '_')", format(n, "_"), "1_234_567");
  EXPECT_PYTHON("format(1234567, '12,')", format(n, "12,"), "   1,234,567");
  EXPECT_PYTHON("format(1234567, '012,')", format(n, "012,"), "0,001,234,567");
  EXPECT_PYTHON("format(123, '08,')", format(std::int64_t{123}, "08,"), "0,000,123");
  EXPECT_PYTHON("format(1234567, '_x')", format(n, "_x"), "12_d687");
}

TEST(FormatInt, GoesThroughFloatForAFloatsType) {
  EXPECT_PYTHON("format(3, '.2f')", format(std::int64_t{3}, ".2f"), "3.00");
  EXPECT_PYTHON("format(12345, '.2e')", format(std::int64_t{12345}, ".2e"), "1.23e+04");
  EXPECT_PYTHON("format(3, '%')", format(std::int64_t{3}, "%"), "300.000000%");
  EXPECT_PYTHON("format(3, 'g')", format(std::int64_t{3}, "g"), "3");
}

TEST(FormatFloat, WithoutATypeKeepsADigitAfterThePoint) {
  EXPECT_PYTHON("format(3.0, '')", format(3.0, ""), "3.0");
  EXPECT_PYTHON("format(3.0, '6')", format(3.0, "6"), "   3.0");
  EXPECT_PYTHON("format(3.0, '.3')", format(3.0, ".3"), "3.0");
  EXPECT_PYTHON("format(12.0, '.3')", format(12.0, ".3"), "12.0");
  EXPECT_PYTHON("format(123.0, '.3')", format(123.0, ".3"), "1.23e+02");
  EXPECT_PYTHON("format(0.1 + 0.2, '.3')", format(0.1 + 0.2, ".3"), "0.3");
  EXPECT_PYTHON("format(3.0, '.0')", format(3.0, ".0"), "3e+00");
  EXPECT_PYTHON("format(0.5, '.0')", format(0.5, ".0"), "0.5");
  EXPECT_PYTHON("format(3.0, '#')", format(3.0, "#"), "3.0");
  EXPECT_PYTHON("format(1e-7, '#')", format(1e-7, "#"), "1.e-07");
  EXPECT_PYTHON("format(1e16, '<8')", format(1e16, "<8"), "1e+16   ");
  EXPECT_PYTHON("format(1234567.0, ',')", format(1234567.0, ","), "1,234,567.0");
  EXPECT_PYTHON("format(-0.0, '')", format(-0.0, ""), "-0.0");
}

TEST(FormatFloat, OfGeneralTypeDropsTrailingZeros) {
  EXPECT_PYTHON("format(3.0, 'g')", format(3.0, "g"), "3");
  EXPECT_PYTHON("format(1234567.0, 'g')", format(1234567.0, "g"), "1.23457e+06");
  EXPECT_PYTHON("format(0.0001, 'g')", format(0.0001, "g"), "0.0001");
  EXPECT_PYTHON("format(0.00001, 'g')", format(0.00001, "g"), "1e-05");
  EXPECT_PYTHON("format(3.0, '#g')", format(3.0, "#g"), "3.00000");
  EXPECT_PYTHON("format(1e-10, 'G')", format(1e-10, "G"), "1E-10");
  EXPECT_PYTHON("format(123.456, '.0g')", format(123.456, ".0g"), "1e+02");
}

TEST(FormatFloat, OfFixedAndExponentTypeHasSixDigits) {
  EXPECT_PYTHON("format(2.5, 'f')", format(2.5, "f"), "2.500000");
  EXPECT_PYTHON("format(2.5, 'e')", format(2.5, "e"), "2.500000e+00");
  EXPECT_PYTHON("format(2.5, 'E')", format(2.5, "E"), "2.500000E+00");
  EXPECT_PYTHON("format(2.5, '.0f')", format(2.5, ".0f"), "2");
  EXPECT_PYTHON("format(2.5, '#.0f')", format(2.5, "#.0f"), "2.");
  EXPECT_PYTHON("format(0.5, '%')", format(0.5, "%"), "50.000000%");
  EXPECT_PYTHON("format(0.125, '.0%')", format(0.125, ".0%"), "12%");
  EXPECT_PYTHON("format(1e22, '.1f')", format(1e22, ".1f"), "10000000000000000000000.0");
  EXPECT_PYTHON("format(1234567.891, ',.2f')", format(1234567.891, ",.2f"), "1,234,567.89");
  EXPECT_PYTHON("format(1234567.891, '_.2f')", format(1234567.891, "_.2f"), "1_234_567.89");
  EXPECT_PYTHON("format(-1234.5, '012,.1f')", format(-1234.5, "012,.1f"), "-0,001,234.5");
  EXPECT_PYTHON("format(-2.5, '08.2f')", format(-2.5, "08.2f"), "-0002.50");
  EXPECT_PYTHON("format(2.5, '+.1f')", format(2.5, "+.1f"), "+2.5");
  EXPECT_PYTHON("format(2.5, ' .1f')", format(2.5, " .1f"), " 2.5");
  EXPECT_PYTHON("format(-0.001, '.1f')", format(-0.001, ".1f"), "-0.0");
  EXPECT_PYTHON("format(-0.001, 'z.1f')", format(-0.001, "z.1f"), "0.0");
}

TEST(FormatFloat, OfInfinityAndNan) {
  const double inf = kInf;
  const double nan = kNan;
  EXPECT_PYTHON("format(inf, '.2f')", format(inf, ".2f"), "inf");
  EXPECT_PYTHON("format(-inf, 'F')", format(-inf, "F"), "-INF");
  EXPECT_PYTHON("format(nan, '06.1f')", format(nan, "06.1f"), "000nan");
  EXPECT_PYTHON("format(-inf, '06')", format(-inf, "06"), "-00inf");
  EXPECT_PYTHON("format(nan, '+')", format(nan, "+"), "+nan");
  EXPECT_PYTHON("format(inf, '%')", format(inf, "%"), "inf%");
  EXPECT_PYTHON("format(math.copysign(nan, -1.), '.2f')", format(std::copysign(nan, -1.0), ".2f"), "nan");
  EXPECT_PYTHON("format(nan, 'G')", format(nan, "G"), "NAN");
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

TEST(FormatGrouping, OfZerosFillsTheWidthAsPythonDoes) {
  EXPECT_PYTHON("format(1.5, '07,')", format(1.5, "07,"), "0,001.5");
  EXPECT_PYTHON("format(1.5, '06,')", format(1.5, "06,"), "0,001.5");
  EXPECT_PYTHON("format(1.5, '05,')", format(1.5, "05,"), "001.5");
  EXPECT_PYTHON("format(-12345, '012_')", format(std::int64_t{-12345}, "012_"), "-000_012_345");
  EXPECT_PYTHON("format(255, '#012_x')", format(std::int64_t{255}, "#012_x"), "0x0_0000_00ff");
}

TEST(FormatGrouping, OfAWideField) {
  EXPECT_PYTHON("str(len(format(1.5, '0160000,')))", std::to_string(format(1.5, "0160000,").size()),
                "160000");
}

}  // namespace
}  // namespace torchbook::pyrepr
