// Tests that the cells of a port are read exactly, and that a port is refused if text would be lost.
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
  return "void book(torchbook::Notebook& nb) {\n" + std::string(body) + "\n}\n";
}

/// The beginning of a body with a cell.
const std::string cell_1 = "nb.cell(\"1\");\n";

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
  const auto cells = cells_of("nb.cell(\"1\");  // text\nf();\nnb.cell(\n\"2\");\n\n  // text\n  f();\n");
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[0].source, "// text\nf();");
  EXPECT_EQ(cells[0].source_line, cells[0].line);
  EXPECT_EQ(cells[1].source, "// text\nf();");
  EXPECT_EQ(cells[1].source_line, cells[1].line + 3);
}

TEST(Port, IndentAndLineEndsDoNotMatter) {
  const Sources expected = {"int x = 1;", "nb.display(x);"};
  EXPECT_EQ(sources_of("\tnb.cell(\"1\");\n\tint x = 1;\n\tnb.cell(\"2\");\n\tnb.display(x);"), expected);
  EXPECT_EQ(sources_of("  nb.cell(\"1\");\r\n  int x = 1;\r\n\r\n  nb.cell(\"2\");\r\n  nb.display(x);\r\n"),
            expected);
  EXPECT_EQ(sources_of("nb.cell(\n  \"1\"\n);\n  int x = 1;\n  nb.cell(\"2\");\n\n\n  nb.display(x);\n\n\n"),
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
  EXPECT_EQ(sources_of(R"x(
  nb.cell("1");  // (3, 3)
  // nb.cell("2");
  /* nb.cell("2"); } */
  /*
  nb.cell("2");
  }
  */
  nb.print("nb.cell(\"2\");");
  nb.print(R"(nb.cell("2"); }); " )", '"', '}', u8"{", L'{');
  nb.print(R"delimiter(
  nb.cell("2");
}
)" )delimiter");
  int n = 1'000'000;

  nb.cell("3");
  nb.display(n);
)x"),
            (Sources{"// (3, 3)\n// nb.cell(\"2\");\n/* nb.cell(\"2\"); } */\n/*\nnb.cell(\"2\");\n}\n*/\n"
                     "nb.print(\"nb.cell(\\\"2\\\");\");\n"
                     "nb.print(R\"(nb.cell(\"2\"); }); \" )\", '\"', '}', u8\"{\", L'{');\n"
                     "nb.print(R\"delimiter(\n  nb.cell(\"2\");\n}\n)\" )delimiter\");\nint n = 1'000'000;",
                     "nb.display(n);"}));
}

TEST(Port, ALineOfSpacesIsEmpty) {
  EXPECT_EQ(sources_of(cell_1 + "  f();\n \n  g();\n"), Sources{"f();\n\ng();"});
}

TEST(Port, ALineInsideARawStringKeepsItsIndent) {
  EXPECT_EQ(sources_of("  nb.cell(\"1\");\n  nb.print(R\"(a\n    b\n c)\");\n    more();\n"),
            Sources{"nb.print(R\"(a\n    b\n c)\");\n  more();"});
}

TEST(Port, BlanksMayStandAroundAnArgument) {
  const auto cells = cells_of("nb.cell( \"1\" );\nnb.axis( x , 0 , { \"a\" , \"b\" } );");
  ASSERT_EQ(cells.size(), 1U);
  EXPECT_EQ(cells[0].label, "1");
  ASSERT_EQ(cells[0].axes.size(), 1U);
  EXPECT_EQ(cells[0].axes[0].comment(), "# axis x 0: a, b");
}

TEST(Port, AnAxisMayHaveSeveralLines) {
  const auto cells = cells_of(cell_1 + "nb.axis(x, 0, {\"a\",\n  \"b\"});\nf();\nnb.cell(\"2\");");
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[0].axes.at(0).comment(), "# axis x 0: a, b");
  EXPECT_EQ(cells[0].source, "nb.axis(x, 0, {\"a\",\n  \"b\"});\nf();");
}

