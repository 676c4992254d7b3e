// Tests that comments and literals of C++ are told from code, byte for byte.
#include <gtest/gtest.h>
#include <torchbook/notebook/cells/cpp_code.h>

#include <string>

namespace torchbook::notebook {
namespace {

TEST(CodeOf, HasSpacesForComments) {
  EXPECT_EQ(code_of("//a\nb"), "   \nb");
  EXPECT_EQ(code_of("a/*/\n*/b"), "a   \n  b");
  EXPECT_EQ(code_of("a/**/b"), "a    b");
  EXPECT_EQ(code_of("a / b"), "a / b");
}

TEST(CodeOf, JoinsALineThatEndsInABackslash) {
  EXPECT_EQ(code_of("//a\\\nb\nc"), "      \nc");
  EXPECT_EQ(code_of("//a\\\n\nb"), "     \nb");
  EXPECT_EQ(code_of("//a\\b\nc"), "     \nc");
  EXPECT_EQ(code_of("a\\\nb"), "a  b");
}

/// Returns the mask of a literal of so many bytes.
std::string quotes(std::size_t count) { return std::string(count, '"'); }

TEST(CodeOf, HasQuotesForLiterals) {
  EXPECT_EQ(code_of(R"("a\"b"+'\'')"), quotes(6) + "+" + quotes(4));
  EXPECT_EQ(code_of("L'a'+u8\"b\""), "L" + quotes(3) + "+u8" + quotes(3));
  EXPECT_EQ(code_of("1'000'000+'a'"), "1'000'000+" + quotes(3));
  EXPECT_EQ(code_of("1'0;"), "1'0;");
}

TEST(CodeOf, HasQuotesForARawStringWithItsPrefix) {
  EXPECT_EQ(code_of("R\"x(\"\n)x\";"), quotes(9) + ";");
  EXPECT_EQ(code_of("u8R\"(\\)\";"), quotes(8) + ";");
  EXPECT_EQ(code_of("R=1;"), "R=1;");
  EXPECT_EQ(code_of("FOUR\"(\";"), "FOUR" + quotes(3) + ";");
}

TEST(Name, IsAsciiAndBeginsWithNoDigit) {
  for (const auto* name : {"a", "_", "x_1", "Ab9"}) EXPECT_TRUE(is_name(name)) << name;
  for (const auto* text : {"", "1", "1a", "a-b", "a b", "\xC3\xA9"}) EXPECT_FALSE(is_name(text)) << text;
}

}  // namespace
}  // namespace torchbook::notebook
