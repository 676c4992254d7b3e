// Tests that comments and literals of C++ are told from code, line by line.
#include <gtest/gtest.h>
#include <torchbook/notebook/cells/cpp_code.h>

#include <string>
#include <string_view>

namespace torchbook::notebook {
namespace {

/// Returns the code of the lines, each with a newline at its end.
std::string code_of(std::string_view cpp) {
  std::string code;
  for (const auto& line : code_lines(cpp)) code += line.code + '\n';
  return code;
}

TEST(CodeLines, HaveNoComments) {
  EXPECT_EQ(code_of("a//b\nc"), "a\nc\n");
  EXPECT_EQ(code_of("a/*/\n{*/b"), "a \nb\n");
  EXPECT_EQ(code_of("a/**/b/* c"), "a b \n");
  EXPECT_EQ(code_of("a / b"), "a / b\n");
}

TEST(CodeLines, HaveTwoQuotesForALiteral) {
  EXPECT_EQ(code_of(R"("a\"//"+'\''+'"';)"), R"(""+""+"";)"
                                             "\n");
  EXPECT_EQ(code_of("L'{'+u8\"b\" 'c'"), "L\"\"+u8\"\" \"\"\n");
  EXPECT_EQ(code_of("1'000'000+'a'"), "1'000'000+\"\"\n");
  EXPECT_EQ(code_of("\"no end\n'\n\"\\"), "\"\"\n\"\"\n\"\"\n");
}

TEST(CodeLines, HaveTwoQuotesForARawString) {
  EXPECT_EQ(code_of("R\"x(\"\n)\"\n)x\";"), "\"\"\n\n;\n");
  EXPECT_EQ(code_of("u8R\"(\\)\";R=1;"), "u8\"\";R=1;\n");
  EXPECT_EQ(code_of("R\"no end\nb"), "\"\"\n\n");
  const auto lines = code_lines("a R\"(\nb\n)\" /*\nc */");
  ASSERT_EQ(lines.size(), 4U);
  for (const std::size_t line : {0U, 1U, 2U, 3U})
    EXPECT_EQ(lines[line].in_raw_string, line == 1 || line == 2) << line;
  EXPECT_EQ(lines[1].text, "b");
}

TEST(Name, IsAsciiAndBeginsWithNoDigit) {
  for (const auto* name : {"a", "_", "x_1", "Ab9"}) EXPECT_TRUE(is_name(name)) << name;
  for (const auto* text : {"", "1", "1a", "a-b", "a b", "\xC3\xA9"}) EXPECT_FALSE(is_name(text)) << text;
}

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
