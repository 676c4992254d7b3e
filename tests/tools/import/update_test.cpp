// Tests that an update keeps what a person wrote, and says what it does not keep.
#include <gtest/gtest.h>
#include <support/message_of.h>
#include <support/texts.h>
#include <tools/import/notebooks.h>
#include <tools/import/old_notebook.h>
#include <tools/import/update.h>
#include <torchbook/notebook/cells/port.h>
#include <torchbook/notebook/cells/table.h>

#include <string>
#include <vector>

namespace torchbook::importing {
namespace {

using test::code_cell;

constexpr std::string_view port = R"(// By hand.
#include <torch/torch.h>

static int helper() { return 1; }

void nb(torchbook::Notebook& nb) {
  nb.note("First.");

  nb.cell("1");
  const int a = helper();

  nb.note("By hand, too.");

  nb.restored("It was there.");
  const int r = 2;

  nb.cell("2");
  // b = 2
  const int b = r;

  nb.cell("3");
  nb.display(a);

  nb.note("Last.");
}
// Behind it.
)";
constexpr std::string_view twin = R"(# Twin.

# %% [1]
a = 1

# %% [restored] it was there
r = 2


# %% [2]
b = r  # by hand

# %% [3]
a
)";
constexpr std::string_view exceptions = "exceptions of nb\n\n# why\n@2 printed: last digits\n@3 picture\n";

Updated updated(const std::string& cells, std::string_view old_exceptions = "") {
  const OldFiles old{
      .port = port, .twin = twin, .exceptions = old_exceptions, .port_name = "nb.cpp", .twin_name = "nb.py"};
  const auto result = update(test::draft_of_cells(cells), old);
  // Port and twin can be built together.
  notebook::table_of(notebook::parse_port(result.port, "nb"), notebook::parse_twin(result.twin), "nb.cpp");
  return result;
}

const std::string a = code_cell("a = 1", "", "1"), b = code_cell("b = 2", "", "2"),
                  c = code_cell("a", "", "3");

TEST(Update, OfTheSameNotebookChangesNothing) {
  const auto same = updated(a + "," + b + "," + c, exceptions);
  EXPECT_EQ(same.port, port);
  EXPECT_EQ(same.exceptions, exceptions);
  EXPECT_EQ(same.twin, std::string(twin));
  EXPECT_EQ(same.kept, 3U);
  EXPECT_TRUE(same.changes.empty());
  EXPECT_FALSE(same.loses_code);
}

TEST(Update, KeepsEmptyCellsAsTheyAre) {
  EXPECT_EQ(test::fault_of(
                test::draft_of_cells(a + "," + code_cell("", "", "null") + "," + code_cell("", "", "null"))),
            "");
}

TEST(Update, GivesKeptCellsTheirNewLabels) {
  const auto run_again = updated(code_cell("a = 1", "", "11") + "," + b + "," + code_cell("a", "", "null"));
  std::string expected(port);
  expected.replace(expected.find("cell(\"1\")"), 9, "cell(\"11\")");
  expected.replace(expected.find("cell(\"3\")"), 9, "cell(\"None\")");
  EXPECT_EQ(run_again.port, expected);
  EXPECT_EQ(run_again.kept, 3U);
}

TEST(Update, AddsNewCellsBetweenKeptOnes) {
  const auto more = updated(
      a + "," + test::markdown_cell("New text.") + "," + code_cell("n = 5", "", "4") + "," + b + "," + c,
      exceptions);
  EXPECT_EQ(more.kept, 3U);
  EXPECT_EQ(more.added, 1U);
  EXPECT_EQ(more.changes, std::vector<std::string>{"@2 In [4] is new"});
  test::expect_part(
      more.port,
      "  const int a = helper();\n\n  nb.note(\"New text.\");\n\n  nb.cell(\"4\");\n  // n = 5\n"
      "  nb.not_ported(\"it is not written yet\");\n\n  nb.note(\"By hand, too.\");\n");
  test::expect_part(more.twin, "a = 1\n\n# %% [4]\nn = 5\n\n# %% [restored] it was there\n");
  EXPECT_EQ(more.exceptions, "exceptions of nb\n\n# why\n@3 printed: last digits\n@4 picture\n");
}

TEST(Update, SaysWhatIsRemoved) {
  const auto fewer = updated(a + "," + c, exceptions);
  EXPECT_EQ(fewer.removed, 1U);
  EXPECT_TRUE(fewer.loses_code);
  EXPECT_EQ(fewer.changes, (std::vector<std::string>{
                               "In [2], which was @2, is removed; what you wrote of it is in the .cpp.orig",
                               "its exception is removed: @2 printed: last digits"}));
  EXPECT_EQ(fewer.port.find("const int b"), std::string::npos);
  EXPECT_EQ(fewer.exceptions, "exceptions of nb\n\n@2 picture\n");
}

TEST(Update, ListsTextsThatItDoesNotTake) {
  const auto texts = updated(test::markdown_cell("First.") + "," + a + "," + test::markdown_cell("Changed.") +
                             "," + b + "," + c + "," + test::markdown_cell("After."));
  EXPECT_EQ(texts.kept, 3U);
  EXPECT_EQ(texts.changes,
            (std::vector<std::string>{"above @2 In [2]: a text is new, and is left out: Changed.",
                                      "after the last cell: a text is new, and is left out: After."}));
}

