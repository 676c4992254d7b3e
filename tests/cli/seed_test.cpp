// Tests `torchbook seed` as a user runs it.
#include <cli/command.h>
#include <gtest/gtest.h>
#include <support/folders.h>
#include <support/texts.h>

#include <string>
#include <vector>

namespace torchbook::test {
namespace {

/// Writes x[0] of the fifth notebook, as its document shows it, into the file x0.
const std::string fifth =
    "sed -n '/^@3/,/^@4/s/^= //p' " + source_folder() + "/notebooks_ported/mathematical_trick.golden >x0 && ";
const std::string find = "$BIN/torchbook seed x0 --call 'torch.randn(4, 8, 2)' ";

const std::string fifth_answer =
    "seed 1431708788, after 64 draws: LibTorch gives the tensor from it\n"
    "C++\n"
    "    torch::manual_seed(1431708788);\n"
    "    torch::rand({64});  // leaves out 64 draws\n"
    "    auto x = torch::randn({4, 8, 2});\n"
    "Python\n"
    "    torch.manual_seed(1431708788)\n"
    "    _ = torch.rand(64)  # leaves out 64 draws\n"
    "    x = torch.randn(4, 8, 2)\n";

/// What follows the answer if the state belongs above cell 3 of a notebook.
std::string restored_state(const std::string& notebook) {
  return "Restored state above cell 3, in the port\n"
         "    nb.restored(\"No seed was set here. Seed 1431708788, after 64 draws, gives what the notebook "
         "shows.\");\n"
         "    torch::manual_seed(1431708788);\n"
         "    torch::rand({64});  // leaves out 64 draws\n"
         "and in the twin\n"
         "    # %% [restored] No seed was set here. Seed 1431708788, after 64 draws, gives what the notebook "
         "shows.\n"
         "    torch.manual_seed(1431708788)\n"
         "    _ = torch.rand(64)  # leaves out 64 draws\n"
         "torchbook import " +
         notebook + " --restore 3=1431708788,64 writes both, with --update into files that exist\n";
}

TEST(SeedProgramTest, FindsTheFifthDocuments) {
  const auto found = shell(fifth + find + "--seeds 1431700000:1431710001");
  EXPECT_EQ(found.code, 0) << found.err;
  EXPECT_EQ(found.out, fifth_answer);
  EXPECT_TRUE(found.err.starts_with(
      "torchbook: the text says 236.2 bits of the generator's state, and 10001 seeds at "
      "609 offsets give "))
      << found.err;
  const auto from_stdin = shell(fifth +
                                "$BIN/torchbook seed - --call 'randn(4, 8, 2)' --offsets 64 "
                                "--seeds 1431708788:1431708789 <x0");
  EXPECT_EQ(from_stdin.out, fifth_answer);
}

TEST(SeedProgramTest, CountsInWords) {
  const auto one = shell(
      "echo 'tensor([0.4963, 0.7682, 0.0885, 0.1320])' >t && "
      "$BIN/torchbook seed t --call 'rand(4)' --seeds 0 --offsets 0");
  EXPECT_TRUE(one.out.starts_with("seed 0, after 0 draws: LibTorch gives the tensor from it\n")) << one.out;
  expect_part(one.err, "and 1 seed at 1 offset give");
  const auto none = shell(
      "echo 'tensor([0.4963, 0.7682, 0.0885, 0.1320])' >t && "
      "$BIN/torchbook seed t --call 'rand(4)' --seeds 0 --offsets 1");
  EXPECT_EQ(none.out, "seed 0 does not give the tensor after 1 draw\n");
}

TEST(SeedProgramTest, ReportsNoNearestOne) {
  const auto none = shell(fifth + find + "--seeds 1431700000:1431710001 --offsets 65:609");
  EXPECT_EQ(none.code, 1);
  EXPECT_EQ(none.out, "no seed of 1431700000 to 1431710000 gives the tensor after 65 to 608 draws\n");
  const auto other =
      shell(fifth + "sed -i 's/1.9990/1.9991/' x0 && " + find + "--seeds 1431700000:1431710001");
  EXPECT_EQ(other.code, 1);
  EXPECT_EQ(other.out, "no seed of 1431700000 to 1431710000 gives the tensor after 0 to 608 draws\n");
}

TEST(SeedProgramTest, RefusesASearchThatCannotDecide) {
  expect_refused(
      "echo 'tensor([0.1234, 0.5678])' | $BIN/torchbook seed - --call 'rand(2)'",
      "torchbook: the text says 26.6 bits of the generator's state, and 4294967296 seeds at 609 offsets "
      "would need 47.9; more elements, more digits or fewer offsets would decide");
}

TEST(SeedProgramTest, RefusesWhatItCannotRead) {
  expect_refused("$BIN/torchbook seed", "torchbook: seed needs a TEXT or a --notebook");
  expect_refused(fifth + "$BIN/torchbook seed x0", "torchbook: seed needs --call");
  expect_refused(fifth + find + "--offsets 9:4", "torchbook: --offsets: 9:4 is empty; it ends before 4");
  expect_refused(fifth + find + "--offsets 0:1000002", "torchbook: --offsets: 0:1000002 goes beyond 1000000");
  expect_refused(fifth + find + "--offsets x",
                 "torchbook: --offsets: x is no range, such as 0:609, which ends before 609");
  expect_refused(fifth + find + "--seeds 0:4294967297",
                 "torchbook: --seeds: 0:4294967297 goes beyond 4294967295");
  expect_refused(fifth + find + "--seeds 0-99", "torchbook: --seeds: 0-99 is no range");
  expect_refused(fifth + "$BIN/torchbook seed x0 --call 'randn(B, T)'",
                 "torchbook: \"B\" in the call must be a number");
  expect_refused("$BIN/torchbook seed missing --call 'rand(2)'", "missing");
  expect_refused(fifth + find + "--python false", "torchbook: false did not read the call; it ended with");
}

TEST(SeedProgramTest, SearchesARangeThatEndsBeforeItsEnd) {
  const auto in = [](const std::string& seeds) { return shell(fifth + find + "--seeds " + seeds); };
  EXPECT_EQ(in("1431708788:1431708789").out, fifth_answer);
  EXPECT_EQ(in("1431708788").out, fifth_answer);
  EXPECT_EQ(in("1431700000:1431708788").code, 1);
  EXPECT_EQ(in("1431708789:1431710000").code, 1);
  EXPECT_EQ(in("4294967000:4294967296").out,
            "no seed of 4294967000 to 4294967295 gives the tensor after 0 to 608 draws\n");
}

TEST(SeedProgramTest, RefusesOptionsThatDoNothing) {
  expect_refused("$BIN/torchbook seed x0 --notebook n --cell 3",
                 "torchbook: TEXT excludes --notebook");
  expect_refused("$BIN/torchbook seed x0 --cell 3", "torchbook: --cell requires --notebook");
  expect_refused("$BIN/torchbook seed --notebook n", "torchbook: --notebook requires --cell");
}

TEST(SeedProgramTest, EndsAtASignal) {
  const auto stopped = shell(fifth + "true; " + find +
                             "--offsets 0:10001 2>said & "
                             "until grep -q 'false hits' said; do sleep 0.05; done; "
                             "kill -TERM $!; wait $!; echo $?");
  EXPECT_EQ(stopped.out, "143\n");
}

TEST(SeedProgramTest, TakesTextAndCallFromANotebook) {
  const std::string notebook =
      R"j({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": [)j"
      R"j({"cell_type": "code", "execution_count": 3, "metadata": {}, "outputs": [],)j"
      R"j( "source": "x = torch.randn(4, 8, 2)"},)j"
      R"j({"cell_type": "code", "execution_count": 13, "metadata": {}, "source": "x[0]", "outputs": [)j"
      R"j({"output_type": "execute_result", "execution_count": 13, "metadata": {},)j"
      R"j( "data": {"text/plain": ["tensor([[-0.8017, 1.1943], [1.0161, 1.0499], [0.7962, 0.5086],",)j"
      R"j( " [-0.6768, -1.9990], [-0.2106, -0.1355], [0.7507, 0.9637], [-0.3740, 0.0230],",)j"
      R"j( " [1.7420, -0.2458]])"]}}]}]})j";
  const auto made = "cat >n.ipynb <<'E'\n" + notebook + "\nE\n";
  const auto found =
      shell(made + "$BIN/torchbook seed --notebook n.ipynb --cell 13 --seeds 1431708000:1431709001");
  EXPECT_EQ(found.code, 0) << found.err;
  EXPECT_EQ(found.out, fifth_answer + restored_state("n.ipynb"));
  expect_refused(made + "$BIN/torchbook seed --notebook n.ipynb --cell 14",
                 "torchbook: n.ipynb: it has no cell 14; name one by its label, or by its position as @7");
}

/// Returns a command that writes a printed notebook, which shows the tensor that `line` drew, to
/// n.txt.
std::string notebook_with(const std::string& line) {
  return fifth + "(printf 'In [1]:\n\nB, T = 4, 8  # sizes\n\nIn [3]:\n\n'; echo '" + line +
         "'; printf '\nIn [13]:\n\nx[0]\n\nOut[13]:\n\n'; cat x0) >n.txt; ";
}

TEST(SeedProgramTest, KnowsTheSizesThatANotebookNames) {
  const auto search =
      std::string("$BIN/torchbook seed --notebook n.txt --cell 13 --seeds 1431708000:1431709001");
  const auto found = shell(notebook_with("x = torch.randn(B, T, 2)") + search);
  EXPECT_EQ(found.out, fifth_answer + restored_state("n.txt")) << found.err;
  const auto by_position =
      shell(notebook_with("x = torch.randn(B, T, 2)") +
            "$BIN/torchbook seed --notebook n.txt --cell @3 --seeds 1431708000:1431709001");
  EXPECT_EQ(by_position.out, found.out);
  // If the cell draws before this call, the state that was found is not the one above the cell. So
  // no restored state is suggested.
  const auto later = shell(notebook_with("torch.rand(64)\nx = torch.randn(B, T, 2)") + search);
  EXPECT_EQ(later.out, fifth_answer) << later.err;
  expect_refused(notebook_with("x = torch.randn(N, T, 2)") + search,
                 "torchbook: n.txt, cell 3: \"N\" in the call must be a number; --call names another call");
  expect_refused(notebook_with("x = 3") + search,
                 "torchbook: no statement of n.txt up to cell 13 draws a tensor; --call names the call");
}

TEST(SeedProgramTest, IsOfferedByImport) {
  const std::string hint =
      "torchbook: cell 3 draws numbers without a seed, and cell 13 shows them; torchbook seed --notebook "
      "n.txt --cell 13 searches for the seed\n";
  const std::string import = "$BIN/torchbook import n.txt --frame ";
  const auto made = notebook_with("x = torch.randn(B, T, 2)") + "touch CMakeLists.txt; ";
  EXPECT_TRUE(shell(made + import).err.starts_with(hint));
  for (const auto* line : {"torch.manual_seed(1)\nx = torch.randn(B, T, 2)", "x = load()",
                           "x = f(torch.randn(B, T, 2))", "x = torch.randn(B, T, 2)\nx = load(x)"}) {
    const auto quiet = shell(notebook_with(line) + import);
    EXPECT_EQ(quiet.code, 0) << quiet.err;
    EXPECT_EQ(quiet.err.find("seed"), std::string::npos) << quiet.err;
  }
}

TEST(SeedProgramTest, IsRestoredByImport) {
  const auto made = notebook_with("x = torch.randn(B, T, 2)");
  const std::string import = "$BIN/torchbook import n.txt --frame ", restore = "--restore 3=1431708788,64 ";
  const auto files = std::string(">said 2>err; cat err >&2; cat n.cpp n.py");
  const auto at_once = shell(made + import + restore + files);
  expect_part(
      at_once.out,
      "\n\n  nb.restored(\"No seed was set here. Seed 1431708788, after 64 draws, gives what the notebook "
      "shows.\");\n  torch::manual_seed(1431708788);\n  torch::rand({64});  // leaves out 64 draws\n\n"
      "  nb.cell(\"3\");\n");
  expect_part(
      at_once.out,
      "\n\n# %% [restored] No seed was set here. Seed 1431708788, after 64 draws, gives what the notebook "
      "shows.\ntorch.manual_seed(1431708788)\n_ = torch.rand(64)  # leaves out 64 draws\n\n# %% [3]\n");
  EXPECT_EQ(at_once.err.find("without a seed"), std::string::npos) << at_once.err;
  const auto later = shell(made + import + ">said 2>&1; " + import + "--update " + restore + files);
  EXPECT_EQ(later.out, at_once.out) << later.err;
  const auto twice = shell(made + import + restore + ">said 2>&1; " + import + "--update " + restore);
  expect_part(twice.out, "@2 In [3]: a state above it was restored before, and is kept\n");
  for (const std::string wrong : {"3", "3=x,1", "3=1", "3=4294967296,0", "3=1,1000001", "=", "3=1,2,3"}) {
    expect_refused(
        made + import + "--restore " + wrong,
        "torchbook: --restore: " + wrong + " is no cell, seed and number of draws, such as 3=1431708788,64");
  }
  expect_refused(made + import + "--restore 9=1,2", "torchbook: n.txt: it has no cell 9; name one by its label");
}

}  // namespace
}  // namespace torchbook::test
