// Tests that cells run in order, are recorded, and stop at the first one that throws.
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <notebook/table_of_ones.h>
#include <support/message_of.h>
#include <torchbook/notebook/notebook.h>
#include <torchbook/notebook/notebook_run.h>
#include <torchbook/notebook/ported_notebook.h>
#include <torchbook/notebook/run_trace.h>
#include <torchbook/notebook/running_position.h>

#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace torchbook::notebook {
namespace {

std::vector<std::string> ran;  // the parts of a notebook that ran

constexpr TableEntry sample_table[] = {
    {.label = "1", .source = "x = 41;", .line = 3, .source_line = 4, .twin = "x = 41", .twin_line = 2},
    {.restored = true, .source = "++x;", .line = 5, .source_line = 6, .twin = "x += 1"},
    {.label = "7", .source = "nb.display(x);", .line = 7},
    {.label = "None", .source = "", .line = 9}};

void sample(Notebook& nb) {
  nb.cell("1");
  ran.emplace_back("1");
  int x = 41;

  nb.note("Between cells.");

  nb.restored("x was one more.");
  ran.emplace_back("restored");
  static_cast<void>(f("{}", at::ones({1})));  // no cell shows this tensor
  ++x;

  nb.cell("7");
  ran.emplace_back("7");
  nb.print(f("x is {}", x));
  nb.display(x);

  nb.cell("None");
  ran.emplace_back("None");
}

constexpr TableEntry two_cells[] = {{.label = "1", .line = 3}, {.label = "2", .line = 8}};

void not_all_ported(Notebook& nb) {
  nb.cell("1");
  nb.print("before");
  nb.not_ported("needs a tokenizer");
  nb.cell("2");
}

void throwing_as_python(Notebook& nb) {
  nb.cell("1");
  nb.print("before");
  nb.throws([] { throw std::runtime_error("sizes  differ\n"); }, "sizes differ");
  nb.cell("2");
  nb.throws([] {});
}

void throwing_other_than_python(Notebook& nb) {
  nb.cell("1");
  nb.throws([] { throw std::runtime_error("sizes differ"); });
  nb.cell("2");
  nb.throws([] { throw std::runtime_error("sizes differ"); }, "it is no matrix");
}

void not_ported_in_no_cell(Notebook& nb) {
  nb.not_ported("why");
  nb.cell("1");
  nb.cell("2");
}

void throwing(Notebook& nb) {
  nb.cell("1");
  nb.print(at::ones({1}));
  if (ran.empty()) throw std::runtime_error("no such thing");
  nb.cell("2");
}

void throwing_in_restored_state(Notebook& nb) {
  nb.restored("The kernel held it.");
  throw std::runtime_error("no such state");
}

void throwing_in_torch(Notebook& nb) {
  nb.cell("1");
  nb.display(at::ones({2}) + at::ones({3}));
  nb.cell("2");
}

PortedNotebook ported(void (*define)(Notebook&), std::span<const TableEntry> table) {
  return {.slug = "sample",
          .document = "sample.txt",
          .define = define,
          .port_file = "sample.cpp",
          .table = table};
}

class NotebookTest : public testing::Test {
 protected:
  void SetUp() override { ran.clear(); }
};

TEST_F(NotebookTest, RunsEveryCellInOrder) {
  const Transcript transcript = run(ported(sample, sample_table));
  EXPECT_EQ(ran, (std::vector<std::string>{"1", "restored", "7", "None"}));
  ASSERT_EQ(transcript.cells().size(), 3U);
  const Cell& second = *transcript.cells()[1];
  EXPECT_EQ(second.position, 2U);
  EXPECT_EQ(second.label, "7");
  EXPECT_EQ(second.source, "nb.display(x);");
  EXPECT_EQ(second.line, 7U);
  EXPECT_EQ(second.out, "x is 42\n");
  EXPECT_EQ(second.result, "42");
  EXPECT_TRUE(second.tensors.empty());
  EXPECT_EQ(transcript.cells()[0]->twin, "x = 41");
  EXPECT_EQ(transcript.cells()[0]->source_line, 4U);
  EXPECT_FALSE(transcript.cells()[2]->has_output());
  EXPECT_TRUE(transcript.cells()[2]->ran);
  EXPECT_EQ(transcript.items.size(), 5U);
  const auto& state = std::get<Restored>(transcript.items[2]);
  EXPECT_EQ(state.note, "x was one more.");
  EXPECT_EQ(state.source, "++x;");
  EXPECT_EQ(state.twin, "x += 1");
  EXPECT_EQ(state.line, 5U);
  EXPECT_EQ(state.source_line, 6U);
  EXPECT_FALSE(transcript.error());
}

TEST_F(NotebookTest, RunsWhatComesBeforeTheCellsAskedForAndNothingAfter) {
  const Transcript transcript = run(ported(sample, sample_table), std::set<std::size_t>{2});
  EXPECT_EQ(ran, (std::vector<std::string>{"1", "restored", "7"}));
  ASSERT_EQ(transcript.cells().size(), 3U);
  EXPECT_FALSE(transcript.cells()[0]->selected);
  EXPECT_TRUE(transcript.cells()[1]->selected);
  EXPECT_EQ(transcript.cells()[1]->result, "42");
  EXPECT_FALSE(transcript.cells()[2]->selected);
  EXPECT_FALSE(transcript.cells()[2]->ran);
}

TEST_F(NotebookTest, RestoresNothingThatNoLaterCellNeeds) {
  run(ported(sample, sample_table), std::set<std::size_t>{1});
  EXPECT_EQ(ran, std::vector<std::string>{"1"});
}

TEST_F(NotebookTest, OutlineRunsNothing) {
  const Transcript transcript = outline(ported(sample, sample_table));
  EXPECT_TRUE(ran.empty());
  ASSERT_EQ(transcript.cells().size(), 3U);
  EXPECT_EQ(transcript.cells()[1]->source, "nb.display(x);");
  EXPECT_EQ(transcript.slug, "sample");
  EXPECT_EQ(transcript.document, "sample.txt");
}

TEST_F(NotebookTest, ACellThatThrowsKeepsWhatItPrintedAndEndsTheRun) {
  const Transcript transcript = run(ported(throwing, two_cells));
  EXPECT_EQ(transcript.cells()[0]->out, "tensor([1.])\n");
  EXPECT_EQ(transcript.cells()[0]->tensors.size(), 1U);
  EXPECT_EQ(transcript.cells()[0]->error, "no such thing");
  EXPECT_FALSE(transcript.outside);
  ASSERT_EQ(transcript.cells().size(), 2U);
  EXPECT_FALSE(transcript.cells()[1]->ran);
  EXPECT_EQ(transcript.error(), "sample.cpp:3: cell In [1] (@1) threw: no such thing");
}

TEST_F(NotebookTest, RestoredStateThatThrowsIsTheErrorOfTheRun) {
  constexpr TableEntry table[] = {{.restored = true, .line = 3}, {.label = "1", .line = 5}};
  EXPECT_EQ(run(ported(throwing_in_restored_state, table)).error(),
            "sample.cpp:3: the restored state threw: no such state");
}

TEST_F(NotebookTest, ACellThatIsNotPortedSaysWhyAndTheRunGoesOn) {
  const Transcript transcript = run(ported(not_all_ported, two_cells));
  EXPECT_EQ(transcript.cells()[0]->not_ported, "needs a tokenizer");
  EXPECT_EQ(transcript.cells()[0]->out, "before\n");
  EXPECT_TRUE(transcript.cells()[1]->ran);
  EXPECT_FALSE(transcript.cells()[1]->not_ported);
  EXPECT_FALSE(transcript.error());
  EXPECT_EQ(run(ported(not_ported_in_no_cell, two_cells)).error(),
            "sample.cpp: outside of cells: this is not ported, in no cell: why");
}

TEST_F(NotebookTest, ACellMustThrowWherePythonRaises) {
  const Transcript transcript = run(ported(throwing_as_python, two_cells));
  EXPECT_EQ(transcript.cells()[0]->out, "before\n");
  EXPECT_TRUE(transcript.cells()[0]->raises);
  EXPECT_FALSE(transcript.cells()[0]->error);
  EXPECT_FALSE(transcript.cells()[1]->raises);
  EXPECT_EQ(transcript.cells()[1]->error, "C++ throws nothing here, where Python raises an error");
  const Transcript other = run(ported(throwing_other_than_python, two_cells));
  EXPECT_TRUE(other.cells()[0]->raises);
  EXPECT_EQ(other.cells()[1]->error, "C++ throws \"sizes differ\", where Python raises \"it is no matrix\"");
}

TEST_F(NotebookTest, AnErrorOfLibTorchIsToldWithoutItsBacktrace) {
  const auto error = run(ported(throwing_in_torch, two_cells)).error();
  ASSERT_TRUE(error);
  EXPECT_NE(error->find("must match the size of tensor b (3)"), std::string::npos) << *error;
  EXPECT_EQ(error->find("frame #"), std::string::npos) << *error;
}

// ------------------------------------------------------------ what the build could not check

void other_cell(Notebook& nb) {
  nb.cell("1");
  nb.cell("3");
}

void other_state(Notebook& nb) {
  nb.cell("1");
  nb.restored("why");
}

void third_cell(Notebook& nb) {
  for (const auto* label : {"1", "2", "3"}) nb.cell(label);
}

void returns_early(Notebook& nb) { nb.cell("1"); }

void prints_first(Notebook& nb) { nb.print("nowhere"); }

TEST_F(NotebookTest, CellsThatAreNotTheTablesAreAnErrorOutsideOfCells) {
  const auto error_of = [](void (*define)(Notebook&)) { return *run(ported(define, two_cells)).error(); };
  EXPECT_EQ(error_of(other_cell),
            "sample.cpp: outside of cells: In [3] begins here, but the build saw In [2]; a cell "
            "must be written out at the top level of the notebook");
  EXPECT_EQ(
      error_of(other_state),
      "sample.cpp: outside of cells: restored state begins here, but the build saw In [2]; a cell must be "
      "written out at the top level of the notebook");
  EXPECT_EQ(
      error_of(third_cell),
      "sample.cpp: outside of cells: In [3] begins here, but the build saw no further cell; a cell must be "
      "written out at the top level of the notebook");
  EXPECT_EQ(error_of(returns_early), "sample.cpp: outside of cells: the notebook returned before In [2]");
  EXPECT_EQ(error_of(prints_first), "sample.cpp: outside of cells: this is printed in no cell: nowhere\n");
}

// ------------------------------------------------------------ what one cell prints and displays

template <class Body>
Cell one_cell(Body body) {
  NotebookRun run(test::table_of_ones(1));
  run.cell("1");
  body(run);
  run.finish();
  return *run.transcript().cells()[0];
}

TEST_F(NotebookTest, PrintShowsTheStrOfEachValue) {
  const Cell cell = one_cell([](Notebook& nb) {
    nb.print(at::full({}, 0.5));
    nb.print("Sum:", at::ones({2}).sum(), torchbook::shape(at::ones({2})), true, 0.1, 7, std::nullopt);
    nb.print();
    nb.print("{} {}", 1);
    nb.print(std::string("it's"), std::tuple("it's", 1.0));
    nb.print(f("{} and {:>6}", f("{:.2f}", at::full({}, 0.125)), f("x")));
  });
  EXPECT_EQ(cell.out,
            "tensor(0.5000)\nSum: tensor(2.) torch.Size([2]) True 0.1 7 None\n\n{} {} 1\nit's (\"it's\", "
            "1.0)\n0.12 and      x\n");
  EXPECT_FALSE(cell.result);
}

TEST_F(NotebookTest, PrintTakesSepAndEnd) {
  const Cell cell = one_cell([](Notebook& nb) {
    nb.print(1, 2, sep(", "));
    nb.print("a", "b", sep(""), end("!"));
    nb.print(end("-\n"), sep("x"));
    nb.print("no newline", end(""));
  });
  EXPECT_EQ(cell.out, "1, 2\nab!-\nno newline");
}

TEST_F(NotebookTest, DisplayShowsTheRepr) {
  const auto result_of = [](const auto& value) {
    return one_cell([&](Notebook& nb) { nb.display(value); }).result;
  };
  EXPECT_EQ(result_of(at::full({}, 0.5)), "tensor(0.5000)");
  EXPECT_EQ(result_of(torchbook::shape(at::ones({2}))), "torch.Size([2])");
  EXPECT_EQ(result_of(false), "False");
  EXPECT_EQ(result_of("a\nb"), "'a\\nb'");
  EXPECT_EQ(result_of(std::tuple(1, 2.0)), "(1, 2.0)");
  EXPECT_EQ(result_of(0.25), "0.25");
  EXPECT_EQ(result_of(f("{}", 0.25)), "'0.25'");
}

TEST_F(NotebookTest, TheRunningPositionIsThatOfACell) {
  one_cell([](Notebook& nb) {
    EXPECT_EQ(notebook::running_position.load(), 1U);
    nb.note("Between cells.");
    EXPECT_EQ(notebook::running_position.load(), 0U);
  });
}

void names_itself(Notebook& nb) {
  nb.cell("1");
  ran.emplace_back(running_slug.load());
  nb.cell("2");
}

TEST_F(NotebookTest, TheRunningSlugIsThatOfTheNotebook) {
  run(ported(names_itself, two_cells));
  EXPECT_EQ(ran, std::vector<std::string>{"sample"});
}

TEST_F(NotebookTest, AnAxisExistsAndHasANameForEachEntry) {
  one_cell([](Notebook& nb) {
    const auto refusal = [&](std::int64_t dim) {
      return test::message_of<std::runtime_error>([&] { nb.axis(at::ones({2}), dim, {"a"}, "a.cpp", 3); });
    };
    EXPECT_EQ(refusal(0), "a.cpp:3: dimension 0 has 2 entries, but 1 names");
    EXPECT_EQ(refusal(1), "a.cpp:3: dimension 1 does not exist; the tensor has 1 dimensions");
  });
}

TEST_F(NotebookTest, AnAxisWithoutATraceIsOnlyChecked) {
  const Cell cell = one_cell([](Notebook& nb) {
    const auto words = {"a", "b"};
    nb.axis(at::ones({2}), 0, {"a", "b"}, "a.cpp", 3);
    nb.axis(at::ones({2}), 0, words, "a.cpp", 4);
  });
  EXPECT_FALSE(cell.has_output());
}

TEST_F(NotebookTest, ALibraryForTracesThatIsMissingIsNamed) {
  const auto message =
      test::message_of<std::runtime_error>([] { RunTrace("/no/libtrace.so", "/no/file", {}); });
  EXPECT_EQ(message.substr(0, message.find(':')), "/no/libtrace.so cannot be loaded") << message;
}

TEST_F(NotebookTest, NoneIsNotDisplayed) {
  EXPECT_FALSE(one_cell([](Notebook& nb) { nb.display(std::optional<int>()); }).result);
  EXPECT_EQ(one_cell([](Notebook& nb) { nb.display("None"); }).result, "'None'");
}

TEST_F(NotebookTest, ASecondDisplayThrows) {
  EXPECT_THROW(one_cell([](Notebook& nb) {
                 for (int i = 0; i < 2; ++i) nb.display(i);
               }),
               std::logic_error);
}

}  // namespace
}  // namespace torchbook::notebook
