// Tests how the outputs of a run are merged into a draft.
#include <gtest/gtest.h>
#include <tools/import/draft.h>
#include <tools/import/notebooks.h>

#include <string>

namespace torchbook::importing {
namespace {

using test::code_cell;

/// Returns what a run of the draft gives: the first cell prints `1`, and the others raise or did not run.
golden::Golden run_of(const Draft& draft) {
  golden::Golden run{.slug = "nb", .document = "", .cells = draft.golden.cells};
  for (auto& cell : run.cells) cell.ran = false;
  run.cells[0].ran = true;
  run.cells[0].out = "1\n";
  if (run.cells.size() > 1) run.cells[1].error = "nb.py:7: ValueError: no: yes";
  return run;
}

TEST(TakeRun, TakesTheTextOfADataFrame) {
  auto draft = test::draft_of_cells(code_cell("frame", R"({"output_type": "execute_result",
      "data": {"text/plain": "   a\n0  1", "text/html": "<table></table>"}})"));
  EXPECT_EQ(draft.cells[0].exception, "picture: text/html");
  auto run = run_of(draft);
  run.cells[0].out.clear();
  run.cells[0].result = "   a\n0  1";
  take_run(draft, run, "PyTorch 1.2");
  EXPECT_EQ(draft.cells[0].exception, "");
  EXPECT_EQ(draft.golden.cells[0].result, "   a\n0  1");
}

TEST(TakeRun, RefusesOutputsThatNoGoldenCanHold) {
  auto draft =
      test::draft_of_cells(code_cell("f()", test::stdout_of({"a\0b\n", 4}), "1") + "," + code_cell("g()"));
  const std::string why = "not ported: it shows a NUL character, which no golden can hold";
  EXPECT_EQ(draft.cells[0].exception, why);
  EXPECT_EQ(draft.golden.cells[0].out, "ab\n");
  auto run = run_of(draft);
  take_run(draft, run, "PyTorch 1.2");
  EXPECT_EQ(draft.cells[0].exception, "");
  run.cells[0].result = std::string("'\0'", 3);
  take_run(draft, run, "PyTorch 1.2");
  EXPECT_EQ(draft.cells[0].exception, why);
  EXPECT_EQ(draft.golden.cells[0].result, "''");
  EXPECT_EQ(test::fault_of(draft), "");
}

TEST(TakeRun, TellsAKilledProcessFromAnError) {
  auto draft = test::draft_of_cells(code_cell("f()", "", "null"));
  auto run = run_of(draft);
  run.cells[0].error = "nb.py:4: ended by signal 9";
  take_run(draft, run, "PyTorch 1.2");
  EXPECT_EQ(draft.cells[0].exception, "not ported: it ended by signal 9");
}

TEST(MatchAxes, KeepsTheCommentsOfAxesThatThePortNames) {
  auto draft = test::draft_of_cells(
      code_cell("x = f()\n# axis x 0: the, cat\n# axis x 1: a\ntext = \"\"\"\n# axis x 0: b\n\"\"\""));
  draft.cells[0].cpp = {"  nb.axis(x, 0, {\"the\",", "                 \"cat\"});"};
  match_axes(draft);
  EXPECT_EQ(draft.cells[0].twin.text,
            "x = f()\n# axis x 0: the, cat\n#  axis x 1: a\ntext = \"\"\"\n# axis x 0: b\n\"\"\"");
  EXPECT_EQ(test::remarks_of(draft),
            "@1 [1] a plain comment in the twin, because the port does not name this axis: # axis x 1: a\n");
  EXPECT_EQ(test::fault_of(draft), "");
}

TEST(MatchAxes, LeavesOutTheWordsThatImportAddedToACellWithoutAPort) {
  auto draft = test::draft_of_cells(code_cell("ids = f()\n# words ids: cat, the"));
  draft.cells[0].words = {"# words ids: cat, the"};
  match_axes(draft);
  EXPECT_EQ(draft.cells[0].twin.text, "ids = f()");
  EXPECT_EQ(test::remarks_of(draft), "");
}

TEST(MatchAxes, LeavesAFrameThatCanBeBuilt) {
  auto draft = test::draft_of_cells(code_cell("# axis x 0: the, cat"));
  make_frame(draft);
  EXPECT_EQ(draft.cells[0].twin.text, "#  axis x 0: the, cat");
  EXPECT_EQ(test::fault_of(draft), "");
}

}  // namespace
}  // namespace torchbook::importing
