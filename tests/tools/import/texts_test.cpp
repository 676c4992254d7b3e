// Tests notes, slugs, visible texts and CMake lines.
#include <gtest/gtest.h>
#include <tools/import/cmake_line.h>
#include <tools/import/notes.h>
#include <tools/import/slug.h>
#include <tools/import/visible.h>

#include <string>
#include <vector>

namespace torchbook::importing {
namespace {

using Texts = std::vector<std::string>;

TEST(Note, IsTheMarkdown) {
  const std::string text =
      "# One\n\n*Two* **lines** with `<b>`, ``a ` <b>``, $x<y>z$, <https://pytorch.org> and [a "
      "link](http://x/y)\n\n- a\n"
      "  - b\n\n```cpp\nstd::vector<int> x;\n```\n\n~~~\n![no picture](a)\n~~~\n\n| a | 2 < 3 &lt; 4 "
      "|\n|---|---|";
  EXPECT_EQ(note_of("\n" + text + "\n \n").markdown, text);
  EXPECT_EQ(note_of("\n \n").markdown, "");
}

TEST(Note, HasNoTagsAndPictures) {
  const auto note =
      note_of("![map](a/map.png?x=1)<center>text</center><br>\n<img src=\"b/c.webp\" width=\"3\"> end");
  EXPECT_EQ(note.markdown, "text \n end");
  EXPECT_EQ(note.left_out, (Texts{"a picture in the text: map.png", "a picture in the text: c.webp"}));
}

TEST(Note, IsMadeInLinearTime) {
  for (const char c : {'[', '<', '`', '!'}) {
    const std::string many(1000000, c);
    EXPECT_EQ(note_of(many).markdown, many);
  }
}

TEST(Slug, IsMadeOfTheFileName) {
  EXPECT_EQ(slug_of("a/b/My Notebook (1).ipynb"), "My_Notebook_1");
  EXPECT_EQ(slug_of("00_intro.ipynb"), "notebook_00_intro");
  EXPECT_EQ(slug_of("class.ipynb"), "class_notebook");
  EXPECT_EQ(slug_of("main.ipynb"), "main_notebook");
  EXPECT_EQ(slug_of("torch.ipynb"), "torch_notebook");
  EXPECT_EQ(slug_of("RNN.ipynb"), "rnn");
  EXPECT_EQ(slug_of("LOG_2.ipynb"), "log_2");
  EXPECT_EQ(slug_of("MKL.ipynb"), "mkl_notebook");
  EXPECT_EQ(slug_of("__a__b__"), "a_b");
  EXPECT_EQ(slug_of("\u00dcbung 1.ipynb"), "Ubung_1");
  EXPECT_EQ(slug_of("mod\u00e8le_\u0142\u00f3d\u017a.ipynb"), "modele_odz");
  EXPECT_EQ(slug_of("данные.ipynb"), "notebook_1");
  EXPECT_EQ(slug_of(std::string(300, 'x')).size(), 91U);
}

TEST(Slug, IsTheNameOfAFunction) {
  EXPECT_EQ(why_no_slug("chapter_3"), "");
  for (const std::string text :
       {"",       "3a",    "a-b",   "_a",   "a__b", "while",      "main", "std",
        "errno",  "all",   "CHECK", "M_PI", "LOG",  "google",     "uint", "pthread_t",
        "optarg", "torch", "c10",   "fmt",  "mkl",  "DEFINE_bool"}) {
    EXPECT_NE(why_no_slug(text), "") << text;
  }
  EXPECT_NE(why_no_slug(std::string(101, 'a')), "");
  EXPECT_EQ(why_no_slug("GPT_2"), "has no small letter, like macros of C++; gpt_2 would do");
}

TEST(Visible, HasNoHiddenCharacters) {
  EXPECT_EQ(visible("a\tb\nä"), "a\tb\nä");
  EXPECT_EQ(visible(std::string("\0", 1)), "<U+0000>");
  EXPECT_EQ(visible("\u202e x\x1b"), "<U+202E> x<U+001B>");
  EXPECT_EQ(visible("\xff"), "<U+00FF>");
  EXPECT_FALSE(is_utf8("a\xff"));
  EXPECT_TRUE(is_utf8("aä"));
}

TEST(CmakeLine, StandsBehindTheLastNotebook) {
  EXPECT_EQ(with_notebook("# a\ntorchbook_add_notebook(one)\n\ntorchbook_add_program()\n", "two"),
            "# a\ntorchbook_add_notebook(one)\ntorchbook_add_notebook(two)\n\ntorchbook_add_program()\n");
  EXPECT_EQ(with_notebook("project(x)\n  torchbook_add_program(p)", "two"),
            "project(x)\ntorchbook_add_notebook(two)\n  torchbook_add_program(p)");
  EXPECT_EQ(with_notebook("project(x)\n", "two"), std::nullopt);
  EXPECT_EQ(with_notebook("# torchbook_add_program(p)\n", "two"), std::nullopt);
}

TEST(CmakeLine, StandsInCodeOnly) {
  EXPECT_EQ(with_notebook("#[[\ntorchbook_add_program(old)\n]] torchbook_add_program(p)\n", "two"),
            "#[[\ntorchbook_add_program(old)\n]] torchbook_add_notebook(two)\ntorchbook_add_program(p)\n");
  EXPECT_EQ(with_notebook("message(\"\ntorchbook_add_program(\\\")\")\n", "two"), std::nullopt);
  EXPECT_EQ(with_notebook("message([=[\ntorchbook_add_program(p)]] ]=])\n", "two"), std::nullopt);
  EXPECT_EQ(with_notebook("torchbook_add_program(p", "two"), std::nullopt);
}

TEST(CmakeLine, KeepsCallsOverSeveralLinesWhole) {
  EXPECT_EQ(
      with_notebook("torchbook_add_notebook(\n  one  # )\n)  # first\nTORCHBOOK_ADD_PROGRAM (p)\n", "two"),
      "torchbook_add_notebook(\n  one  # )\n)  # first\ntorchbook_add_notebook(two)\n"
      "TORCHBOOK_ADD_PROGRAM (p)\n");
  EXPECT_EQ(with_notebook("torchbook_add_notebook(one) torchbook_add_program(p)", "two"),
            "torchbook_add_notebook(one) torchbook_add_notebook(two)\ntorchbook_add_program(p)");
}

TEST(CmakeLine, IsAmongTheNotebooksOfTheProgram) {
  EXPECT_EQ(with_notebook("torchbook_add_program(p NOTEBOOKS\n  one)\n", "two"),
            "torchbook_add_notebook(two)\ntorchbook_add_program(p NOTEBOOKS\n  one two)\n");
}

TEST(CmakeLine, KeepsLineEnds) {
  EXPECT_EQ(with_notebook("torchbook_add_program(p)\r\n", "two"),
            "torchbook_add_notebook(two)\r\ntorchbook_add_program(p)\r\n");
}

TEST(CmakeLine, IsFoundWithAndWithoutArguments) {
  EXPECT_TRUE(has_notebook("TorchBook_Add_Notebook (\n\"one\")\n", "one"));
  EXPECT_FALSE(has_notebook("#[[\ntorchbook_add_notebook(one)]]\n", "one"));
  EXPECT_TRUE(has_notebook("torchbook_add_notebook(one)\n", "one"));
  EXPECT_TRUE(has_notebook("  torchbook_add_notebook( one GOLDEN x)\n", "one"));
  EXPECT_FALSE(has_notebook("torchbook_add_notebook(one_more)\n", "one"));
  EXPECT_FALSE(has_notebook("# torchbook_add_notebook(one)\n", "one"));
}

}  // namespace
}  // namespace torchbook::importing
