// Tests the translation by `torchbook import`, and its messages for untranslated cells.
#include <cli/command.h>
#include <gtest/gtest.h>
#include <support/texts.h>

namespace torchbook::test {
namespace {

TEST(Import, TranslatesCells) {
  const auto run =
      shell(write_notebook("x // 2, y") + "$BIN/torchbook import small.ipynb 2>/dev/null && cat small.cpp");
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.out, R"(small: 2 cells, 1 with output, 1 note, from small.ipynb
translated 1 of 2 cells
not ported:
  @2 In [None]: the name y is not known
not taken, or taken in another form:
  @1 In [3]: a comment in the twin, because only Jupyter runs it: %matplotlib inline
wrote small.golden, small.py, small.cpp
// The notebook small.ipynb in C++; @3 is its third cell.
// The Python of a cell that is not ported is above nb.not_ported; below is what later cells need of it.
#include <torch/torch.h>
#include <torchbook/notebook/notebook.h>

using torch::Tensor;

void small(torchbook::Notebook& nb) {
  nb.note("Start");

  nb.cell("3");
  const int64_t x = 1;

  nb.cell("None");
  // x // 2, y
  nb.not_ported("the name y is not known");
}
)");
}

// Python prints a learning rate of 1 as 1, and C++ holds it as 1.0.
TEST(Import, ReadsNoRateThatIsAnInt) {
  const auto imported = [](const std::string& rate) {
    return shell(write_notebook("import torch\\no = torch.optim.SGD([torch.zeros(2)], lr=" + rate +
                                ")\\nprint(o.param_groups[0][\\\"lr\\\"])") +
                 "$BIN/torchbook import small.ipynb 2>/dev/null")
        .out;
  };
  expect_part(imported("1"), "  @2 In [None], line 3: a learning rate is an int\n");
  expect_part(imported("1.0"), "translated 2 of 2 cells\n");
}

TEST(Import, NeedsAPythonThatReads) {
  expect_refused(
      write_notebook() + "$BIN/torchbook import small.ipynb --python /bin/false",
      "torchbook: /bin/false did not read the cells; it ended with exit code 1; --frame imports without "
      "translating");
  expect_refused(
      write_notebook() +
          R"(printf '#!/bin/sh\necho '"'"'[{"_": "Module", "body": 1}, {}]'"'"' >&3' >liar; chmod +x liar; )"
          "$BIN/torchbook import small.ipynb --python ./liar",
      "torchbook: ./liar did not read the cells; Python's tree lacks the field lines; --frame imports "
      "without "
      "translating");
}

TEST(Import, UpdateTranslatesNewCells) {
  const auto update = [](const std::string& options) {
    return shell(write_notebook() + "$BIN/torchbook import small.ipynb >/dev/null 2>&1; " +
                 write_notebook("x + 1") + "$BIN/torchbook import small.ipynb --update " + options +
                 " 2>/dev/null && cat small.cpp");
  };
  expect_part(update("").out, "  @2 In [None] is new and translated\n");
  expect_part(update("").out, "  const int64_t x = 1;\n\n  nb.cell(\"None\");\n  nb.display(x + 1);\n}\n");
  expect_part(update("--frame").out, "  // x + 1\n  nb.not_ported(\"it is not written yet\");\n");
}

TEST(Import, TranslatesWhatRanBeforeTheLineThatRaised) {
  const auto run = shell(
      R"(printf '%s' '{"nbformat": 4, "metadata": {}, "cells": [{"cell_type": "code", "source": "x = 1\ny = x / 0", )"
      R"("outputs": [{"output_type": "error", "ename": "ZeroDivisionError", "evalue": "division by zero", )"
      R"("traceback": ["Cell In[1], line 2\n----> 2 y = x / 0"]}]}, {"cell_type": "code", "source": "x", )"
      R"("outputs": []}, {"cell_type": "code", "source": "y", "outputs": []}]}' >raises.ipynb; )"
      "$BIN/torchbook import raises.ipynb >/dev/null 2>&1 && sed -n '/nb.cell/,$p' raises.cpp");
  EXPECT_EQ(run.out, R"(  nb.cell("None");
  // x = 1
  // y = x / 0
  nb.not_ported("it raised ZeroDivisionError");
  const int64_t x = 1;

  nb.cell("None");
  nb.display(x);

  nb.cell("None");
  // y
  nb.not_ported("y comes from cell @1, which is not ported");
}
)");
}

TEST(Import, KeepsTheImportsOfACellThatRaisedBelowWhatIsNotTranslated) {
  const auto run = shell(
      R"(printf '%s' '{"nbformat": 4, "metadata": {}, "cells": [{"cell_type": "code", "source": )"
      R"("import math\nglobal a\n1 / 0", "outputs": [{"output_type": "error", "ename": "ZeroDivisionError", )"
      R"("evalue": "division by zero", "traceback": ["----> 3 1 / 0"]}]}, )"
      R"({"cell_type": "code", "source": "math.pi", "outputs": []}]}' >imports.ipynb; )"
      "$BIN/torchbook import imports.ipynb 2>&1 | grep translated");
  EXPECT_EQ(run.out, "translated 1 of 2 cells\n");
}

