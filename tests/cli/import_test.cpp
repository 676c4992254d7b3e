// Tests `torchbook import`: its files, its messages and its exit codes.
#include <cli/command.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <support/folders.h>
#include <support/texts.h>

#include <filesystem>
#include <string>

namespace torchbook::test {
namespace {

TEST(Import, WritesGoldenTwinAndPort) {
  const auto run =
      shell(write_notebook() +
            "echo 'torchbook_add_program(p)' >CMakeLists.txt; $BIN/torchbook import small.ipynb --frame && "
            "cat CMakeLists.txt small.golden small.py small.cpp && ls");
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.err, "torchbook: added torchbook_add_notebook(small) to CMakeLists.txt\n");
  EXPECT_EQ(run.out, R"(small: 2 cells, 1 with output, 1 note, from small.ipynb
not taken, or taken in another form:
  @1 In [3]: a comment in the twin, because only Jupyter runs it: %matplotlib inline
wrote small.golden, small.py, small.cpp, CMakeLists.txt
torchbook_add_notebook(small)
torchbook_add_program(p)
golden of small, from small.ipynb

@1 In [3]

@2 In [None]
= 1

end: 2 cells, 1 with output
# Twin of small.cpp: the 2 cells of small.ipynb.

# %% [3]
# %matplotlib inline
x = 1

# %% [None]
x
// The notebook small.ipynb in C++; @3 is its third cell.
// The Python of a cell that is not ported is above nb.not_ported; below is what later cells need of it.
#include <torch/torch.h>
#include <torchbook/notebook/notebook.h>

void small(torchbook::Notebook& nb) {
  nb.note("Start");

  nb.cell("3");
  // # %matplotlib inline
  // x = 1
  nb.not_ported("it is not written yet");

  nb.cell("None");
  // x
  nb.not_ported("it is not written yet");
}
CMakeLists.txt
small.cpp
small.golden
small.ipynb
small.py
)");
}

TEST(Import, MakesItsFolderAndTakesASlug) {
  const auto run =
      shell(write_notebook() + "$BIN/torchbook import small.ipynb --slug other --into a/b && ls a/b");
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(
      run.err,
      "torchbook: there is no a/b/CMakeLists.txt, so the port is not built; torchbook new makes a project, "
      "where the line torchbook_add_notebook(other) builds it\n");
  expect_end(run.out,
             "wrote a/b/other.golden, a/b/other.py, a/b/other.cpp\nother.cpp\nother.golden\nother.py\n");
}

TEST(Import, SaysWhatToAddWhereThereIsNoProgram) {
  const auto run =
      shell(write_notebook() + "echo '# empty' >CMakeLists.txt; $BIN/torchbook import small.ipynb");
  EXPECT_EQ(run.err,
            "torchbook: CMakeLists.txt has no line torchbook_add_program(…); add "
            "torchbook_add_notebook(small) where "
            "the notebook is to be built\n");
}

TEST(Import, RefusesTheNameOfTheProgram) {
  expect_refused(
      write_notebook() +
          "echo 'torchbook_add_program(small)' >CMakeLists.txt; "
          "$BIN/torchbook import small.ipynb",
      "torchbook: CMakeLists.txt names its program small; --slug gives the notebook another name\n");
  EXPECT_EQ(shell(write_notebook() + "echo 'torchbook_add_program(small)' >CMakeLists.txt; "
                                     "$BIN/torchbook import small.ipynb 2>/dev/null; ls")
                .out,
            "CMakeLists.txt\nsmall.ipynb\n");
}

TEST(Import, RefusesStdin) {
  expect_refused("$BIN/torchbook import -",
                 "torchbook: NOTEBOOK is -; name a file, because files are named after it\n");
}

TEST(Import, UpdateRefusesAGoldenOfAnotherFile) {
  expect_refused(
      write_notebook() +
          "$BIN/torchbook import small.ipynb >/dev/null 2>&1; mv small.ipynb other.ipynb; "
          "$BIN/torchbook import other.ipynb --slug small --update",
      "torchbook: small.golden is from small.ipynb, not from other.ipynb; --slug gives this notebook "
      "another name, and if the file has only been renamed, change the golden's first line\n");
}

TEST(Import, OverwritesNothing) {
  const auto run = shell(write_notebook() +
                         "echo mine >small.py; $BIN/torchbook import small.ipynb; echo $?; cat small.py; ls");
  EXPECT_EQ(run.out, "2\nmine\nsmall.ipynb\nsmall.py\n");
  EXPECT_EQ(run.err, "torchbook: small.py exists; --update keeps what is ported and writes the rest anew\n");
}

TEST(Import, UpdateKeepsWhatIsPorted) {
  const auto run = shell(write_notebook() +
                         "$BIN/torchbook import small.ipynb --frame >/dev/null 2>&1; "
                         "sed -i '0,/  nb.not_ported.*/s//  const int x = 1;/' small.cpp; " +
                         write_notebook("x + 1") +
                         "$BIN/torchbook import small.ipynb --update 2>/dev/null && cat small.cpp && ls");
  EXPECT_EQ(run.code, 0);
  expect_part(run.out,
              "1 cell kept, 1 new, 1 removed\n  @2 In [None] is new and translated\n  In [None], which was "
              "@2, is removed\n");
  expect_part(run.out, "wrote small.py, small.cpp\n");
  expect_part(run.out, "  // x = 1\n  const int x = 1;\n\n  nb.cell(\"None\");\n  nb.display(x + 1);\n");
  EXPECT_EQ(run.out.find("small.cpp.orig"), run.out.npos);
}

TEST(Import, UpdateKeepsThePortBesideIfItsCodeIsRemoved) {
  const auto removed = write_notebook() +
                       "$BIN/torchbook import small.ipynb --frame >/dev/null 2>&1; "
                       "sed -i 's/  nb.not_ported.*/  const int x = 1;/' small.cpp; cp small.cpp before; " +
                       write_notebook("x + 1") +
                       "$BIN/torchbook import small.ipynb --update >/dev/null 2>&1; ";
  EXPECT_EQ(shell(removed + "cmp before small.cpp.orig").code, 0);
  expect_refused(
      removed + write_notebook("x + 2") +
          "sed -i 's/  nb.display.*/  const int y = 1;/' small.cpp; "
          "$BIN/torchbook import small.ipynb --update",
      "small.cpp.orig exists; the C++ of removed cells would be kept there, so move that file away\n");
}

TEST(Import, UpdateKeepsLineEnds) {
  const auto run =
      shell(write_notebook() +
            "$BIN/torchbook import small.ipynb >/dev/null 2>&1; sed -i 's/$/\\r/' small.cpp small.py; "
            "$BIN/torchbook import small.ipynb --update 2>/dev/null");
  expect_end(run.out, "nothing has changed\n");
}

TEST(Import, UpdateOfTheSameNotebookChangesNothing) {
  const auto run = shell(write_notebook() +
                         "$BIN/torchbook import small.ipynb >/dev/null 2>&1; "
                         "$BIN/torchbook import small.ipynb --update 2>/dev/null");
  expect_part(run.out, "2 cells kept, 0 new, 0 removed\n");
  expect_end(run.out, "nothing has changed\n");
}

TEST(Import, RunTakesWhatPyTorchGives) {
  const std::string notebook =
      R"(printf '%s' '{"nbformat": 4, "metadata": {}, "cells": [)"
      R"({"cell_type": "code", "source": "import torch\ntorch.ones(2) ", "outputs": []},)"
      R"({"cell_type": "code", "source": "1 / 0", "outputs": []}]}' >lives.ipynb; )";
  const auto run =
      shell(notebook + "$BIN/torchbook import lives.ipynb --run && cat lives.golden lives.exceptions");
  EXPECT_EQ(run.code, 0) << run.err;
  expect_part(run.out,
              "  @2 In [None]: its Python fails here: lives.py:8: ZeroDivisionError: division by zero\n");
  expect_part(run.out, "\n@1 In [None]\n= tensor([1., 1.])\n\n@2 In [None]\n\nend: 2 cells, 1 with output\n");
  expect_end(run.out, "exceptions of lives\n\n@2 not ported: it raised ZeroDivisionError\n");
  expect_part(run.out, "golden of lives, from lives.ipynb (PyTorch ");
  EXPECT_EQ(shell(notebook + "$BIN/torchbook import lives.ipynb --run >/dev/null 2>&1; "
                             "$BIN/torchbook import lives.ipynb --run --check")
                .code,
            0);
  expect_refused(
      notebook +
          "$BIN/torchbook import lives.ipynb --run >/dev/null 2>&1; "
          "$BIN/torchbook import lives.ipynb --update",
      "torchbook: lives.golden has outputs, and lives.ipynb stores none; --run takes those that PyTorch "
      "gives\n");
  expect_part(
      shell(notebook + "$BIN/torchbook import lives.ipynb").err,
      "torchbook: lives.ipynb stores no outputs; --run takes those that PyTorch gives for its Python here\n");
}

TEST(Import, ATimeThatARunShowsOtherwiseVaries) {
  const auto run = shell(R"nb(printf '%s' '{"nbformat": 4, "metadata": {}, "cells": [
      {"cell_type": "code", "source": "import time\nstart = time.time()", "outputs": []},
      {"cell_type": "code", "source": "print(time.time() - start)",
       "outputs": [{"output_type": "stream", "name": "stdout", "text": "99.0\n"}]}]}' >clock.ipynb
      $BIN/torchbook import clock.ipynb --run && cat clock.exceptions)nb");
  EXPECT_EQ(run.code, 0) << run.err;
  expect_part(run.out, "  1 differs: a time (@2)\n");
  expect_end(run.out, "exceptions of clock\n\n@2 varies: it shows a time\n");
}

