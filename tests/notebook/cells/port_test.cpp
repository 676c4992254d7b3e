// Tests that the cells of a port are read exactly, in any layout, and that a port is refused if text would be
// lost.
#include <gtest/gtest.h>
#include <support/message_of.h>
#include <torchbook/notebook/cells/port.h>

#include <string>
#include <string_view>
#include <vector>

namespace torchbook::notebook {
namespace {

/// Returns the body as the function of a notebook that is called `book`. Its first line is line 2.
std::string port_with(std::string_view body) {
  return "// A port.\nvoid book(torchbook::Notebook& nb) {" + std::string(body) + "}\n";
}

std::vector<PortCell> cells_of(std::string_view body) { return parse_port(port_with(body), "book"); }

/// Returns the texts of the cells of a body, restored state included.
std::vector<std::string> sources_of(std::string_view body) {
  std::vector<std::string> sources;
  for (const auto& cell : cells_of(body)) sources.push_back(cell.source);
  return sources;
}

using Sources = std::vector<std::string>;

std::string refusal_of_text(std::string_view text) {
  return test::message_of<TextError>([&] { parse_port(text, "book"); });
}

std::string refusal_of(std::string_view body) { return refusal_of_text(port_with(body)); }

void expect_refused(std::string_view body, std::string_view why) {
  EXPECT_NE(refusal_of(body).find(why), std::string::npos) << body << "\n-> " << refusal_of(body);
}

TEST(Port, ACellReachesToTheNextCellNoteRestoredStateOrEnd) {
  const auto cells = cells_of(R"(
  nb.note("First.");

  nb.cell("3");
  const int x = 1;  // one
  nb.display(x);

  nb.note("Between.");

  nb.restored("why");
  int y = 2;
  nb.cell("None");
  // nothing
  nb.cell("5");
)");
  ASSERT_EQ(cells.size(), 4U);
  EXPECT_EQ(cells[0].label, "3");
  EXPECT_FALSE(cells[0].restored);
  EXPECT_EQ(cells[0].source, "const int x = 1;  // one\nnb.display(x);");
  EXPECT_EQ(cells[0].line, 5U);
  EXPECT_EQ(cells[0].source_line, 6U);
  EXPECT_TRUE(cells[1].restored);
  EXPECT_EQ(cells[1].source, "int y = 2;");
  EXPECT_EQ(cells[1].line, 11U);
  EXPECT_EQ(cells[1].source_line, 12U);
  EXPECT_EQ(cells[2].label, "None");
  EXPECT_EQ(cells[2].source, "// nothing");
  EXPECT_EQ(cells[3].label, "5");
  EXPECT_EQ(cells[3].source, "");
}

TEST(Port, TheLineOfACellsTextIsAfterEmptyLinesAndItsCall) {
  const auto cells = cells_of("nb.cell(\"1\"); f();\nnb.cell(\n\"2\");\n\n  // text\n  f();\n");
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[0].source_line, cells[0].line);
  EXPECT_EQ(cells[1].source, "// text\nf();");
  EXPECT_EQ(cells[1].source_line, cells[1].line + 3);
}

TEST(Port, ALayoutDoesNotMatter) {
  const Sources expected = {"int x = 1;", "nb.display(x);"};
  EXPECT_EQ(sources_of("nb.cell(\"1\");int x = 1;nb.cell(\"2\");nb.display(x);"), expected);
  EXPECT_EQ(sources_of("\n\tnb.cell(\"1\");\n\tint x = 1;\n\tnb.cell(\"2\");\n\tnb.display(x);\n"), expected);
  EXPECT_EQ(
      sources_of("\r\n  nb.cell(\"1\");\r\n  int x = 1;\r\n\r\n  nb.cell(\"2\");\r\n  nb.display(x);\r\n"),
      expected);
  EXPECT_EQ(
      sources_of(
          "\n  nb\n  .\n  cell\n  (\n  \"1\"\n  )\n  ;\n  int x = 1;\nnb . cell (\"2\") ; nb.display(x);\n"),
      expected);
  EXPECT_EQ(sources_of("\n  nb.cell(\"1\"); int x = 1; nb.cell(\"2\");\n\n\n  nb.display(x);\n\n\n"),
            expected);
}

TEST(Port, EveryWayOfBracingStaysInItsCell) {
  EXPECT_EQ(sources_of(R"(
  nb.cell("1");
  for (int i = 0; i < 3; ++i)
  {
    if (i) { nb.print(i); } else
      nb.print(-i);
  }

  nb.cell("2");
  struct Block : torch::nn::Module
  {
    Block() { register_module("m", m); }
    torch::nn::Linear m{nullptr};
  };
  auto add = [&](int a)
  {
    return a + 1;
  };

  nb.cell("3");
  while (true) do { break; } while (false);
)"),
            (Sources{"for (int i = 0; i < 3; ++i)\n{\n  if (i) { nb.print(i); } else\n    nb.print(-i);\n}",
                     "struct Block : torch::nn::Module\n{\n  Block() { register_module(\"m\", m); }\n"
                     "  torch::nn::Linear m{nullptr};\n};\nauto add = [&](int a)\n{\n  return a + 1;\n};",
                     "while (true) do { break; } while (false);"}));
}

TEST(Port, CommentsAndLiteralsThatLookLikeCellsAreText) {
  EXPECT_EQ(
      sources_of(R"x(
  nb.cell("1");  // (3, 3)
  // nb.cell("2");
  /* nb.cell("2"); } */
  nb.print("nb.cell(\"2\");");
  nb.print(R"(nb.cell("2"); }); " )", '"', '}', u8"{", L'{');
  nb.print(R"delimiter(
nb.cell("2");
)" )delimiter");
  // a comment that goes on \
  nb.cell("2");
  int n = 1'000'000;

  nb.cell("3");
  nb.display(n);
)x"),
      (Sources{"// (3, 3)\n// nb.cell(\"2\");\n/* nb.cell(\"2\"); } */\nnb.print(\"nb.cell(\\\"2\\\");\");\n"
               "nb.print(R\"(nb.cell(\"2\"); }); \" )\", '\"', '}', u8\"{\", L'{');\n"
               "nb.print(R\"delimiter(\nnb.cell(\"2\");\n)\" )delimiter\");\n"
               "// a comment that goes on \\\nnb.cell(\"2\");\nint n = 1'000'000;",
               "nb.display(n);"}));
}