TEST(Port, ATextIsOfStringLiterals) {
  EXPECT_EQ(cells_of("nb.cell(\"1\" \"2\");")[0].label, "12");
  EXPECT_EQ(cells_of(R"(nb.cell("\"\\");)")[0].label, "\"\\");
  EXPECT_EQ(
      cells_of("nb.note(\n    \"nb.cell(\\\"2\\\"); // {\\n\"\n    \"\\001\");\nnb.note(\"\");\n" + cell_1)
          .size(),
      1U);
  for (const auto* text : {"label", "", "\"\"", "u8\"1\"", "R\"(7)\"", "/* the third */ \"8\"", "\"1\" + x",
                           "\"1", "\"1\n\"", "\"1\\\n\""})
    EXPECT_EQ(refusal_of("nb.cell(" + std::string(text) + ");"),
              "2: nb.cell needs a string literal: nb.cell(\"…\");")
        << text;
  for (const auto* statement : {"nb.note(text);", "nb.restored();", "nb.not_ported(\"\");"})
    expect_refused(cell_1 + statement, " needs a string literal: nb.");
  expect_refused("nb.cell(\"1]\");", "a label must have 1 to 64 bytes, no brackets");
}

TEST(Port, TheNotebookMayHaveAnyName) {
  for (const auto* head : {"void book(torchbook::Notebook& page) {", "void book(Notebook &page)\n{",
                           "void book( torchbook::Notebook & page ) {  // text",
                           "void book(torchbook::Notebook& nb);\nvoid book(torchbook::Notebook& page) {"}) {
    const auto text = head + std::string("\npage.cell(\"1\");\npage.print(nb.cell(2));\n}");
    EXPECT_EQ(parse_port(text, "book").at(0).source, "page.print(nb.cell(2));") << head;
  }
}

TEST(Port, OtherFunctionsAreLeftAlone) {
  const auto text =
      "namespace {\nint helper() { return 1; }\nstruct S {\n  void book(Notebook& nb) { nb.print(0); "
      "}\n};\n}\n"
      "#define TWICE(x) ((x) + (x))\nvoid book(torchbook::Notebook& nb) {\n  nb.cell(\"1\");\n}\n"
      "void book(int nb) {}\n// The end.\n";
  ASSERT_EQ(parse_port(text, "book").size(), 1U);
  EXPECT_EQ(parse_port(text, "book")[0].label, "1");
}

TEST(Port, AnotherMethodIsCode) {
  EXPECT_EQ(sources_of(cell_1 + "nb.cells(2); nb2.cell(3); auto begin = &nb.cell;").size(), 1U);
}

TEST(Port, ACellThatDoesNotStandAloneIsRefusedWithItsLine) {
  constexpr auto why = "must stand alone on a line, as a statement of the function itself";
  const auto in_loop = cell_1 + "for (;;) {\n  nb.cell(\"2\");\n}\n";
  expect_refused(in_loop, why);
  EXPECT_EQ(refusal_of(in_loop).substr(0, 2), "4:");
  for (const auto* code : {"for (;;) nb.cell(\"2\");",
                           "for (;;)\nnb.cell(\"2\");",
                           "if (x) y(); else\nnb.cell(\"2\");",
                           "do\nnb.cell(\"2\");\nwhile (x);",
                           "{ nb.cell(\"2\"); }",
                           "{\nnb.cell(\"2\");\n}",
                           "auto g = [&] {\nnb.note(\"2\");\n};",
                           "call(nb.cell(\"2\"));",
                           "x ? nb.cell(\"2\") : y();",
                           "here:\nnb.cell(\"2\");",
                           "nb.cell(\"2\"), nb.cell(\"3\");",
                           "nb.note(\"2\"), nb.cell(\"3\");",
                           "nb.cell(\"2\"); nb.cell(\"3\");",
                           "nb.cell(\"2\"); f();",
                           "f(); nb.cell(\"2\");",
                           "nb.cell(\"2\") + 1;",
                           "if (x) nb.not_ported(\"why\");",
                           "if (x) { nb.restored(\"why\"); }",
                           "if (x) nb.cell(\"2\");",
                           "/**/ nb.cell(\"2\");",
                           "nb.cell(\"2\")",
                           "nb.cell(\"2\"); /**/"})
    expect_refused(cell_1 + code, why);
  expect_refused(cell_1 + "{\nnb.axis(x, 0, {\"a\"});\n}", why);
}

TEST(Port, ACellOutsideOfTheFunctionIsRefused) {
  const auto real = port_with(cell_1);
  for (const auto* code : {"#define CELL(x) \\\n  nb.cell(x)\n",
                           "void cells(torchbook::Notebook& nb) {\n  nb.cell(\"0\");\n}\n"}) {
    const auto before = refusal_of_text(code + real);
    EXPECT_EQ(before.substr(1), ": nb.cell must stand in the notebook's function") << code;
    EXPECT_EQ(refusal_of_text(real + code).substr(1), before.substr(1)) << code;
  }
}