TEST(Update, TakesAChangedCellForAnother) {
  const auto changed = updated(a + "," + b + "," + code_cell("a + 1", "", "3"));
  EXPECT_EQ(changed.kept, 2U);
  EXPECT_EQ(
      changed.changes,
      (std::vector<std::string>{
          "@3 In [3] is new", "In [3], which was @3, is removed; what you wrote of it is in the .cpp.orig"}));
  test::expect_part(changed.port, "// a + 1\n");
  test::expect_part(changed.port, "nb.note(\"Last.\");\n}\n// Behind it.\n");
}

TEST(Update, NeedsPortAndTwinThatFit) {
  const auto error = [](std::string_view bad_port, std::string_view bad_twin) {
    return test::message_of<std::runtime_error>([&] {
      read_old(
          {.port = bad_port, .twin = bad_twin, .exceptions = "", .port_name = "nb.cpp", .twin_name = "nb.py"},
          "nb");
    });
  };
  test::expect_part(error("int x;", twin), "nb.cpp: there is no function void nb(torchbook::Notebook& nb)");
  test::expect_part(error(port, "# %% [1]\n"), "nb.py: it ends before restored state");
  test::expect_part(error("void nb(torchbook::Notebook& nb) {\n}", ""), "nb.cpp: it has no cell");
}

/// A cell and its translation.
struct Translated {
  std::string python, cpp;
  std::string why{};  // why it is not ported
  std::string exception{};
};

Draft translated(const std::vector<Translated>& cells) {
  std::string texts;
  for (const auto& one : cells) texts += (texts.empty() ? "" : ",") + test::code_cell(one.python);
  auto draft = test::draft_of_cells(texts);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (!cells[i].cpp.empty()) draft.cells[i].cpp = {cells[i].cpp};
    draft.cells[i].why = cells[i].why;
    draft.cells[i].exception = cells[i].exception;
  }
  return draft;
}

/// Updates what import wrote for cells, after a person has replaced a text of the port.
Updated merged(const std::vector<Translated>& before, const Draft& now, std::string_view text = "",
               std::string_view by_hand = "") {
  const auto old = translated(before);
  auto old_port = port_text(old);
  old_port.replace(old_port.find(text), text.size(), by_hand);
  const auto old_twin = marked_twin(old), old_exceptions = exceptions_text(old);
  return update(now, {.port = old_port, .twin = old_twin, .exceptions = old_exceptions});
}

const Translated one{"a = 1", "  const int64_t a = 1;"}, two{"b = a", "  const int64_t b = a;"};
const Translated refused{"b = a", "", "a comes from cell @1, which is not ported", "not ported: later"};

TEST(Merge, IsAFreshImportOfWhatNoPersonWrote) {
  auto now = translated({{"a = 1", "  const double a = 1;"}, two});
  now.needs = {"#include <tuple>"};
  now.cells[0].notes = {"First."};
  const auto result = merged({one, refused}, now);
  EXPECT_EQ(result.port, port_text(now));
  EXPECT_EQ(result.twin, marked_twin(now));
  EXPECT_EQ(result.exceptions, "");
  EXPECT_EQ(result.changes,
            (std::vector<std::string>{"@1 In [1] is translated anew: const int64_t a = 1; is now "
                                      "const double a = 1;",
                                      "@2 In [1] is translated now"}));
  EXPECT_EQ(result.kept, 2U);
  const auto back = merged({one, two}, translated({one, refused}));
  EXPECT_EQ(back.exceptions, "exceptions of nb\n\n@2 not ported: later\n");
  EXPECT_EQ(back.changes, std::vector<std::string>{"@2 In [1] is no longer translated: " + refused.why});
}

TEST(Merge, KeepsWhatAPersonWrote) {
  auto now = translated({{"a = 1", "  const double a = 1;"}, two});
  now.proved = "PyTorch 2.0.0";
  const auto other = merged({one, two}, now, "int64_t a", "int a");
  test::expect_part(other.port, "  const int a = 1;\n");
  test::expect_part(other.port, "\n//   @1: yours, not proved\n#");
  const auto again = update(now, {.port = other.port, .twin = other.twin, .exceptions = ""});
  EXPECT_EQ(again.port, other.port);
  EXPECT_EQ(other.changes,
            std::vector<std::string>{"@1 In [1] keeps your C++, although import would now write other C++"});
  const auto begun = merged({one, refused}, now, "}\n", "\n  int b = 3;\n}\n");
  test::expect_part(begun.port,
                    "nb.not_ported(\"a comes from cell @1, which is not ported\");\n\n  int b = 3;\n}\n");
  test::expect_part(begun.exceptions, "@2 not ported: later\n");
  const auto head = merged({one, two}, now, "\nvoid", "static int helper();\n\nvoid");
  test::expect_part(
      head.port,
      "static int helper();\n\nvoid nb(torchbook::Notebook& nb) {\n  nb.cell(\"1\");\n  const double a = 1;");
}

TEST(Merge, KeepsAllOfAnUnmarkedPortButItsFrame) {
  const auto old = translated({one, refused}), now = translated({{"a = 1", "  const double a = 1;"}, two});
  const auto old_port = port_text(old), old_twin = twin_text(old);
  const auto result = update(now, {.port = old_port, .twin = old_twin, .exceptions = ""});
  test::expect_part(result.port, "  const int64_t a = 1;\n\n  nb.cell(\"1\");\n  const int64_t b = a;\n}\n");
}

TEST(Merge, SaysWhatIsLost) {
  const auto result = merged({one, two}, translated({two}), "int64_t a", "int a");
  EXPECT_TRUE(result.loses_code);
  EXPECT_FALSE(merged({one, two}, translated({one})).loses_code);
}

}  // namespace
}  // namespace torchbook::importing
