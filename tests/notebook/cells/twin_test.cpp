// Tests reading the cells of a twin, and the check that they are the port's cells.
#include <gtest/gtest.h>
#include <support/message_of.h>
#include <torchbook/notebook/cells/table.h>

#include <string>
#include <string_view>
#include <vector>

namespace torchbook::notebook {
namespace {

std::string twin_refusal(std::string_view twin) {
  return test::message_of<TextError>([&] { parse_twin(twin); });
}

TEST(Twin, HasACellAHeading) {
  const auto cells = parse_twin(
      "# A twin.\n\n# %% [1]\nimport torch\n\n\n# %% [restored] as the kernel had it\nx = 1\n# %% [None]\n# "
      "%% [7]\n\nx\n");
  ASSERT_EQ(cells.size(), 4U);
  EXPECT_EQ(cells[0].label, "1");
  EXPECT_EQ(cells[0].source, "import torch");
  EXPECT_EQ(cells[0].line, 4U);
  EXPECT_TRUE(cells[1].restored);
  EXPECT_EQ(cells[1].label, "");
  EXPECT_EQ(cells[1].source, "x = 1");
  EXPECT_EQ(cells[2].label, "None");
  EXPECT_EQ(cells[2].source, "");
  EXPECT_EQ(cells[3].source, "\nx");
  EXPECT_EQ(cells[3].line, 11U);
}

TEST(Twin, SkipsMarkdownAndTakesCarriageReturns) {
  const auto cells =
      parse_twin("# %% [1]\r\nx = 1\r\n# %% [markdown] of the author's\r\n# Some text.\r\n# %% [2]\r\nx\r\n");
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[0].source, "x = 1");
  EXPECT_EQ(cells[1].source, "x");
}

TEST(Twin, AHeadingInAStringIsText) {
  const std::string text =
      "s = '''\n# %% [2]\n'''\nt = \"\"\"a \\\"\"\"\n# %% [3]\n\"\"\"  # '''\nu = 'a \\\n# %% [4]\n'\nv = "
      "'it''s'  # \"\"\"\nw = '\\\\'";
  const auto cells = parse_twin("# %% [1]\n" + text + "\n# %% [5]\nx\n");
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[0].source, text);
  EXPECT_EQ(cells[1].label, "5");
}

TEST(Twin, WhatIsNoHeadingOrStandsInNoCellIsRefused) {
  EXPECT_EQ(twin_refusal("import torch\n# %% [1]\n"),
            "1: code stands above the first '# %% [label]'; it must stand in a cell");
  EXPECT_EQ(twin_refusal("# %%\nx\n"), "1: a cell of a twin begins with '# %% [label]'; this is '# %%'");
  EXPECT_EQ(twin_refusal("# %% [1]\n# %% Title\n"),
            "2: a cell of a twin begins with '# %% [label]'; this is '# %% Title'");
  EXPECT_EQ(twin_refusal("#%% [1]\n"),
            "1: a cell of a twin begins with '# %% [label]', with a space behind the '#'");
  EXPECT_EQ(twin_refusal("# %% []\n"), "1: a cell of a twin begins with '# %% [label]'; this is '# %% []'");
  EXPECT_EQ(twin_refusal("# %% [1] Title\n"), "1: nothing may follow the label of '# %% [1]'");
  EXPECT_EQ(twin_refusal("# %% [1]x\n"), "1: nothing may follow the label of '# %% [1]'");
  const auto long_heading = "# %% " + std::string(95, 'x');
  EXPECT_EQ(twin_refusal(long_heading + "\n"),
            "1: a cell of a twin begins with '# %% [label]'; this is '" + long_heading + "'");
  EXPECT_EQ(twin_refusal(long_heading + "x\n"), "1: a cell of a twin begins with '# %% [label]'");
  EXPECT_EQ(twin_refusal("# %% [markdown]\nText.\n"),
            "2: code stands in a markdown cell; its lines must begin with '#'");
}

// ------------------------------------------------------------ compared with the port

const std::vector<PortCell> port = {{.restored = false, .label = "1", .source = "a;", .line = 5},
                                    {.restored = true, .label = "", .source = "b;", .line = 7},
                                    {.restored = false, .label = "4", .source = "c;", .line = 9}};

std::string table_refusal(std::string_view twin) {
  try {
    table_of(port, parse_twin(twin), "book.cpp");
    return "nothing";
  } catch (const TextError& error) {
    return error.in_file("book.py");
  }
}

TEST(Table, HasBothTextsAndBothLines) {
  const auto twin = parse_twin("# %% [1]\nA\n# %% [restored] why\nB\n# %% [4]\nC\n");
  const auto table = table_of(port, twin, "book.cpp");
  ASSERT_EQ(table.size(), 3U);
  EXPECT_EQ(table[2].label, "4");
  EXPECT_EQ(table[2].source, "c;");
  EXPECT_EQ(table[2].twin, "C");
  EXPECT_EQ(table[2].line, 9U);
  EXPECT_EQ(table[2].twin_line, 6U);
  EXPECT_TRUE(table[1].restored);
  EXPECT_EQ(table_of(port, {}, "book.cpp")[2].twin, "");
}

TEST(Table, OtherCellsInTheTwinAreRefused) {
  EXPECT_EQ(table_refusal("# %% [2]\n# %% [restored]\n# %% [4]\n"),
            "book.py:1: here is In [2], where the port has In [1] (book.cpp:5)");
  EXPECT_EQ(table_refusal("# %% [1]\n# %% [restored]\n# %% [restored]\n"),
            "book.py:3: here is restored state, where the port has In [4] (book.cpp:9); nb.restored begins "
            "one in a port");
  EXPECT_EQ(table_refusal("# %% [1]\n# %% [restored]\n# %% [5]\n"),
            "book.py:3: here is In [5], where the port has In [4] (book.cpp:9)");
  EXPECT_EQ(table_refusal("# %% [1]\n# %% [4]\n"),
            "book.py:2: here is In [4], where the port has restored state (book.cpp:7); a line '# %% "
            "[restored] …' begins one in a twin");
  EXPECT_EQ(table_refusal("# %% [1]\n# %% [restored]\n"),
            "book.py: it ends before In [4], which the port has (book.cpp:9)");
  EXPECT_EQ(table_refusal("# %% [1]\n# %% [restored]\n# %% [4]\n# %% [6]\n"),
            "book.py:4: here is In [6], but the port has no further cell (book.cpp)");
}

}  // namespace
}  // namespace torchbook::notebook
