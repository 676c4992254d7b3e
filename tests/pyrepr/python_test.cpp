// Tests the text of Python's plain values.
#include <gtest/gtest.h>
#include <torchbook/pyrepr/pyrepr.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "judged.h"
#include "tensors.h"

namespace torchbook::pyrepr {
namespace {

using namespace std::string_view_literals;
using namespace torchbook::test;

TEST(PythonFloat, TurnsToAnExponentAtSixteenDigits) {
  EXPECT_REPR("1e16", 1e16, "1e+16");
  EXPECT_REPR("9999999999999998.0", 9999999999999998.0, "9999999999999998.0");
  EXPECT_REPR("1e15", 1e15, "1000000000000000.0");
  EXPECT_REPR("1.5e16", 1.5e16, "1.5e+16");
  EXPECT_REPR("123456789012345680.0", 123456789012345680.0, "1.2345678901234568e+17");
  EXPECT_REPR("-1e16", -1e16, "-1e+16");
}

TEST(PythonFloat, TurnsToAnExponentBelowOneTenThousandth) {
  EXPECT_REPR("1e-4", 1e-4, "0.0001");
  EXPECT_REPR("1e-5", 1e-5, "1e-05");
  EXPECT_REPR("0.00012345", 0.00012345, "0.00012345");
  EXPECT_REPR("9.999e-5", 9.999e-5, "9.999e-05");
  EXPECT_REPR("-1.5e-7", -1.5e-7, "-1.5e-07");
}

TEST(PythonFloat, HasAtLeastTwoDigitsInTheExponent) {
  EXPECT_REPR("1e22", 1e22, "1e+22");
  EXPECT_REPR("1e100", 1e100, "1e+100");
  EXPECT_REPR("1e-9", 1e-9, "1e-09");
  EXPECT_REPR("5e-324", 5e-324, "5e-324");
  EXPECT_REPR("1.7976931348623157e308", 1.7976931348623157e308, "1.7976931348623157e+308");
  EXPECT_REPR("2.2250738585072014e-308", 2.2250738585072014e-308, "2.2250738585072014e-308");
}

TEST(PythonFloat, IsTheShortestTextThatReadsBack) {
  EXPECT_REPR("0.1", 0.1, "0.1");
  EXPECT_REPR("0.1 + 0.2", 0.1 + 0.2, "0.30000000000000004");
  EXPECT_REPR("2 / 3", 2.0 / 3, "0.6666666666666666");
  EXPECT_REPR("9007199254740993.0", 9007199254740993.0, "9007199254740992.0");
  EXPECT_REPR("2.0**-1074 * 3", 1.5e-323, "1.5e-323");
  EXPECT_REPR("9e15", 9e15, "9000000000000000.0");
  EXPECT_REPR("5e-5 * 2", 5e-5 * 2, "0.0001");
}

TEST(PythonFloat, ShowsAWholeNumberWithAZero) {
  EXPECT_REPR("100.0", 100.0, "100.0");
  EXPECT_REPR("0.0", 0.0, "0.0");
  EXPECT_REPR("-0.0", -0.0, "-0.0");
  EXPECT_REPR("-3.0", -3.0, "-3.0");
}

TEST(PythonFloat, OfInfinityAndNan) {
  EXPECT_REPR("inf", std::numeric_limits<double>::infinity(), "inf");
  EXPECT_REPR("-inf", -std::numeric_limits<double>::infinity(), "-inf");
  EXPECT_REPR("nan", std::numeric_limits<double>::quiet_NaN(), "nan");
  EXPECT_REPR("math.copysign(nan, -1.)", std::copysign(kNan, -1.0f), "nan");
}

TEST(PythonFloat, OfASingleIsTheDoubleItConvertsTo) {
  EXPECT_REPR("torch.tensor(0.1).item()", 0.1f, "0.10000000149011612");
  EXPECT_REPR("torch.tensor(16777216.).item()", 16777216.0f, "16777216.0");
  EXPECT_PYTHON("repr(torch.tensor(0.1).item())", str(0.1f), "0.10000000149011612");
}

TEST(PythonInt, IsDecimal) {
  EXPECT_REPR("-2**63", std::numeric_limits<std::int64_t>::min(), "-9223372036854775808");
  EXPECT_REPR("2**64 - 1", std::numeric_limits<std::uint64_t>::max(), "18446744073709551615");
  EXPECT_REPR("0", 0, "0");
  EXPECT_REPR("65", std::uint8_t{65}, "65");
  EXPECT_REPR("-1", std::int8_t{-1}, "-1");
}

TEST(PythonConstants, AreCapitalised) {
  EXPECT_REPR("True", true, "True");
  EXPECT_REPR("False", false, "False");
  EXPECT_REPR("None", std::nullopt, "None");
  EXPECT_PYTHON("str(True)", str(true), "True");
}

TEST(PythonString, IsInSingleQuotesUnlessItHoldsOneAndNoDoubleQuote) {
  EXPECT_REPR("'plain'", "plain", "'plain'");
  EXPECT_REPR("''", "", "''");
  EXPECT_PYTHON(R"(repr("it's"))", repr("it's"), "\"it's\"");
  EXPECT_PYTHON(R"(repr('say "hi"'))", repr(R"(say "hi")"), "'say \"hi\"'");
  EXPECT_PYTHON(R"(repr('it\'s "hi"'))", repr(R"(it's "hi")"), "'it\\'s \"hi\"'");
}

TEST(PythonString, EscapesControlCharactersAndBackslash) {
  EXPECT_PYTHON(R"(repr('a\nb\tc\rd'))", repr("a\nb\tc\rd"), "'a\\nb\\tc\\rd'");
  EXPECT_PYTHON(R"(repr('C:\\new'))", repr("C:\\new"), "'C:\\\\new'");
  EXPECT_PYTHON(R"(repr('\0\x01\x1f\x7f'))", repr("\0\x01\x1f\x7f"sv), "'\\x00\\x01\\x1f\\x7f'");
  EXPECT_PYTHON(R"(repr('\a\b\f\v'))", repr("\a\b\f\v"), "'\\x07\\x08\\x0c\\x0b'");
}

TEST(PythonString, EscapesLatinCharactersThatDoNotPrint) {
  EXPECT_PYTHON(R"(repr('\x80\x85\x9f'))", repr("\u0080\u0085\u009f"), "'\\x80\\x85\\x9f'");
  EXPECT_PYTHON(R"(repr('\xa0\xa1'))", repr("\u00a0\u00a1"), "'\\xa0\u00a1'");
  EXPECT_PYTHON(R"(repr('a\xadb'))", repr("a\u00adb"), "'a\\xadb'");
}

TEST(PythonString, KeepsPrintableUnicode) {
  EXPECT_PYTHON(R"(repr('\xe9\u03b1\u4e2d'))", repr("\u00e9\u03b1\u4e2d"), "'\u00e9\u03b1\u4e2d'");
  EXPECT_PYTHON(R"(repr('\U0001f600'))", repr("\U0001f600"), "'\U0001f600'");
  EXPECT_PYTHON(R"(repr('e\u0301'))", repr("e\u0301"), "'e\u0301'");
  EXPECT_PYTHON(R"(repr('\ufffd'))", repr("\ufffd"), "'\ufffd'");
}

TEST(PythonString, EscapesUnicodeThatDoesNotPrint) {
  EXPECT_PYTHON(R"(repr('\u200b\u2028\u202e\ufeff'))", repr("\u200b\u2028\u202e\ufeff"),
                "'\\u200b\\u2028\\u202e\\ufeff'");
  EXPECT_PYTHON(R"(repr('\u3000\u2003'))", repr("\u3000\u2003"), "'\\u3000\\u2003'");
  EXPECT_PYTHON(R"(repr('\ue000\uffff\u0378'))", repr("\ue000\uffff\u0378"), "'\\ue000\\uffff\\u0378'");
  EXPECT_PYTHON(R"(repr('\U000e0001\U0010ffff'))", repr("\U000e0001\U0010ffff"), "'\\U000e0001\\U0010ffff'");
}

TEST(PythonString, ShowsBytesThatAreNotUtf8AsSurrogates) {
  EXPECT_PYTHON(R"(repr(b'a\xffb'.decode(errors='surrogateescape')))",
                repr("a\xff"
                     "b"),
                "'a\\udcffb'");
  EXPECT_PYTHON(R"(repr(b'\x80'.decode(errors='surrogateescape')))", repr("\x80"), "'\\udc80'");
  EXPECT_PYTHON(R"(repr(b'\xe4\xb8'.decode(errors='surrogateescape')))", repr("\xe4\xb8"),
                "'\\udce4\\udcb8'");
  EXPECT_PYTHON(R"(repr(b'\xe4\xb8A'.decode(errors='surrogateescape')))",
                repr("\xe4\xb8"
                     "A"),
                "'\\udce4\\udcb8A'");
  EXPECT_PYTHON(R"(repr(b'\xc0\xaf'.decode(errors='surrogateescape')))", repr("\xc0\xaf"),
                "'\\udcc0\\udcaf'");
  EXPECT_PYTHON(R"(repr(b'\xe0\x80\x80'.decode(errors='surrogateescape')))", repr("\xe0\x80\x80"),
                "'\\udce0\\udc80\\udc80'");
  EXPECT_PYTHON(R"(repr(b'\xed\xa0\x80'.decode(errors='surrogateescape')))", repr("\xed\xa0\x80"),
                "'\\udced\\udca0\\udc80'");
  EXPECT_PYTHON(R"(repr(b'\xf4\x90\x80\x80'.decode(errors='surrogateescape')))", repr("\xf4\x90\x80\x80"),
                "'\\udcf4\\udc90\\udc80\\udc80'");
  EXPECT_PYTHON(R"(repr(b'\xf0\x9f\x98'.decode(errors='surrogateescape')))", repr("\xf0\x9f\x98"),
                "'\\udcf0\\udc9f\\udc98'");
}

TEST(PythonString, ReadsTheFirstAndTheLastCharacterOfEachLength) {
  EXPECT_PYTHON(R"(repr('~\x7f\x80'))", repr("~\x7f\xc2\x80"), "'~\\x7f\\x80'");
  EXPECT_PYTHON(R"(repr('\u07ff\u07fa\u0800'))", repr("\xdf\xbf\xdf\xba\xe0\xa0\x80"),
                "'\xdf\xbf\xdf\xba\xe0\xa0\x80'");
  EXPECT_PYTHON(R"(repr('\ud7ff\ue000'))", repr("\xed\x9f\xbf\xee\x80\x80"), "'\\ud7ff\\ue000'");
  EXPECT_PYTHON(R"(repr('\uffff\U00010000'))", repr("\xef\xbf\xbf\xf0\x90\x80\x80"),
                "'\\uffff\xf0\x90\x80\x80'");
  EXPECT_PYTHON(R"(repr('\U0010ffff'))", repr("\xf4\x8f\xbf\xbf"), "'\\U0010ffff'");
}

TEST(PythonString, RefusesTheBytesBesideThose) {
  EXPECT_PYTHON(R"(repr(b'\xc1\xbf'.decode(errors='surrogateescape')))", repr("\xc1\xbf"),
                "'\\udcc1\\udcbf'");
  EXPECT_PYTHON(R"(repr(b'\xe0\x9f\xbf'.decode(errors='surrogateescape')))", repr("\xe0\x9f\xbf"),
                "'\\udce0\\udc9f\\udcbf'");
  EXPECT_PYTHON(R"(repr(b'\xed\xbf\xbf'.decode(errors='surrogateescape')))", repr("\xed\xbf\xbf"),
                "'\\udced\\udcbf\\udcbf'");
  EXPECT_PYTHON(R"(repr(b'\xf0\x8f\xbf\xbf'.decode(errors='surrogateescape')))", repr("\xf0\x8f\xbf\xbf"),
                "'\\udcf0\\udc8f\\udcbf\\udcbf'");
  EXPECT_PYTHON(R"(repr(b'\xf5\x80\x80\x80'.decode(errors='surrogateescape')))", repr("\xf5\x80\x80\x80"),
                "'\\udcf5\\udc80\\udc80\\udc80'");
}

TEST(PythonString, IsShownAsItIsByStr) {
  EXPECT_PYTHON(R"(str('a\n"b\''))", str("a\n\"b'"),
                "a\n"
                "\"b'");
  EXPECT_PYTHON(R"(str('plain'))", str(std::string("plain")), "plain");
}

