// Tests the text of Python's plain values.
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torchbook/pyrepr/pyrepr.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "judged.h"

namespace torchbook::pyrepr {
namespace {

using namespace std::string_view_literals;
TEST(PythonFloat, OfASingleIsTheDoubleItConvertsTo) {
  EXPECT_REPR("torch.tensor(0.1).item()", 0.1f, "0.10000000149011612");
  EXPECT_REPR("torch.tensor(16777216.).item()", 16777216.0f, "16777216.0");
  EXPECT_PYTHON("repr(torch.tensor(0.1).item())", str(0.1f), "0.10000000149011612");
}

TEST(PythonFloat, HasAnExponentWhereItIsSmallOrLarge) {
  EXPECT_REPR("[1e-4, 9e-5, 9e15, 1e16]", (std::vector{1e-4, 9e-5, 9e15, 1e16}),
              "[0.0001, 9e-05, 9000000000000000.0, 1e+16]");
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

TEST(PythonString, EscapesWhatIsNotPrintable) {
  EXPECT_PYTHON(R"(repr('\\\n\t\r\x00\x7f\xa0\xad\xff'))", repr("\\\n\t\r\0\x7f\u00a0\u00ad\u00ff"sv),
                R"('\\\n\t\r\x00\x7f\xa0\xad)"
                "\u00ff'");
  EXPECT_PYTHON(R"(repr('\u0378\uffff\U00010000\U000e0001\U0010ffff'))",
                repr("\u0378\uffff\U00010000\U000e0001\U0010ffff"),
                R"('\u0378\uffff)"
                "\U00010000"
                R"(\U000e0001\U0010ffff')");
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

TEST(PythonOptional, IsItsValueOrNone) {
  EXPECT_REPR("2.5", std::optional(2.5), "2.5");
  EXPECT_REPR("None", std::optional<int>(), "None");
  EXPECT_REPR("'a'", std::optional<std::string>("a"), "'a'");
  EXPECT_PYTHON("repr([1, None])", repr(std::vector<std::optional<int>>{1, std::nullopt}), "[1, None]");
}

}  // namespace
}  // namespace torchbook::pyrepr
