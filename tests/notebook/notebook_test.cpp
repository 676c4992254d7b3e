// Cells run in order, are recorded, and stop at the first that throws.
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torchbook/notebook/notebook.h>
#include <torchbook/notebook/ported_notebook.h>

#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace torchbook::notebook {
namespace {

std::vector<std::string> ran;  // the labels of the cells whose bodies ran

// The source as call_body needs it: a line for each line of this file up to the last cell.
const std::string& any_source() {
  static const std::string text = [] {
    std::string lines;
    for (int i = 0; i < 400; ++i) lines += "  nb.cell(\"1\", [&] { body; });\n";
    return lines;
  }();
  return text;
}

void sample(Notebook& nb) {
  int x = 0;
  nb.cell("1", [&] {
    ran.push_back("1");
    x = 41;
  });
  nb.note("Between cells.");
  nb.restored("x was one more.", [&] {
    ran.push_back("restored");
    ++x;
  });
  nb.cell("7", [&] {
    ran.push_back("7");
    nb.print("x is {}", x);
    return x;
  });
  nb.cell("None", [&] { ran.push_back("None"); });
}

void throwing(Notebook& nb) {
  nb.cell("1", [&] {
    nb.print("before");
    throw std::runtime_error("no such thing");
  });
  nb.cell("2", [&] { ran.push_back("after"); });
}

void throwing_in_torch(Notebook& nb) {
  nb.cell("1", [&] { return at::ones({2}) + at::ones({3}); });
}

PortedNotebook ported(void (*define)(Notebook&)) {
  return {.slug = "sample", .document = "sample.txt", .define = define, .source = any_source(), .golden = ""};
}

class NotebookTest : public testing::Test {
 protected:
  void SetUp() override { ran.clear(); }
};

TEST_F(NotebookTest, RunsEveryCellInOrder) {
  const Transcript transcript = run(ported(sample));
  EXPECT_EQ(ran, (std::vector<std::string>{"1", "restored", "7", "None"}));
  ASSERT_EQ(transcript.cells().size(), 3U);
  const Cell& second = *transcript.cells()[1];
  EXPECT_EQ(second.position, 2U);
  EXPECT_EQ(second.label, "7");
  EXPECT_EQ(second.source, "body;");
  EXPECT_EQ(second.out, "x is 42\n");
  EXPECT_EQ(second.result, "42");
  EXPECT_FALSE(transcript.cells()[2]->has_output());
  EXPECT_EQ(transcript.items.size(), 5U);
  EXPECT_FALSE(transcript.error());
}

TEST_F(NotebookTest, RunsWhatComesBeforeTheCellsAskedForAndNothingAfter) {
  const Transcript transcript = run(ported(sample), std::set<std::size_t>{2});
  EXPECT_EQ(ran, (std::vector<std::string>{"1", "restored", "7"}));
  EXPECT_FALSE(transcript.cells()[0]->selected);
  EXPECT_TRUE(transcript.cells()[1]->selected);
  EXPECT_FALSE(transcript.cells()[2]->selected);
}

TEST_F(NotebookTest, RestoresNothingThatNoLaterCellNeeds) {
  run(ported(sample), std::set<std::size_t>{1});
  EXPECT_EQ(ran, std::vector<std::string>{"1"});
}

TEST_F(NotebookTest, OutlineRunsNothing) {
  const Transcript transcript = outline(ported(sample));
  EXPECT_TRUE(ran.empty());
  EXPECT_EQ(transcript.cells().size(), 3U);
  EXPECT_EQ(transcript.slug, "sample");
  EXPECT_EQ(transcript.document, "sample.txt");
}

TEST_F(NotebookTest, ACellThatThrowsKeepsWhatItPrintedAndEndsTheRun) {
  const Transcript transcript = run(ported(throwing));
  EXPECT_EQ(transcript.cells()[0]->out, "before\n");
  EXPECT_EQ(transcript.cells()[0]->error, "no such thing");
  EXPECT_TRUE(ran.empty());
  EXPECT_EQ(transcript.error(), "cell In [1] (@1) threw: no such thing");
}

TEST_F(NotebookTest, AnErrorOfLibTorchIsToldWithoutItsBacktrace) {
  const auto error = run(ported(throwing_in_torch)).error();
  ASSERT_TRUE(error);
  EXPECT_NE(error->find("must match the size of tensor b (3)"), std::string::npos) << *error;
  EXPECT_EQ(error->find("frame #"), std::string::npos) << *error;
}

TEST_F(NotebookTest, PrintOutsideACellIsAnError) {
  Notebook nb(any_source(), {});
  EXPECT_THROW(nb.print("nowhere"), std::logic_error);
}

// What one cell prints and displays.
template <class Body>
Cell one_cell(Body body) {
  Notebook nb(any_source(), {});
  nb.cell("1", [&] { return body(nb); });
  return *nb.transcript().cells()[0];
}

TEST_F(NotebookTest, PrintOfAFormatIsAnFString) {
  const Cell cell = one_cell([](Notebook& nb) {
    nb.print("{} {} {} {} {}", true, 1.0, 2, "text", at::ones({2}).sizes()[0]);
    nb.print("{}|{}", at::full({}, 0.5), at::ones({2}));
    nb.print("{:.2f}", at::full({}, 0.125));
    nb.print("shape: {}", shape(at::ones({2, 3})));
  });
  EXPECT_EQ(cell.out, "True 1.0 2 text 2\n0.5|tensor([1., 1.])\n0.12\nshape: torch.Size([2, 3])\n");
  EXPECT_FALSE(cell.result);
}

TEST_F(NotebookTest, PrintOfAValueIsItsStr) {
  const Cell cell = one_cell([](Notebook& nb) {
    nb.print(at::full({}, 0.5));
    nb.print(shape(at::ones({2})));
    nb.print(true);
    nb.print(0.1);
  });
  EXPECT_EQ(cell.out, "tensor(0.5000)\ntorch.Size([2])\nTrue\n0.1\n");
}

TEST_F(NotebookTest, WhatACellReturnsIsDisplayedAsItsRepr) {
  EXPECT_EQ(one_cell([](Notebook&) { return at::full({}, 0.5); }).result, "tensor(0.5000)");
  EXPECT_EQ(one_cell([](Notebook&) { return shape(at::ones({2})); }).result, "torch.Size([2])");
  EXPECT_EQ(one_cell([](Notebook&) { return false; }).result, "False");
  EXPECT_EQ(one_cell([](Notebook&) { return "a\nb"; }).result, "'a\\nb'");
  EXPECT_EQ(one_cell([](Notebook&) { return std::tuple(1, 2.0); }).result, "(1, 2.0)");
  EXPECT_EQ(one_cell([](Notebook&) { return 0.25; }).result, "0.25");
}

}  // namespace
}  // namespace torchbook::notebook