TEST(Import, ACellThatDoesNotEndLeavesTheStoredOutputsToThoseBelow) {
  const auto run = shell(
      R"nb(out() { echo "[{\"output_type\": \"stream\", \"name\": \"stdout\", \"text\": \"$1\"}]"; }
      printf '%s' '{"nbformat": 4, "metadata": {}, "cells": [
      {"cell_type": "code", "execution_count": 1, "source": "print(1)", "outputs": '"$(out 7)"'},
      {"cell_type": "code", "execution_count": 2, "source": "while True: pass", "outputs": []},
      {"cell_type": "code", "execution_count": 3, "source": "print(3)", "outputs": '"$(out 8)"'}]}' >slow.ipynb
      $BIN/torchbook import slow.ipynb --run --timeout 3 && cat slow.golden)nb");
  EXPECT_EQ(run.code, 0) << run.err;
  expect_part(run.out, "0 of 1 stored output are what PyTorch gives here\n");
  expect_part(
      run.out,
      "  @2 In [2]: its Python did not end within 3 s (--timeout sets another limit); it and the cells below "
      "are compared with the stored outputs\n");
  expect_part(run.out, " ran it down to @1)\n\n@1 In [1]\n> 1\n");
  expect_part(run.out, "@3 In [3]\n> 8\n");
}

