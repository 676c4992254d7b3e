// Tests which lines of Python go on, and which are complete.
#include <gtest/gtest.h>
#include <torchbook/notebook/cells/python_lines.h>

#include <initializer_list>
#include <string_view>

namespace torchbook::notebook {
namespace {

using Lines = std::initializer_list<std::string_view>;

PythonLines after(Lines lines) {
  PythonLines followed;
  for (const auto line : lines) followed.follow(line);
  return followed;
}

TEST(PythonLines, GoOnInStringsInBracketsAndAfterABackslash) {
  for (const auto& lines : {Lines{"s = \"\"\"it's"}, Lines{"s = 'a\\"}, Lines{"s = 'a\\", "b\\"}}) {
    EXPECT_TRUE(after(lines).in_string()) << *lines.begin();
    EXPECT_FALSE(after(lines).is_whole()) << *lines.begin();
  }
  for (const auto* line : {"f(a, [b]", "{", "[')'", "x = \\"}) {
    EXPECT_TRUE(after({line}).goes_on()) << line;
    EXPECT_FALSE(after({line}).in_string()) << line;
  }
}

TEST(PythonLines, AreWholeIfAllHasItsPartner) {
  for (const auto& lines : {Lines{"f(a, [b], {c})"}, Lines{"x = \\", "1"}, Lines{"f(", ", ", ")"},
                            Lines{"s = 'a\\", "b'"}, Lines{"x = ''"}, Lines{"x = ')' \"(\""},
                            Lines{"x  # it's ("}, Lines{"'\\\\'"}, Lines{"x = \"\"\"\"a\"\"\""}})
    EXPECT_TRUE(after(lines).is_whole()) << *lines.begin();
}

TEST(PythonLines, AreNotWholeAfterAQuoteOrABracketWithoutPartner) {
  for (const auto* line : {"x = 'open", "x = \"a\\nb", ")", "]", "(]", "{)}"}) {
    const auto wrong = after({line, "x = 1"});
    EXPECT_FALSE(wrong.is_whole()) << line;
    EXPECT_FALSE(wrong.in_string()) << line;
  }
}

}  // namespace
}  // namespace torchbook::notebook
