// Tests which sources are shown, and where they stand.
#include <gtest/gtest.h>
#include <torchbook/report/terminal/text.h>

namespace torchbook::report {
namespace {

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