TEST(Port, ALineInsideARawStringKeepsItsIndent) {
  EXPECT_EQ(sources_of("\n  nb.cell(\"1\");\n  nb.print(R\"(a\n    b\n c)\");\n    more();\n"),
            Sources{"nb.print(R\"(a\n    b\n c)\");\n  more();"});
}

TEST(Port, SplicesAndDigraphsAreReadAsCppReadsThem) {
  EXPECT_EQ(sources_of("\n  nb.ce\\\nll(\"1\");\n  int x = 1; // spliced \\\n } \n  nb.cell(\"2\");\n  <% "
                       "int y<:2:>; %>\n"),
            (Sources{" int x = 1; // spliced \\\n}", "<% int y<:2:>; %>"}));
}

TEST(Port, ALabelIsAStringLiteral) {
  EXPECT_EQ(cells_of("nb.cell(\"1\" \"2\");")[0].label, "12");
  EXPECT_EQ(cells_of("nb.cell(R\"(7)\");")[0].label, "7");
  EXPECT_EQ(cells_of("nb.cell(/* of the third part */ \"8\");")[0].label, "8");
  expect_refused("nb.cell(label);", "must be a plain string literal");
  expect_refused("nb.cell();", "needs its label");
  expect_refused("nb.cell(u8\"1\");", "must be a plain string literal");
  expect_refused("nb.cell(\"1]\");", "a label must have 1 to 64 bytes, no brackets");
}

TEST(Port, TheNotebookMayHaveAnyName) {
  const auto text =
      "void book(torchbook::Notebook & page) noexcept { page.cell(\"1\"); page.print(nb.cell(2)); }";
  EXPECT_EQ(parse_port(text, "book")[0].source, "page.print(nb.cell(2));");
  EXPECT_EQ(parse_port("void book(torchbook::Notebook& nb);\nauto book(torchbook::Notebook& nb) -> void { "
                       "nb.cell(\"1\"); }",
                       "book")
                .size(),
            1U);
}

TEST(Port, OtherFunctionsAndNamespacesAreLeftAlone) {
  const auto text =
      "namespace { int helper() { return 1; } struct S { void book(Notebook& nb) { nb.cell(\"0\"); } }; }\n"
      "#define TWICE(x) ((x) + (x))\nvoid book(torchbook::Notebook& nb) { nb.cell(\"1\"); }\n";
  ASSERT_EQ(parse_port(text, "book").size(), 1U);
  EXPECT_EQ(parse_port(text, "book")[0].label, "1");
}

TEST(Port, ANameOfAnotherThingIsNoNotebook) {
  EXPECT_EQ(sources_of("nb.cell(\"1\"); other.nb.cell(2); p->nb.cell(3); n::nb.cell(4); int nb2 = 1;").size(),
            1U);
}