TEST(Port, WhatStandsInNoCellIsRefused) {
  constexpr auto why = "this code stands in no cell; nb.cell or nb.restored must come before it";
  expect_refused("nb.print(1);\n" + cell_1, why);
  expect_refused("int x = 1;\n" + cell_1, why);
  expect_refused(cell_1 + "nb.note(\"n\");\nint x = 1;\nnb.cell(\"2\");", why);
  expect_refused("nb.not_ported(\"why\");\n" + cell_1, why);
  expect_refused("nb.axis(x, 0, {\"a\"});\n" + cell_1, why);
  EXPECT_EQ(sources_of("// text\n\n/* more\n   text */\n" + cell_1), Sources{""});
}

TEST(Port, AValueIsCarriedOnlyIntoACellThatIsNotPorted) {
  const auto cells = cells_of(R"(
  nb.cell("1");
  nb.not_ported("needs "
                "a tokenizer");
  const auto x = nb.carried<double>("x");
  nb.cell("2");
  nb.not_ported("too");
  nb.display(1);
)");
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[1].source, "nb.not_ported(\"too\");\nnb.display(1);");
  for (const auto* value : {"nb.carried<double>(\"x\");", "nb.carried_generator();"}) {
    expect_refused(cell_1 + value, "nb.not_ported comes before nb.carried");
    expect_refused(cell_1 + "nb.not_ported(\"why\");\nnb.cell(\"2\");\n" + value,
                   "5: a value is carried into a cell that is ported");
  }
}

TEST(Port, WhatThePreprocessorCouldHideIsRefused) {
  constexpr auto why = "as a statement of the function itself";
  expect_refused(cell_1 + "#if 0\nnb.cell(\"2\");\n#endif\n", why);
  expect_refused(cell_1 + "f();\n  #ifdef X\nf();\nnb.cell(\"2\");\n#endif\n", why);
  expect_refused(cell_1 + "if (x)\n#pragma once\nnb.cell(\"2\");", why);
  expect_refused(cell_1 + "#define CELL \\\n  nb.cell(\"2\");\n", why);
  expect_refused(cell_1 + "#define CELL nb.cell(\"2\")\n", why);
  EXPECT_EQ(sources_of(cell_1 + "f();\n#if 0\n{}\n#endif\nnb.cell(\"2\");"),
            (Sources{"f();\n#if 0\n{}\n#endif", ""}));
}

TEST(Port, TheFunctionIsDefinedOnce) {
  const auto real = port_with(cell_1);
  EXPECT_EQ(refusal_of_text("#if 0\n" + real + "#else\n" + real + "#endif\n"),
            "7: book is defined a second time; a notebook is one function");
}

TEST(Port, AFileWithoutTheFunctionIsRefused) {
  for (const auto* text :
       {"", "namespace a {\nvoid book(torchbook::Notebook& nb) {\n}\n}", "void book(int nb) {\n}",
        "namespace a {\nvoid book(torchbook::Notebook& nb)\n{\n}\n}", "void book(torchbook::Notebook&) {\n}",
        "void book(torchbook::Notebook& nb) {}", "void book(torchbook::Notebook& nb) {if (x)\n}",
        "void book(torchbook::Notebook& nb);", "void book(\n    torchbook::Notebook& nb) {\n}",
        "void A::book(torchbook::Notebook& nb) {\n}", "voidbook(torchbook::Notebook& nb) {\n}",
        "#define void book(torchbook::Notebook& nb) {\n}", "// void book(torchbook::Notebook& nb) {\n}",
        "void book(torchbook::Notebook& nb)", "void book(torchbook::Notebook& nb"}) {
    EXPECT_EQ(refusal_of_text(text),
              "there is no function void book(torchbook::Notebook& nb) outside of namespaces; "
              "a notebook is one")
        << text;
  }
}

TEST(Port, TheBraceThatEndsTheFunctionBeginsALine) {
  EXPECT_EQ(refusal_of_text("\nvoid book(torchbook::Notebook& nb) {\n}}"),
            "2: this '{' is never closed; braces must be in pairs");
  for (const auto* text : {"", "/* no end\n}", "f(R\"x(\n}"}) {
    EXPECT_EQ(refusal_of_text("\nvoid book(torchbook::Notebook& nb) {\n" + cell_1 + text),
              "2: this '{' is never closed; braces must be in pairs")
        << text;
  }
  EXPECT_EQ(refusal_of_text("void book(torchbook::Notebook& nb) {\n" + cell_1 + "f(); }"),
            "3: the function ends here; its '}' must begin a line");
  EXPECT_EQ(sources_of(cell_1 + "{\nf();\n}\nnb.cell(\"2\");"), (Sources{"{\nf();\n}", ""}));
}

}  // namespace
}  // namespace torchbook::notebook
