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
  const auto found = shell(fifth + find + "--seeds 1431700000-1431710000");
  EXPECT_EQ(found.code, 0) << found.err;
  EXPECT_EQ(found.out, fifth_answer);
  EXPECT_TRUE(found.err.starts_with(
      "torchbook: the text says 236.2 bits of the generator's state, and 10001 seeds at "
      "609 offsets give "))
      << found.err;
  const auto from_stdin = shell(fifth +
                                "$BIN/torchbook seed - --call 'randn(4, 8, 2)' --offsets 64 "
                                "--seeds 1431708788-1431708788 <x0");
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
  const auto none = shell(fifth + find + "--seeds 1431700000-1431710000 --offsets 65-608");
  EXPECT_EQ(none.code, 1);
  EXPECT_EQ(none.out, "no seed of 1431700000 to 1431710000 gives the tensor after 65 to 608 draws\n");
  const auto other =
      shell(fifth + "sed -i 's/1.9990/1.9991/' x0 && " + find + "--seeds 1431700000-1431710000");
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
  expect_refused("$BIN/torchbook seed", "torchbook: seed needs a TEXT, a --notebook or --join");
  expect_refused(fifth + "$BIN/torchbook seed x0", "torchbook: seed needs --call");
  expect_refused(fifth + find + "--offsets 9-3", "torchbook: --offsets: 9-3 goes down; write 3-9");
  expect_refused(fifth + find + "--offsets 0-1000001", "torchbook: --offsets: 0-1000001 goes beyond 1000000");
  expect_refused(fifth + find + "--offsets x",
                 "torchbook: --offsets: x is no range of numbers, such as 0-608");
  expect_refused(fifth + find + "--seeds 0-4294967296",
                 "torchbook: --seeds: 0-4294967296 goes beyond 4294967295");
  expect_refused(fifth + find + "--shard 3/2", "torchbook: --shard: 3/2 is no part of parts, such as 1/8");
  expect_refused(fifth + "$BIN/torchbook seed x0 --call 'randn(B, T)'",
                 "torchbook: \"B\" in the call must be a number");
  expect_refused("$BIN/torchbook seed missing --call 'rand(2)'", "missing");
  expect_refused(fifth + "echo nonsense >state && " + find + "--state state",
                 "torchbook: state:1: this is no state of a search");
}

TEST(SeedProgramTest, JoinsShards) {
  const auto shard = [](int part) {
    return find + "--seeds 1431700000-1431710000 --shard " + std::to_string(part) + "/3 --state s" +
           std::to_string(part) + " >err 2>&1; ";
  };
  const auto joined = shell(fifth + shard(1) + shard(2) + shard(3) + "$BIN/torchbook seed --join s3 s1 s2");
  EXPECT_EQ(joined.code, 0) << joined.err;
  EXPECT_EQ(joined.out, fifth_answer);
}

/// Writes a state file as the program does.
std::string state_file(const std::string& name, const std::string& part, const std::string& rest) {
  return "(printf 'torchbook seed, state 2\\ncall torch.randn(4, 8, 2)\\ntext '; tr -d ' \\n' <x0; "
         "printf '\\noffsets 0 608\\nseeds 1431700000 1431710001\\npart " +
         part + "\\n" + rest + "\\n') >" + name + "; ";
}

TEST(SeedProgramTest, RefusesToJoinWithoutAllParts) {
  const auto all = fifth + state_file("s1", "1 3", "next 1431703333") +
                   state_file("s2", "2 3", "next 1431706667") +
                   state_file("s3", "3 3", "found 1431708788 64\\nnext 1431710001");
  EXPECT_EQ(shell(all + "$BIN/torchbook seed --join s2 s3 s1").out, fifth_answer);
  const auto refused = [&](const std::string& command, const std::string& why) {
    expect_refused(all + command, "torchbook: " + why);
  };
  refused("$BIN/torchbook seed --join s3 s1",
          "part 2 of 3 is missing; --join needs the state files of all parts");
  refused("$BIN/torchbook seed --join s2",
          "parts 1, 3 of 3 are missing; --join needs the state files of all parts");
  refused("$BIN/torchbook seed --join s2 s1 s2", "s2 and s2 are both part 2 of 3");
  refused(
      "sed -i 's/^next .*/next 1431705000/' s2; $BIN/torchbook seed --join s1 s2 s3",
      "s2, which is part 2 of 3, is not searched from seed 1431705000 on; the command that wrote it goes on");
  refused("sed 's/^offsets 0/offsets 1/' s1 >other; $BIN/torchbook seed --join s1 other",
          "s1 and other are parts of different searches: the range of offsets differs");
  refused("sed 's/^part 1 3/part 1 2/' s1 >other; $BIN/torchbook seed --join s1 other",
          "s1 and other are parts of different searches: the number of parts differs");
}

