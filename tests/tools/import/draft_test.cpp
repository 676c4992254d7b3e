// Tests how the outputs of a run are merged into a draft.
#include <gtest/gtest.h>
#include <tools/import/draft.h>
#include <tools/import/notebooks.h>

#include <optional>
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

TEST(TakeRun, MakesAGoldenIfNoneIsStored) {
  auto draft = test::draft_of_cells(code_cell("print(1)", "", "null") + "," + code_cell("x", "", "null") +
                                    "," + code_cell("%pwd\ny", "", "null"));
  take_run(draft, run_of(draft), "PyTorch 1.2");
  EXPECT_EQ(draft.golden.document, "nb.ipynb (PyTorch 1.2 ran it)");
  EXPECT_EQ(draft.golden.cells[0].out, "1\n");
  EXPECT_EQ(draft.cells[0].exception, "");
  EXPECT_EQ(draft.cells[1].exception, "not ported: it raised ValueError");
  EXPECT_EQ(draft.cells[1].why, "it raised ValueError");
  EXPECT_EQ(draft.cells[2].exception, "not ported: it did not run");
  EXPECT_EQ(test::remarks_of(draft),
            "@2 [2] its Python fails here: nb.py:7: ValueError: no: yes\n"
            "@3 [3] a comment in the twin, because only Jupyter runs it: %pwd\n"
            "@3 [3] it did not run, because Python ended in a cell above\n");
}

TEST(TakeRun, TakesTheRunInPlaceOfStoredOutputs) {
  auto draft = test::draft_of_cells(code_cell("print(2)", test::stdout_of("2\n")) + "," + code_cell("x"));
  take_run(draft, run_of(draft), "PyTorch 1.2");
  EXPECT_EQ(draft.golden.document, "nb.ipynb (PyTorch 1.2 ran it)");
  EXPECT_EQ(draft.golden.cells[0].out, "1\n");
  EXPECT_EQ(draft.cells[1].exception, "not ported: it raised ValueError");
  EXPECT_EQ(test::remarks_of(draft), "@2 [1] its Python fails here: nb.py:7: ValueError: no: yes\n");
}

TEST(TakeRun, ComparesTheTextBesideAPicture) {
  constexpr auto picture =
      R"({"output_type": "display_data", "data": {"image/png": "", "text/plain": "<Figure>"}})";
  auto draft =
      test::draft_of_cells(code_cell("plt.plot(x)\nprint(1)", test::stdout_of("1\n") + "," + picture));
  auto alone = test::draft_of_cells(code_cell("plt.plot(x)", picture));
  EXPECT_EQ(draft.cells[0].exception, "picture");
  auto run = run_of(draft);
  run.cells[0].draws = true;
  take_run(draft, run, "PyTorch 1.2");
  EXPECT_EQ(draft.cells[0].exception, "");
  EXPECT_EQ(draft.golden.cells[0].out, "1\n");
  run.cells[0].out.clear();
  take_run(alone, run, "PyTorch 1.2");
  EXPECT_EQ(alone.cells[0].exception, "picture");
}

TEST(TakeRun, NamesThePackageThatLaysOutWhatIsDisplayed) {
  auto draft = test::draft_of_cells(code_cell("losses"));
  auto run = run_of(draft);
  run.cells[0].missing = "IPython (python3-ipython)";
  take_run(draft, run, "PyTorch 1.2");
  EXPECT_EQ(test::remarks_of(draft),
            "@1 [1] this Python does not have IPython (python3-ipython); values that Jupyter displays in "
            "several lines are in one line here\n");
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

TEST(MatchAxes, LeavesAFrameThatCanBeBuilt) {
  auto draft = test::draft_of_cells(code_cell("# axis x 0: the, cat"));
  make_frame(draft);
  EXPECT_EQ(draft.cells[0].twin.text, "#  axis x 0: the, cat");
  EXPECT_EQ(test::fault_of(draft), "");
}

}  // namespace
}  // namespace torchbook::importing
