// Tests how printed notebooks are divided into code, outputs and text.
#include <gtest/gtest.h>
#include <support/folders.h>
#include <support/goldens.h>
#include <support/texts.h>
#include <tools/import/notebooks.h>
#include <torchbook/golden/golden.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace torchbook::importing {
namespace {

using Result = std::optional<std::string>;

/// Expects a one-cell notebook to be divided into these parts. Another cell follows it.
void expect_parts(const std::string& cell, const std::string& code, const std::string& out,
                  const Result& result, const std::string& note = "") {
  const auto draft =
      read_notebook("In [1]:\nimport torch\nx = 1\n\nIn [2]:\n" + cell + "\n\nIn [3]:\nx", "nb", "nb.txt");
  ASSERT_EQ(draft.cells.size(), 3U) << cell;
  EXPECT_EQ(draft.cells[1].twin.text, code);
  EXPECT_EQ(draft.golden.cells[1].out, out) << cell;
  EXPECT_EQ(draft.golden.cells[1].result, result) << cell;
  const auto& notes = draft.cells[2].notes;
  EXPECT_EQ(notes.empty() ? "" : notes[0], note) << cell;
}

TEST(Printed, AResultEndsWithoutANewline) {
  expect_parts("x + 1\n\n2", "x + 1", "", "2");
  expect_parts("y = 3\n\ny\n\ntensor([[1],\n        [2]])", "y = 3\n\ny", "", "tensor([[1],\n        [2]])");
  expect_parts("x\n\ntensor([[[1]],\n\n        [[2]]])\n\nProse here.", "x", "",
               "tensor([[[1]],\n\n        [[2]]])", "Prose here.");
  expect_parts("x\n\n'a text'", "x", "", "'a text'");
  expect_parts("layer = torch.nn.Linear(2, 3)\nlayer\n\nLinear(in_features=2, out_features=3, bias=True)",
               "layer = torch.nn.Linear(2, 3)\nlayer", "",
               "Linear(in_features=2, out_features=3, bias=True)");
}

TEST(Printed, WhatWasPrintedEndsWithANewline) {
  expect_parts("print(x)\n\n1\n", "print(x)", "1\n", {});
  expect_parts("print(f\"x = {x}\")\n\nx = 1\n\n\nThen prose.", "print(f\"x = {x}\")", "x = 1\n", {},
               "Then prose.");
  expect_parts("print('a')\nprint(x)\n\na\n1\n", "print('a')\nprint(x)", "a\n1\n", {});
  expect_parts("print(x)\nx\n\n1\n\n\n1", "print(x)\nx", "1\n", "1");
  expect_parts("print(x, end='')\n\n1", "print(x, end='')", "1", {});
  expect_parts("f(x)\n\nstep 1 of 2\nstep 2 of 2\n", "f(x)", "step 1 of 2\nstep 2 of 2\n", {});
}

TEST(Printed, OutputsThatCouldBePythonAreFound) {
  expect_parts("print(f\"{x=}\")\n\nx=tensor(1)\n", "print(f\"{x=}\")", "x=tensor(1)\n", {});
  expect_parts("type(x)\n\ntorch.Tensor", "type(x)", "", "torch.Tensor");
  expect_parts("x.dtype\n\ntorch.float32", "x.dtype", "", "torch.float32");
  expect_parts("!pip install torch\n\nCollecting torch\n", "# !pip install torch", "Collecting torch\n", {});
  expect_parts("print(f\"a = {x}\")\n\na = tensor(1)\nthe end\n", "print(f\"a = {x}\")",
               "a = tensor(1)\nthe end\n", {});
}

TEST(Printed, CodeHasEmptyLinesAndComments) {
  expect_parts("def f():\n\n    return 1\n\n# a comment\n\ny = f()",
               "def f():\n\n    return 1\n\n# a comment\n\ny = f()", "", {});
  expect_parts("s = '''\n\nProse in a string.\n\n'''", "s = '''\n\nProse in a string.\n\n'''", "", {});
  expect_parts("x\n\n# comment\n\n1", "x\n\n# comment", "", "1");
}

TEST(Printed, TextBehindACellIsANote) {
  expect_parts("y = 2\n\nNow we look at it.", "y = 2", "", {}, "Now we look at it.");
  expect_parts("y = 2\n\n## A heading", "y = 2", "", {}, "## A heading");
  expect_parts("y = 2\n\n`y` is two", "y = 2", "", {}, "`y` is two");
  expect_parts("y = 2\n\nAttention", "y = 2", "", {}, "Attention");
}

TEST(Printed, ErrorsAndPicturesAreExceptions) {
  const auto draft = read_notebook(
      "In [1]:\ny\n\n---------------------------------------------------------------------------\n"
      "NameError                                 Traceback (most recent call last)\n<ipython> in "
      "<module>\n----> 1 y\n\n"
      "NameError: name 'y' is not defined\n\nIn [2]:\nplt.plot([1])\n\n<Figure size 640x480 with 1 Axes>",
      "nb", "nb.txt");
  EXPECT_EQ(draft.cells[0].exception, "not ported: it raised NameError");
  EXPECT_EQ(draft.cells[1].exception, "picture");
  EXPECT_EQ(test::remarks_of(draft),
            "@1 [1] it raised NameError: name 'y' is not defined\n"
            "@2 [2] a picture (<Figure size 640x480 with 1 Axes>): C++ prints text only\n");
  EXPECT_FALSE(draft.golden.cells[0].has_output());
}

TEST(Printed, LabelsAreThoseShown) {
  const auto draft = read_notebook("In [None]:\n1\n\nIn [ ]:\n2\n\nIn [*]:\n3\n\nIn [12]: x = 4\n\nIn [x]:\n",
                                   "nb", "nb.txt");
  ASSERT_EQ(draft.golden.cells.size(), 4U);
  EXPECT_EQ(draft.golden.cells[0].label, "None");
  EXPECT_EQ(draft.golden.cells[2].label, "None");
  EXPECT_EQ(draft.golden.cells[3].label, "12");
  EXPECT_TRUE(draft.cells[3].twin.text.starts_with("x = 4")) << draft.cells[3].twin.text;
}

TEST(Printed, ThatIsNoneIsRefused) {
  EXPECT_EQ(test::error_of("prose", "a.txt"),
            "it is neither a notebook (.ipynb) nor a printed one, whose cells begin with 'In [1]:'");
  EXPECT_EQ(test::error_of("In [1]:\n\xff", "a.txt"),
            "2: this line is not UTF-8; a printed notebook must be");
}

/// The documents of the five notebooks, with their slugs.
class DocumentsTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (std::filesystem::is_directory(test::documents_folder())) return;
    TORCHBOOK_CANNOT_TEST("THE GOLDENS ARE NOT COMPARED WITH THE DOCUMENTS: there is no folder "
                          << test::documents_folder() << " (-DTORCHBOOK_DOCUMENTS=… names another)");
  }
};

// Proves that no golden was made from a port's output.
TEST_P(DocumentsTest, HoldsTheGolden) {
  const auto golden = test::golden_text(GetParam());
  const auto document = golden::parse_golden(golden).document;
  const auto text = test::read_file(std::filesystem::path(test::documents_folder()) / document);
  const auto draft = read_notebook(text, GetParam(), document);
  EXPECT_EQ(golden::golden_text(draft.golden), golden);
  EXPECT_EQ(test::remarks_of(draft), "");
}

std::vector<std::string> slugs() {
  std::vector<std::string> all;
  for (const auto& each : test::goldens()) all.push_back(each.slug);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Goldens, DocumentsTest, testing::ValuesIn(slugs()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace torchbook::importing