TEST(SeedProgramTest, RefusesToJoinWithOptionsThatDoNothing) {
  const std::vector<std::string> options = {"--call 'rand(3)'", "--offsets 3", "--seeds 3",
                                            "--shard 1/3",      "--state s",   "--cell 3",
                                            "--notebook n.py"};
  for (const auto& option : options) {
    const auto refused = shell("$BIN/torchbook seed " + option + " --join s1");
    EXPECT_EQ(refused.code, 2);
    expect_part(refused.err, option.substr(0, option.find(' ')));
    expect_part(refused.err, "--join");
    expect_part(refused.err, " excludes ");
  }
  expect_refused("$BIN/torchbook seed x0 --join s1", "torchbook: TEXT excludes --join");
  expect_refused("$BIN/torchbook seed x0 --notebook n --cell 3", "torchbook: TEXT excludes --notebook");
  expect_refused("$BIN/torchbook seed x0 --cell 3", "torchbook: --cell needs --notebook");
  expect_refused("$BIN/torchbook seed --notebook n", "torchbook: --notebook needs --cell");
}

TEST(SeedProgramTest, BelievesNoStateFile) {
  const auto whole = fifth + state_file("s", "1 1", "found 1431708788 64\\nnext 1431710001");
  const auto refused = [&](const std::string& change, const std::string& why) {
    expect_refused(whole + "sed -i '" + change + "' s; $BIN/torchbook seed --join s", "torchbook: " + why);
  };
  expect_refused(whole + "sed -i 's/ 64$/ 65/' s; " + find + "--seeds 1431700000-1431710000 --state s",
                 "torchbook: a state file says that seed 1431708788 was found after 65 draws");
  refused(
      "s/^found .*/found 1431708789 64/",
      "a state file says that seed 1431708789 was found after 64 draws, but its text differs; search again");
  refused("s/^found .*/found 1431708788 65/",
          "a state file says that seed 1431708788 was found after 65 draws");
  refused("s/^found .*/found 5 64/", "s:7: this is no state of a search: this is outside of the search");
  refused("s/^found .*/found x 64/", "s:7: this is no state of a search: expected two numbers");
  refused("s/^next .*/next 5/", "s:8: this is no state of a search: this is outside of the search");
  refused("s/^part .*/part 2 1/", "s:6: this is no state of a search: its numbers do not fit together");
  refused("s/^offsets .*/offsets 9 3/", "s:6: this is no state of a search: its numbers do not fit together");
  refused("/^next/d", "s:8: this is no state of a search: expected \"next\"");
  refused("$ a more", "s:8: this is no state of a search: more stands below it");
  refused("s/^next .*/&\\nfound 1 2/", "s:8: this is no state of a search: more stands below it");
}

TEST(SeedProgramTest, GoesOnFromAStateFile) {
  // Both edited state files have no hit. The first one marks the right seed as searched, so the
  // search skips it and fails. The second one does not.
  const auto state = fifth + find + "--seeds 1431700000-1431710000 --state s >err 2>&1; ";
  const auto later = shell(state + "sed -i -e '/^found/d' -e 's/^next .*/next 1431709000/' s; " + find +
                           "--seeds 1431700000-1431710000 --state s");
  EXPECT_EQ(later.code, 1);
  const auto sooner = shell(state + "sed -i -e '/^found/d' -e 's/^next .*/next 1431705000/' s; " + find +
                            "--seeds 1431700000-1431710000 --state s");
  EXPECT_EQ(sooner.code, 0);
  expect_refused(state + find + "--seeds 1-2 --state s", "torchbook: s is the state of another search");
}

