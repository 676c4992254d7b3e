// Tests measuring and wrapping lines, and which sources are shown and where they stand.
#include <gtest/gtest.h>
#include <torchbook/report/terminal/text.h>

namespace torchbook::report {
namespace {

TEST(DisplayWidth, CountsCharactersAndNoEscapeCodes) {
  EXPECT_EQ(display_width(""), 0U);
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("ä…█"), 3U);
  EXPECT_EQ(display_width("\033[48;5;231;38;5;16m a \033[0m"), 3U);
}

TEST(Wrapped, BreaksBetweenWords) {
  using Lines = std::vector<std::string_view>;
  EXPECT_EQ(wrapped("", 10), Lines{""});
  EXPECT_EQ(wrapped("one two", 10), Lines{"one two"});
  EXPECT_EQ(wrapped("one two th", 10), Lines{"one two th"});
  EXPECT_EQ(wrapped("one two thr", 10), (Lines{"one two", "thr"}));
  EXPECT_EQ(wrapped("    one   two", 8), (Lines{"    one", "two"}));
  EXPECT_EQ(wrapped("a tooooolong b", 5), (Lines{"a", "tooooolong", "b"}));
  EXPECT_EQ(wrapped("    tooooolong", 5), Lines{"    tooooolong"});
  EXPECT_EQ(wrapped("ää \033[32mbb\033[0m", 5), Lines{"ää \033[32mbb\033[0m"});
  EXPECT_EQ(wrapped("one two  ", 7), Lines{"one two  "});
}

constexpr std::string_view cpp = "f(1);\n\nreturn 1;";
constexpr std::string_view python = "f(1)\n1";

TEST(SourceText, IsIndented) {
  EXPECT_EQ(source_text(cpp, python, {.shown = Sources::none}), "");
  EXPECT_EQ(source_text(cpp, python, {.shown = Sources::cpp}), "    f(1);\n\n    return 1;\n");
  EXPECT_EQ(source_text(cpp, python, {.shown = Sources::python}), "    f(1)\n    1\n");
}

TEST(SourceText, OfBothHasHeadings) {
  EXPECT_EQ(source_text(cpp, python, {.shown = Sources::both}),
            "  C++\n    f(1);\n\n    return 1;\n  PyTorch\n    f(1)\n    1\n");
}

TEST(SourceText, StandsSideBySideWhereThatFits) {
  const std::string beside =
      "  C++              PyTorch\n    f(1);            f(1)\n                     1\n    return 1;\n";
  EXPECT_EQ(source_text(cpp, python, {.shown = Sources::both, .width = 26}), beside);
  EXPECT_EQ(source_text(cpp, python, {.shown = Sources::both, .width = 25}),
            source_text(cpp, python, {.shown = Sources::both}));
  EXPECT_EQ(source_text("x;", "x\ny\nz", {.shown = Sources::both, .width = 26}),
            "  C++       PyTorch\n    x;        x\n              y\n              z\n");
}

TEST(SourceText, StandsWhereItDoesWithColour) {
  EXPECT_EQ(source_text("return 1;", "1", {.shown = Sources::both, .colour = true, .width = 80}),
            "\033[2m  C++\033[0m            \033[2m  PyTorch\033[0m\n"
            "    \033[35mreturn\033[0m \033[36m1\033[0m;        \033[36m1\033[0m\n");
}

TEST(SourceText, SaysThatThereIsNoTwin) {
  EXPECT_EQ(source_text(cpp, "", {.shown = Sources::python}), "    (none)\n");
}

}  // namespace
}  // namespace torchbook::report
