// Tests the string literals that the project writes into C++.
#include <gtest/gtest.h>
#include <torchbook/notebook/cells/cpp_string.h>

#include <string>

namespace torchbook::notebook {
namespace {

TEST(StringLiteral, EscapesWhatWouldEndItOrMeanSomethingElse) {
  EXPECT_EQ(string_literal(""), R"("")");
  EXPECT_EQ(string_literal("a \"b\" \\ c"), R"("a \"b\" \\ c")");
  EXPECT_EQ(string_literal("one\n\ttwo"), R"("one\n\ttwo")");
  EXPECT_EQ(string_literal("?\?/?"), R"("?\?/?")");
  EXPECT_EQ(string_literal("\x1B[1m\x7F"), R"("\033[1m\177")");
}

TEST(StringLiteral, EscapesWhatNobodySees) {
  EXPECT_EQ(string_literal("a\u202E b\uFEFF"), R"("a\342\200\256 b\357\273\277")");
  EXPECT_EQ(string_literal("\xFF\xC2"), R"("\377\302")");
}

TEST(StringLiteral, HasLettersBeyondAsciiAsAskedFor) {
  EXPECT_EQ(string_literal("é1"), "\"é1\"");
  EXPECT_EQ(string_literal("é1", Letters::ascii), R"("\303\2511")");
}

}  // namespace
}  // namespace torchbook::notebook