TEST(Import, CarriesWhatCellsLeftBeforeOneThatDoesNotEnd) {
  const auto run = shell(
      R"nb(printf '%s' '{"nbformat": 4, "metadata": {}, "cells": [
      {"cell_type": "code", "source": "import torch", "outputs": []},
      {"cell_type": "code", "source": "x = getattr(torch, \"arange\")(3)", "outputs": []},
      {"cell_type": "code", "source": "print(x)", "outputs": []},
      {"cell_type": "code", "source": "torch.manual_seed(3)\ny = getattr(torch, \"rand\")(2)", "outputs": []},
      {"cell_type": "code", "source": "while True: pass", "outputs": []},
      {"cell_type": "code", "source": "print(y + torch.rand(2))", "outputs": []}]}' >slow.ipynb
      $BIN/torchbook import slow.ipynb --run --timeout 3 && cat slow.cpp)nb");
  EXPECT_EQ(run.code, 0) << run.err;
  expect_part(run.out, "translated 4 of 6 cells, 2 carried\n");
  expect_part(run.out, "const Tensor x = nb.carried<Tensor>(\"x\");  // (3)\n");
  expect_part(run.out, "const Tensor y = nb.carried<Tensor>(\"y\");  // (2)\n  nb.carried_generator();\n");
}

TEST(Import, KnowsTheStatementThatCalledWhatRaised) {
  const auto run = shell(
      R"nb(printf '%s' '{"nbformat": 4, "metadata": {}, "cells": [
      {"cell_type": "code", "source": "import torch\ndef squared(x):\n    return x @ x", "outputs": []},
      {"cell_type": "code", "source": "n = 3\nsquared(torch.ones(n, 2))", "outputs": []},
      {"cell_type": "code", "source": "print(n)", "outputs": []}]}' >raises.ipynb
      $BIN/torchbook import raises.ipynb --run && cat raises.cpp)nb");
  EXPECT_EQ(run.code, 0) << run.err;
  expect_part(run.out, "translated 3 of 3 cells\n");
  expect_part(run.out, "  nb.throws([&] { return squared(torch::ones({n, 2})); });\n");
}

TEST(Import, RunsNothingWithoutRun) {
  expect_refused(write_notebook() + "$BIN/torchbook import small.ipynb --no-build --timeout 3",
                 "torchbook: --timeout does nothing without --run, which runs the notebook\n");
  expect_refused(write_notebook() + "$BIN/torchbook import small.ipynb --run --python /bin/false",
                 "torchbook: /bin/false did not run the twins; it ended with exit code 1\n");
}

