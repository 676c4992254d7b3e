// Tests which cells --cell accepts, and its error messages for others.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <torchbook/cli/shared/selection.h>
#include <torchbook/cli/system/exit.h>

#include <string>
#include <vector>

namespace torchbook::cli {
namespace {

using notebook::TableEntry;

// The restored state is no cell, so it has no position.
constexpr TableEntry first_table[] = {{.restored = false, .label = "3"},
                                      {.restored = false, .label = "26"},
                                      {.restored = true},
                                      {.restored = false, .label = "22"},
                                      {.restored = false, .label = "None"},
                                      {.restored = false, .label = "40"},
                                      {.restored = false, .label = "None"}};
constexpr TableEntry second_table[] = {{.restored = false, .label = "3"}, {.restored = false, .label = "7"}};

const std::vector<notebook::PortedNotebook> one = {
    {.slug = "one", .document = "", .define = nullptr, .table = first_table}};
const std::vector<notebook::PortedNotebook> both = {
    one.front(), {.slug = "two", .document = "", .define = nullptr, .table = second_table}};

/// Returns the selected cells, as `one 1 2; two 1`, or the message of the refusal.
std::string selected(const std::vector<std::string>& words,
                     const std::vector<notebook::PortedNotebook>& notebooks = one) {
  std::vector<std::string> all;
  try {
    for (const auto& [notebook, positions] : select_cells(notebooks, words)) {
      all.push_back(positions ? fmt::format("{} {}", notebook.slug, fmt::join(*positions, " "))
                              : fmt::format("all of {}", notebook.slug));
    }
  } catch (const UsageError& error) {
    return error.what();
  }
  return fmt::format("{}", fmt::join(all, "; "));
}

TEST(CellSelection, TakesWhatTheReportsShow) {
  for (const char* word : {"26", "[26]", "In [26]", "In[26]", "In 26", " In [ 26 ] ", "@2", " @2 "}) {
    EXPECT_EQ(selected({word}), "one 2") << word;
  }
}

TEST(CellSelection, TakesRangesInTheOrderOfTheNotebook) {
  for (const char* word :
       {"26-40", "In [26]-In [40]", "[26]-[40]", "In [26] - In [40]", "In [26-40]", "@2-@5"}) {
    EXPECT_EQ(selected({word}), "one 2 3 4 5") << word;
  }
  EXPECT_EQ(selected({"26-22"}), "one 2 3");
  EXPECT_EQ(selected({"3-3"}), "one 1");
}

TEST(CellSelection, TakesListsAndRepetition) {
  EXPECT_EQ(selected({"3,40,@2-@3"}), "one 1 2 3 5");
  EXPECT_EQ(selected({"40, 3", "26", "3"}), "one 1 2 5");
}

TEST(CellSelection, TakesEverythingIfNothingIsNamed) {
  EXPECT_EQ(selected({}, both), "all of one; all of two");
}

TEST(CellSelection, FindsTheOnlyNotebookThatHasACell) {
  EXPECT_EQ(selected({"26"}, both), "one 2");
  EXPECT_EQ(selected({"3-7"}, both), "two 1 2");
  EXPECT_EQ(selected({"@6"}, both), "one 6");
  EXPECT_EQ(selected({"7,40"}, both), "one 5; two 2");
}

TEST(CellSelection, RefusesWhatSeveralNotebooksHave) {
  for (const std::string word : {"3", "@2", "@1-@2"}) {
    EXPECT_EQ(selected({word}, both),
              "--cell " + word + ": several notebooks have this cell; name one of them: one, two");
  }
}

TEST(CellSelection, RefusesALabelThatSeveralCellsHave) {
  EXPECT_EQ(selected({"None"}), "--cell None: one has 2 cells In [None]; say which: @4, @6");
  EXPECT_EQ(selected({"3-None"}), "--cell 3-None: one has 2 cells In [None]; say which: @4, @6");
}

TEST(CellSelection, RefusesWhatNoCellIs) {
  const auto hint = fmt::format("; write --cell 26, --cell 26-40 or --cell @7; {} list SLUG shows the cells",
                                notebook::program_name());
  for (const std::string word : {"25", "In [41]", "3-39", "none", "026", "Out[26]", "-5", "+5", "26-", "@0",
                                 "@7", "@", "@x", "@1x", "@-1", "@99999999999999999999999"}) {
    EXPECT_EQ(selected({word}), "--cell " + word + ": one has no such cell" + hint);
  }
  EXPECT_EQ(selected({"9"}, both), "--cell 9: no notebook has a cell 9" + hint);
  EXPECT_EQ(selected({"26-7"}, both), "--cell 26-7: no notebook has both 26 and 7" + hint);
  for (const std::string word : {"3,,26", ",3", "3,", " "}) EXPECT_TRUE(selected({word}).ends_with(hint));
}

TEST(CellSelection, KnowsLabelsWithADash) {
  constexpr TableEntry table[] = {{.restored = false, .label = "slices"},
                                  {.restored = false, .label = "bool-mask"}};
  const std::vector<notebook::PortedNotebook> guide = {
      {.slug = "guide", .document = "", .define = nullptr, .table = table}};
  EXPECT_EQ(selected({"bool-mask"}, guide), "guide 2");
  EXPECT_EQ(selected({"slices-bool-mask"}, guide), "guide 1 2");
}

TEST(CellSelection, RefusesARangeThatIsNone) {
  EXPECT_EQ(selected({"40-26"}), "--cell 40-26: in one, 40 comes after 26; write --cell 26-40");
  EXPECT_EQ(selected({"@5-@2"}), "--cell @5-@2: in one, @5 comes after @2; write --cell @2-@5");
}

}  // namespace
}  // namespace torchbook::cli
