// Tests which parts are marked, and that marking loses nothing. tests/cli/notebooks_test.cpp tests the latter
// for every cell.
#include <gtest/gtest.h>
#include <report/markup.h>
#include <torchbook/report/highlight.h>

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

/// Returns the tokens of one kind, each followed by a bar.
std::string marked_as(const std::string& kind, std::string_view code, Language language) {
  const std::string html = highlighted(code, language, Markup::html);
  const std::string open = "<span class=\"" + kind + "\">";
  std::string found;
  for (auto at = html.find(open); at != html.npos; at = html.find(open, at)) {
    at += open.size();
    found += test::without_html(html.substr(at, html.find("</span>", at) - at)) + "|";
  }
  return found;
}

TEST(Highlight, KnowsStringsOfCpp) {
  const auto strings = [](std::string_view code) { return marked_as("string", code, Language::cpp); };
  EXPECT_EQ(strings(R"(f("a\"b", '\'', "\\", u8"c", L'd', x"e"sv);)"), R"("a\"b"|'\''|"\\"|u8"c"|L'd'|"e"|)");
  EXPECT_EQ(strings("R\"(a)b\")\" + R\"x(\")\")x\" + c"), "R\"(a)b\")\"|R\"x(\")\")x\"|");
  EXPECT_EQ(strings("uR\"(a\n// \"b\")\";"), "uR\"(a|// \"b\")\"|");
  EXPECT_EQ(strings("R\"a b(c\" + d"), "R\"a b(c\"|");  // a delimiter has no spaces
  EXPECT_EQ(strings("R\"(a\nb"), "R\"(a|b|");
  EXPECT_EQ(strings("\"a\nb"), "\"a|");
  EXPECT_EQ(strings("\"a\\\nb\" c"), "\"a\\|b\"|");
}

TEST(Highlight, KnowsStringsOfPython) {
  const auto strings = [](std::string_view code) { return marked_as("string", code, Language::python); };
  EXPECT_EQ(strings(R"(x = 'a"\'b' + "c'" + '')"), R"('a"\'b'|"c'"|''|)");
  EXPECT_EQ(strings(R"(g(f"{x:.4f}", r'\d', Rb"\"", g"a"))"), R"(f"{x:.4f}"|r'\d'|Rb"\""|"a"|)");
  EXPECT_EQ(strings("x = \"\"\"a\n# \"b\" ''' \\\"\"\"\nc\"\"\" + d"),
            "\"\"\"a|# \"b\" ''' \\\"\"\"|c\"\"\"|");
  EXPECT_EQ(strings("x = '''a\nb"), "'''a|b|");
  EXPECT_EQ(strings("x = 'a\nb"), "'a|");
  EXPECT_EQ(strings("x = 'a\\\nb' + c"), "'a\\|b'|");
  EXPECT_EQ(marked_as("comment", "def f():\n  '''a\n  b'''\n  'c'  # '''", Language::python),
            "'''a|  b'''|# '''|");
}

TEST(Highlight, KnowsNumbers) {
  EXPECT_EQ(
      marked_as("number", "1e-5+0x1F-1'000, 1.f .5 x1 0x1.8p-3f 10ULL a[1]-2, 0xe+1 7' 8", Language::cpp),
      "1e-5|0x1F|1'000|1.f|.5|0x1.8p-3f|10ULL|1|2|0xe|1|7|");
  EXPECT_EQ(marked_as("number", "10j 1_000 1E+3 x2[3:] 1. 2.0.hex() 0o17-0b1 'a'", Language::python),
            "10j|1_000|1E+3|3|1.|2.0|0o17|0b1|");
}

TEST(Highlight, KnowsTypesAndFunctions) {
  const std::string code =
      "template <class T> std::vector<std::pair<int, T>> g(const Tensor x, Tensor *y = nullptr, Tensor& z);\n"
      "enum class Kind { a };  a<b; x = f (1) < c > d;  std::map<A, B> b{}; long double c = d;";
  EXPECT_EQ(marked_as("type", code, Language::cpp),
            "T|vector<std::pair<int, T>>|Tensor|Tensor|Kind|map<A, B>|long|double|");
  EXPECT_EQ(marked_as("function", code, Language::cpp), "g|f|");
  EXPECT_EQ(highlighted("@torch.no_grad()\n@property\ndef f(x): pass", Language::python, Markup::ansi),
            "@torch.\033[94mno_grad\033[0m()\n@property\n\033[35mdef\033[0m \033[94mf\033[0m(x): "
            "\033[35mpass\033[0m");
}

TEST(Highlight, KnowsDirectives) {
  EXPECT_EQ(
      highlighted("#include <a\n # define F(x) #x\na # b", Language::cpp, Markup::ansi),
      "\033[35m#include\033[0m \033[32m<a\033[0m\n \033[35m# define\033[0m \033[94mF\033[0m(x) #x\na # b");
}

TEST(Highlight, LosesNothing) {
  const std::string texts[] = {"",
                               "\n",
                               "\n\na\n\n",
                               "a\tb\r\nc \n ",
                               "</span><script>alert(\"&amp;\")</script> '\"` &lt; /* <!-- */",
                               "\"\"\"never\n'closed",
                               "R\"x(\n)x\" 'a\\'b' \\",
                               "R\"",
                               "/*",
                               "#",
                               "class",
                               "1'",
                               "\"\"\"\\",
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

}  // namespace
}  // namespace torchbook::report
