// Tests which parts are marked, and that marking loses nothing. tests/notebooks_test.cpp tests the latter for
// every cell.
#include <gtest/gtest.h>
#include <report/markup.h>
#include <torchbook/report/highlight.h>

#include <cstdlib>
#include <string>

namespace torchbook::report {
namespace {

TEST(Highlight, MarksCppInHtml) {
  EXPECT_EQ(highlighted("const int n = f(\"a\", 1.5);  // (n)", Language::cpp, Markup::html),
            "<span class=\"keyword\">const</span> <span class=\"type\">int</span> n "
            "= <span class=\"function\">f</span>("
            "<span class=\"string\">&quot;a&quot;</span>, "
            "<span class=\"number\">1.5</span>);  "
            "<span class=\"comment\">// (n)</span>");
}

TEST(Highlight, MarksPythonInHtml) {
  EXPECT_EQ(highlighted("import torch\nx = None  # x", Language::python, Markup::html),
            "<span class=\"preproc\">import</span> torch\n"
            "x = <span class=\"keyword\">None</span>  "
            "<span class=\"comment\"># x</span>");
}

TEST(Highlight, MarksForATerminal) {
  EXPECT_EQ(highlighted("return f(1, \"a\");  // b", Language::cpp, Markup::ansi),
            "\033[35mreturn\033[0m \033[94mf\033[0m(\033[36m1\033[0m, \033[32m\"a\"\033[0m);  "
            "\033[2m// b\033[0m");
  EXPECT_EQ(highlighted("Tensor x;\n#include <a>", Language::cpp, Markup::ansi),
            "\033[36mTensor\033[0m x;\n\033[35m#include\033[0m \033[32m<a>\033[0m");
}

TEST(Highlight, MarksEachLineByItself) {
  EXPECT_EQ(highlighted("/* a\n   b */ c", Language::cpp, Markup::ansi),
            "\033[2m/* a\033[0m\n\033[2m   b */\033[0m c");
}

TEST(Highlight, StartsEveryTextAnew) {
  const auto before = highlighted("return 1;", Language::cpp, Markup::ansi);
  highlighted("/* never closed", Language::cpp, Markup::ansi);
  EXPECT_EQ(highlighted("return 1;", Language::cpp, Markup::ansi), before);
}

TEST(Highlight, LosesNothing) {
  const std::string texts[] = {"",
                               "\n",
                               "\n\na\n\n",
                               "a\tb\r\nc \n ",
                               "</span><script>alert(\"&amp;\")</script> '\"` &lt; /* <!-- */",
                               "\"\"\"never\n'closed",
                               "R\"x(\n)x\" 'a\\'b' \\",
                               "ä π 𝛼 // ü",
                               std::string("a\0b // \0\n", 9),
                               "\xff\xfe \"\xc3"};
  for (const auto& text : texts) {
    for (const auto language : {Language::cpp, Language::python}) {
      EXPECT_EQ(test::without_ansi(highlighted(text, language, Markup::ansi)), text);
      EXPECT_EQ(test::without_html(highlighted(text, language, Markup::html)), text);
    }
  }
}

TEST(Highlight, EscapesEverything) {
  const auto html = highlighted("\"</span><b a='1'>&\" <b> & c", Language::cpp, Markup::html);
  EXPECT_EQ(html.find("<b"), std::string::npos) << html;
  EXPECT_EQ(html.find("\"</"), std::string::npos) << html;
  EXPECT_EQ(html.find("& "), std::string::npos) << html;
}

/// Highlights without the language definitions, in a process of its own because they are read once.
[[noreturn]] void highlight_without_definitions(const char* folder) {
  setenv("SOURCE_HIGHLIGHT_DATADIR", folder, 1);
  const bool plain = highlighted("return 1 < 2;", Language::cpp, Markup::ansi) == "return 1 < 2;" &&
                     highlighted("x = 1 < 2", Language::python, Markup::html) == "x = 1 &lt; 2";
  std::exit(plain ? 0 : 1);
}

TEST(HighlightDeathTest, WithoutDefinitionsIsPlain) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(highlight_without_definitions("/nonexistent"), testing::ExitedWithCode(0), "^$");
}

}  // namespace
}  // namespace torchbook::report