TEST(Port, ACellInsideBracketsIsRefusedWithItsLine) {
  constexpr auto why = "must be a statement of the function itself";
  expect_refused("\n  nb.cell(\"1\");\n  for (;;) {\n    nb.cell(\"2\");\n  }\n", why);
  EXPECT_EQ(refusal_of("\n  nb.cell(\"1\");\n  for (;;) {\n    nb.cell(\"2\");\n  }\n").substr(0, 2), "5:");
  expect_refused("nb.cell(\"1\"); for (;;) nb.cell(\"2\");", why);
  expect_refused("nb.cell(\"1\"); if (x) y(); else nb.cell(\"2\");", why);
  expect_refused("nb.cell(\"1\"); do nb.cell(\"2\"); while (x);", why);
  expect_refused("nb.cell(\"1\"); { nb.cell(\"2\"); }", why);
  expect_refused("nb.cell(\"1\"); auto g = [&] { nb.note(\"2\"); };", why);
  expect_refused("nb.cell(\"1\"); call(nb.cell(\"2\"));", why);
  expect_refused("nb.cell(\"1\"); x ? nb.cell(\"2\") : y();", why);
  expect_refused("nb.cell(\"1\"); here: nb.cell(\"2\");", why);
  expect_refused("nb.cell(\"1\"), nb.cell(\"2\");", "must be a statement of its own");
}

TEST(Port, WhatStandsInNoCellIsRefused) {
  expect_refused("nb.print(1); nb.cell(\"1\");", "nb.print stands in no cell");
  expect_refused("nb.display(1);", "nb.display stands in no cell");
  expect_refused("int x = 1; nb.cell(\"1\");", "this code stands in no cell");
  expect_refused("nb.cell(\"1\"); nb.note(\"n\"); int x = 1; nb.cell(\"2\");", "this code stands in no cell");
  expect_refused("nb.restored(\"r\"); nb.print(1);", "restored state, which shows nothing");
}

TEST(Port, ASecondDisplayIsRefused) {
  expect_refused("nb.cell(\"1\"); nb.display(1); nb.display(2);", "displays a second value");
  EXPECT_EQ(cells_of("nb.cell(\"1\"); nb.display(1); nb.cell(\"2\"); nb.display(2);").size(), 2U);
}

TEST(Port, ACellSaysOnceInALiteralWhyItIsNotPorted) {
  const auto cells = cells_of(R"y(
  nb.cell("1");
  nb.not_ported("needs "
                R"x(a tokenizer)x");
  nb.cell("2");
  nb.not_ported("too");
  nb.display(1);
)y");
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[1].source, "nb.not_ported(\"too\");\nnb.display(1);");
  expect_refused("nb.not_ported(\"why\"); nb.cell(\"1\");", "nb.not_ported stands in no cell");
  expect_refused("nb.restored(\"r\"); nb.not_ported(\"why\");", "restored state, which shows nothing");
  expect_refused("nb.cell(\"1\"); nb.not_ported();", "needs the reason as a string literal");
  expect_refused("nb.cell(\"1\"); nb.not_ported(why);", "must be a plain string literal");
  expect_refused("nb.cell(\"1\"); nb.not_ported(\"a\"); nb.not_ported(\"b\");", "says a second time");
}

TEST(Port, WhatThePreprocessorCouldHideIsRefused) {
  expect_refused("nb.cell(\"1\");\n#if 0\nnb.cell(\"2\");\n#endif\n", "must not stand inside #if");
  expect_refused("nb.cell(\"1\");\n  %: ifdef X\nnb.cell(\"2\");\n#endif\n", "must not stand inside #if");
  expect_refused("nb.cell(\"1\");\n#include \"cells.inc\"\n", "an include must stand above the function");
  EXPECT_EQ(sources_of("\nnb.cell(\"1\");\n#if 0\n{}\n#endif\nint x;\n"),
            Sources{"#if 0\n{}\n#endif\nint x;"});
  expect_refused("nb.cell(\"1\");\n#if 0\n}\n#endif\n", "closes nothing");
  const auto macro = "#define CELL(x) do \\\n nb.cell(x); while (0)\nvoid book(torchbook::Notebook& nb) {}";
  EXPECT_EQ(refusal_of_text(macro),
            "1: a macro must not begin a cell, a note or restored state: write it out");
}