TEST(Import, CheckComparesTheGolden) {
  const auto made = write_notebook() + "$BIN/torchbook import small.ipynb >/dev/null 2>&1; ";
  const auto same = shell(made + "$BIN/torchbook import small.ipynb --check");
  EXPECT_EQ(same.code, 0);
  EXPECT_EQ(same.out, "small.golden is what small.ipynb holds: 2 cells, 1 with output\n");
  const auto other =
      shell(made + "sed -i 's/^= 1/= 2/' small.golden; $BIN/torchbook import small.ipynb --check");
  EXPECT_EQ(other.code, 1);
  EXPECT_EQ(other.out,
            "small.golden:6: differs from what small.ipynb holds\n  golden    = 2\n  notebook  = 1\n");
  expect_refused(write_notebook() + "$BIN/torchbook import small.ipynb --check",
                 "torchbook: small.golden is missing; import without --check writes it\n");
  expect_refused(made + "$BIN/torchbook import small.ipynb --check --update",
                 "torchbook: --update excludes --check (see torchbook import --help)\n");
}

TEST(Import, CheckHoldsForTheDocuments) {
  if (!std::filesystem::is_directory(documents_folder())) {
    TORCHBOOK_CANNOT_TEST("there is no folder " << documents_folder());
  }
  for (const std::string pair : {"000_c475e8729ba8e095.txt --slug attention_by_hand",
                                 "001_d4886b04eb600938.txt --slug keys_queries_values",
                                 "002_5dc6ea26df512a1c.txt --slug self_attention_in_three_steps",
                                 "003_28fcb52aab540c90.txt --slug attention_as_alignment",
                                 "004_dc603b281e79ef93.txt --slug mathematical_trick"}) {
    const auto run = shell(fmt::format("$BIN/torchbook import {}/{} --into {}/notebooks_ported --check",
                                       documents_folder(), pair, source_folder()));
    EXPECT_EQ(run.code, 0) << run.out << run.err;
  }
}

TEST(Import, MakesTwinsThatPythonReads) {
  const std::string compile = " 2>/dev/null && /usr/bin/python3 -m py_compile *.py";
  for (const std::string source :
       {R"(!ls\nif x:\n    %pwd\nx?)", R"(%%bash\nfor i in 1; do\n  ls\ndone)", R"(x = (1,)",
        R"(# %% [3]\nx = 1)", R"(y = await x)", R"(s = \"\"\"its\"\"\")"}) {
    const auto run = shell(write_notebook(source) + "$BIN/torchbook import small.ipynb" + compile);
    EXPECT_EQ(run.code, 0) << source << '\n' << run.out << run.err;
  }
  const auto folder = std::filesystem::path(documents_folder()).parent_path() / "notebooks";
  if (!std::filesystem::is_directory(folder)) TORCHBOOK_CANNOT_TEST("there is no " << folder);
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() != ".ipynb") continue;
    const auto run = shell(fmt::format("$BIN/torchbook import {}{}", file.path().string(), compile));
    EXPECT_EQ(run.code, 0) << run.out << run.err;
  }
}

TEST(Import, RefusesWhatItCannotRead) {
  expect_refused("$BIN/torchbook import nonesuch.ipynb",
                 "cannot read nonesuch.ipynb: No such file or directory\n");
  expect_refused("echo '{' >a.ipynb; $BIN/torchbook import a.ipynb",
                 "torchbook: a.ipynb:2: column 1: syntax error while parsing object key - unexpected "
                 "end of input; expected string literal\n");
  expect_refused(
      "echo text >a.txt; $BIN/torchbook import a.txt",
      "torchbook: a.txt: it is neither a notebook (.ipynb) nor a printed one, whose cells begin with 'In "
      "[1]:'\n");
  expect_refused("$BIN/torchbook import", "NOTEBOOK");
  expect_refused(write_notebook() + "$BIN/torchbook import small.ipynb --slug while",
                 "torchbook: --slug: while is a keyword of C++; another name must be the slug\n");
}

TEST(Import, LeavesNothingWhereItCannotWrite) {
  const auto run =
      shell(write_notebook() + "touch file; $BIN/torchbook import small.ipynb --into file/x; echo $?; ls");
  EXPECT_EQ(run.out, "2\nfile\nsmall.ipynb\n");
  expect_part(run.err, "cannot make the folder file/x: ");
}

}  // namespace
}  // namespace torchbook::test