TEST(PythonSize, IsNamed) {
  EXPECT_PYTHON("repr(torch.Size([2, 3]))", repr(Size{{2, 3}}), "torch.Size([2, 3])");
  EXPECT_REPR("torch.Size([])", Size{}, "torch.Size([])");
  EXPECT_REPR("torch.zeros(4).shape", shape(at::zeros({4})), "torch.Size([4])");
  EXPECT_PYTHON("str(torch.zeros(2, 0).shape)", str(shape(at::zeros({2, 0}))), "torch.Size([2, 0])");
}

TEST(PythonTuple, OfOneKeepsItsComma) {
  EXPECT_REPR("()", std::tuple<>(), "()");
  EXPECT_REPR("(1,)", std::tuple(1), "(1,)");
  EXPECT_REPR("(1, 2.0)", std::tuple(1, 2.0), "(1, 2.0)");
  EXPECT_REPR("(1, 'a', True, None, ())", std::tuple(1, "a", true, std::nullopt, std::tuple<>()),
              "(1, 'a', True, None, ())");
}

TEST(PythonTuple, OfTensorsDoesNotIndentThemAgain) {
  EXPECT_REPR("(torch.arange(4).view(2, 2), torch.tensor(0.5))",
              std::tuple(at::arange(4).view({2, 2}), scalar(0.5f)),
              "(tensor([[0, 1],\n"
              "        [2, 3]]), tensor(0.5000))");
  EXPECT_REPR("(torch.arange(4).view(2, 2),)", std::tuple(at::arange(4).view({2, 2})),
              "(tensor([[0, 1],\n"
              "        [2, 3]]),)");
  EXPECT_REPR("(torch.zeros(2, 3).shape, torch.ones(1))", std::tuple(shape(at::zeros({2, 3})), at::ones({1})),
              "(torch.Size([2, 3]), tensor([1.]))");
}