TEST(Port, TheFunctionIsTheOneThatIsCompiled) {
  const std::string real = "void book(torchbook::Notebook& nb) { nb.cell(\"1\"); real(); }\n";
  const std::string other = "{ nb.cell(\"1\"); other(); }\n";
  for (const std::string head :
       {"void book(torchbook::Notebook& nb, int) ", "void A::book(torchbook::Notebook& nb) ",
        "void book(int nb) ", "int h(int a = book(1)) "}) {
    EXPECT_EQ(parse_port(head + other + real, "book").at(0).source, "real();") << head;
  }
  EXPECT_EQ(refusal_of_text("#if 0\n" + real + "#else\n" + real + "#endif\n"),
            "2: book must not stand inside #if: whether it is compiled cannot be seen");
  EXPECT_EQ(refusal_of_text(real + real), "2: book is defined a second time; a notebook is one function");
}

TEST(Port, ADirectiveHidesNoStatement) {
  constexpr auto why = "must be a statement of the function itself";
  expect_refused("nb.cell(\"1\");\nif (x)\n#pragma once\nnb.cell(\"2\");", why);
  expect_refused("nb.cell(\"1\");\nfor (;;)\n#line 1\nnb.cell(\"2\");", why);
  EXPECT_EQ(
      sources_of("nb.cell(\"1\");\n#define X it's\n#define Y R\"(\"/*)\"\nx(); /* x */\nnb.cell(\"2\");")
          .at(0),
      "#define X it's\n#define Y R\"(\"/*)\"\nx(); /* x */");
}

TEST(Port, TheNotebookIsCalledOrCapturedAndNothingElse) {
  constexpr auto why = "nb can only be called";
  expect_refused("nb.cell(\"1\"); auto& m = nb; m.cell(\"2\");", why);
  expect_refused("nb.cell(\"1\"); (nb).cell(\"2\");", why);
  expect_refused("nb.cell(\"1\"); (&nb)->cell(\"2\");", why);
  expect_refused("nb.cell(\"1\"); nb.torchbook::Notebook::cell(\"2\");", why);
  expect_refused("nb.cell(\"1\"); helper(nb, 1);", why);
  EXPECT_EQ(
      sources_of("nb.cell(\"1\"); auto show = [&nb](int x) { nb.print(x); }; auto more = [x, &nb, y] {};")
          .size(),
      1U);
}

TEST(Port, ClassesPrintThroughAPointer) {
  const std::string begin = "nb.cell(\"1\"); static torchbook::Notebook* notebook; notebook = &nb; ";
  EXPECT_EQ(sources_of(begin + "struct A { void f() { notebook->print(1); } };").size(), 1U);
  expect_refused(begin + "notebook->cell(\"2\");", "through the pointer notebook");
  expect_refused(begin + "auto* other = &nb;", "nb can only be called");
}

TEST(Port, AFileWithoutTheFunctionIsRefused) {
  EXPECT_NE(refusal_of_text("").find("there is no function void book(torchbook::Notebook& nb)"),
            std::string::npos);
  EXPECT_NE(
      refusal_of_text("namespace a { void book(torchbook::Notebook& nb) {} }").find("outside of namespaces"),
      std::string::npos);
  EXPECT_NE(refusal_of_text("void book(int nb) {}").find("there is no function"), std::string::npos);
  EXPECT_NE(refusal_of_text("void book(torchbook::Notebook&) {}").find("a name, such as nb"),
            std::string::npos);
}

TEST(Port, WhatDoesNotEndIsRefusedWithTheLineOfItsBegin) {
  EXPECT_EQ(refusal_of_text("\n/* no end"), "2: the comment that begins here does not end");
  EXPECT_EQ(refusal_of_text("\n\nauto s = \"no end\n;"), "3: the literal that begins here does not end");
  EXPECT_EQ(refusal_of_text("auto s = R\"x(no end)\";"), "1: the raw string that begins here does not end");
  // C++ takes delimiters of at most 16 characters.
  const std::string longest = "abcdefghijklmnop";
  const auto raw = [](const std::string& delimiter) {
    return "auto s = R\"" + delimiter + "(x)" + delimiter + "\";";
  };
  EXPECT_NE(refusal_of_text(raw(longest)).find("there is no function"), std::string::npos);
  EXPECT_EQ(refusal_of_text(raw(longest + "q")), "1: the raw string that begins here does not end");
  EXPECT_EQ(refusal_of_text("void book(torchbook::Notebook& nb) {\n(\n}"),
            "3: this '}' cannot close the '(' of line 2");
  EXPECT_EQ(refusal_of_text("void book(torchbook::Notebook& nb) {"),
            "1: this '{' is never closed; brackets must be in pairs");
}

}  // namespace
}  // namespace torchbook::notebook