TEST(Import, AStatementThatRaisedMustThrow) {
  const auto run =
      shell(R"(printf '%s' '{"nbformat": 4, "metadata": {}, "cells": [{"cell_type": "code", "source": )"
            R"("import torch\nx = torch.ones(3)\ny = x + torch.ones(2)  # too short\nz = 1", )"
            R"("outputs": [{"output_type": "error", "ename": "RuntimeError", "evalue": "sizes differ", )"
            R"("traceback": ["----> 3 y = x"]}]}, {"cell_type": "code", "source": "x", )"
            R"("outputs": []}, {"cell_type": "code", "source": "z", "outputs": []}]}' >raises.ipynb; )"
            "$BIN/torchbook import raises.ipynb >/dev/null 2>&1 && sed -n '/nb.cell/,$p' raises.cpp; "
            "ls raises.exceptions 2>/dev/null");
  EXPECT_EQ(run.out, R"(  nb.cell("None");
  const Tensor x = torch::ones(3);
  nb.throws([&] { return x + torch::ones(2); });  // too short

  nb.cell("None");
  nb.display(x);

  nb.cell("None");
  // z
  nb.not_ported("cell @1 raised before it assigned z");
}
)");
}

// Not on every machine are there several devices.
TEST(Import, AnErrorOfDevicesNeedNotBeThrown) {
  const auto run = shell(
      R"(printf '%s' '{"nbformat": 4, "metadata": {}, "cells": [{"cell_type": "code", "source": )"
      R"("import torch\nx = torch.ones(3)\nx + x", "outputs": [{"output_type": "error", "ename": "RuntimeError", )"
      R"("evalue": "Expected all tensors to be on the same device", "traceback": ["----> 3 x + x"]}]}]}' )"
      R"(>raises.ipynb; $BIN/torchbook import raises.ipynb >/dev/null 2>&1; cat raises.exceptions)");
  EXPECT_EQ(run.out, "exceptions of raises\n\n@1 not ported: it raised RuntimeError\n");
}

TEST(Import, AShownReleaseVaries) {
  const auto run = shell(
      R"(printf '%s' '{"nbformat": 4, "metadata": {}, "cells": [{"cell_type": "code", "source": )"
      R"("import torch\nprint(torch.__version__) ", "outputs": [{"output_type": "stream", "name": "stdout", )"
      R"("text": "2.6.0+cpu\n"}]}]}' >shows.ipynb; $BIN/torchbook import shows.ipynb >/dev/null 2>&1; )"
      "cat shows.exceptions");
  EXPECT_EQ(run.out, "exceptions of shows\n\n@1 varies: it shows the release of PyTorch\n");
}

/// Imports a notebook of one cell, which is run, and returns its C++.
std::string run_and_translated(const std::string& python) {
  const auto notebook =
      R"nb({"nbformat": 4, "metadata": {}, "cells": [{"cell_type": "code", "outputs": [], "source": ")nb" +
      python + R"nb("}]})nb";
  return shell("printf '%s' '" + notebook +
               "' >shapes.ipynb; $BIN/torchbook import shapes.ipynb --run >/dev/null 2>&1; "
               "sed '1,/nb.cell/d' shapes.cpp")
      .out;
}

TEST(Import, RunGivesTheShapesOfTensors) {
  EXPECT_EQ(run_and_translated(R"(import torch\nx = torch.ones(2, 3)\nlonger, n = x.sum(0), 3\n)"
                               R"(for i in range(n):\n    y = x\nx = x.sum(); x = torch.ones(1, 1))"),
            R"(  Tensor x = torch::ones({2, 3});  // (2, 3)
  const Tensor longer = x.sum(0);  // (3)
  const int64_t n = 3;
  for (int64_t i = 0; i < n; ++i) {
    const Tensor y = x;
  }
  x = x.sum();              // ()
  x = torch::ones({1, 1});  // (1, 1)
}
)");
}

TEST(Import, RunsCellsThatShowComplexTensors) {
  EXPECT_EQ(run_and_translated(R"(import torch\nz = torch.ones(2, dtype=torch.complex64)\nprint(z)\nz)"),
            R"(  const Tensor z = torch::ones(2, torch::kComplexFloat);  // (2)
  nb.print(z);
  nb.display(z);
}
)");
}

TEST(Import, ShapesThatHaveNoRoomAreAboveTheLine) {
  const std::string fits(61, 'a'), fits_not(62, 'b');
  EXPECT_EQ(run_and_translated("import torch\\n" + fits + " = torch.ones(3, 3)\\n" + fits_not +
                               " = torch.ones(3, 3)"),
            "  const Tensor " + fits + " = torch::ones({3, 3});  // (3, 3)\n  // (3, 3)\n  const Tensor " +
                fits_not + " = torch::ones({3, 3});\n}\n");
}

TEST(Import, CellsThatPythonCannotReadAreLeft) {
  const std::string deep(300, '(');
  const auto run =
      shell(write_notebook(deep + "1" + std::string(300, ')')) + "$BIN/torchbook import small.ipynb");
  EXPECT_EQ(run.code, 0);
  expect_part(run.out, "  @2 In [None]: ");
  expect_part(run.out, "translated 1 of 2 cells\n");
}

}  // namespace
}  // namespace torchbook::test