TEST(PythonList, JoinsItsElements) {
  EXPECT_REPR("[]", std::vector<int>(), "[]");
  EXPECT_REPR("[1]", std::vector{1}, "[1]");
  EXPECT_PYTHON("repr([0.5, 1.0])", repr(std::vector{0.5, 1.0}), "[0.5, 1.0]");
  EXPECT_PYTHON("repr([True, False])", repr(std::vector{true, false}), "[True, False]");
  EXPECT_PYTHON("repr(['a', \"b'\"])", repr(std::vector<std::string>{"a", "b'"}), "['a', \"b'\"]");
  EXPECT_PYTHON("repr([torch.ones(1), torch.zeros(1, 2)])",
                repr(std::vector{at::ones({1}), at::zeros({1, 2})}), "[tensor([1.]), tensor([[0., 0.]])]");
}

TEST(PythonNesting, IsShownAllTheWayDown) {
  EXPECT_PYTHON("repr([(1, [2.0]), (3, [])])",
                repr(std::vector{std::tuple(1, std::vector{2.0}), std::tuple(3, std::vector<double>())}),
                "[(1, [2.0]), (3, [])]");
  EXPECT_REPR("((), ((),))", std::tuple(std::tuple<>(), std::tuple<std::tuple<>>()), "((), ((),))");
  EXPECT_PYTHON("repr([[1, 2], []])", repr(std::vector<std::vector<int>>{{1, 2}, {}}), "[[1, 2], []]");
}

TEST(PythonOptional, IsItsValueOrNone) {
  EXPECT_REPR("2.5", std::optional(2.5), "2.5");
  EXPECT_REPR("None", std::optional<int>(), "None");
  EXPECT_REPR("'a'", std::optional<std::string>("a"), "'a'");
  EXPECT_PYTHON("repr([1, None])", repr(std::vector<std::optional<int>>{1, std::nullopt}), "[1, None]");
}

}  // namespace
}  // namespace torchbook::pyrepr
