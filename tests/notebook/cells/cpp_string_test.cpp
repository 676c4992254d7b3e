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

TEST(StringLiteral, HasLettersBeyondAsciiAsAskedFor) {
  EXPECT_EQ(string_literal("é1"), "\"é1\"");
  EXPECT_EQ(string_literal("é1", Letters::ascii), R"("\303\2511")");
}

TEST(StringLiteral, IsReadOnlyIfItIsWholeAndPlain) {
  EXPECT_EQ(string_value("\"a\" \t\n\"b\""), "ab");
  EXPECT_EQ(string_value(""), "");
  for (const auto* text : {"\"", "\"a", "\"a\\", "\"a\\\"", "a", "\"a\"b", "u8\"a\"", R"("\x41")", R"("\0")"})
    EXPECT_FALSE(string_value(text)) << text;
}

TEST(StringLiteral, IsReadBackAsTheText) {
  const std::string text = "a \"b\" \\ c\n\té ?\?= ?";
  EXPECT_EQ(string_value(string_literal(text)), text);
}

}  // namespace
}  // namespace torchbook::notebook