TEST(SeedProgramTest, KeepsItsStateIfInterrupted) {
  const auto stopped = shell(fifth + "true; " + find +
                             "--offsets 0-10000 --state s 2>said & "
                             "until grep -q 'false hits' said; do sleep 0.05; done; "
                             "kill -TERM $!; wait $!; echo $?; cat s; cat said >&2");
  expect_part(stopped.out, "143\ntorchbook seed, state 2\ncall torch.randn(4, 8, 2)\n");
  expect_part(stopped.out, "\nseeds 0 4294967296\npart 1 1\nnext ");
  expect_part(stopped.err, "torchbook: s has the state; the same command goes on\n");
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
      shell(made + "$BIN/torchbook seed --notebook n.ipynb --cell 13 --seeds 1431708000-1431709000");
  EXPECT_EQ(found.code, 0) << found.err;
  EXPECT_EQ(found.out, fifth_answer + restored_state("n.ipynb"));
  expect_refused(made + "$BIN/torchbook seed --notebook n.ipynb --cell 14",
                 "torchbook: n.ipynb has no cell 14; name it by its label, or by its position as @7");
}

/// Returns a command that writes a printed notebook, which shows the tensor that `line` drew, to
/// n.txt.
std::string notebook_with(const std::string& line) {
  return fifth + "(printf 'In [1]:\n\nB, T = 4, 8  # sizes\n\nIn [3]:\n\n'; echo '" + line +
         "'; printf '\nIn [13]:\n\nx[0]\n\nOut[13]:\n\n'; cat x0) >n.txt; ";
}

TEST(SeedProgramTest, KnowsTheSizesThatANotebookNames) {
  const auto search =
      std::string("$BIN/torchbook seed --notebook n.txt --cell 13 --seeds 1431708000-1431709000");
  const auto found = shell(notebook_with("x = torch.randn(B, T, 2)") + search);
  EXPECT_EQ(found.out, fifth_answer + restored_state("n.txt")) << found.err;
  const auto by_position =
      shell(notebook_with("x = torch.randn(B, T, 2)") +
            "$BIN/torchbook seed --notebook n.txt --cell @3 --seeds 1431708000-1431709000");
  EXPECT_EQ(by_position.out, found.out);
  // If the cell draws before this call, the state that was found is not the one above the cell. So
  // no restored state is suggested.
  const auto later = shell(notebook_with("torch.rand(64)\nx = torch.randn(B, T, 2)") + search);
  EXPECT_EQ(later.out, fifth_answer) << later.err;
  expect_refused(notebook_with("x = torch.randn(N, T, 2)") + search,
                 "torchbook: n.txt, cell 3: \"N\" in the call must be a number; --call names another call");
  expect_refused(notebook_with("x = 3") + search,
                 "torchbook: no line of n.txt up to cell 13 draws a tensor; --call names the call");
}

TEST(SeedProgramTest, IsOfferedByImport) {
  const std::string hint =
      "torchbook: cell 3 draws numbers without a seed, and cell 13 shows them; torchbook seed --notebook "
      "n.txt --cell 13 searches for the seed\n";
  const std::string import = "$BIN/torchbook import n.txt --frame ";
  const auto made = notebook_with("x = torch.randn(B, T, 2)") + "touch CMakeLists.txt; ";
  EXPECT_TRUE(shell(made + import).err.starts_with(hint));
  for (const auto* line : {"torch.manual_seed(1)\nx = torch.randn(B, T, 2)", "x = load()",
                           "x = torch.randn(N, T, 2)", "x = torch.randn(B, T, 2)\nx = load(x)"}) {
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
  expect_refused(made + import + "--restore 9=1,2", "torchbook: n.txt has no cell 9; name it by its label");
}

}  // namespace
}  // namespace torchbook::test
