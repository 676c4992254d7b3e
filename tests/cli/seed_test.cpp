// Tests `torchbook seed` as a user runs it.
#include <cli/command.h>
#include <gtest/gtest.h>
#include <support/texts.h>

#include <string>

namespace torchbook::test {
namespace {

/// Writes x[0] of the fifth notebook, as its document shows it, into the file x0.
const std::string fifth = "sed -n '/^@3/,/^@4/s/^= //p' " + std::string(TORCHBOOK_SOURCE) +
                          "/notebooks_ported/mathematical_trick.golden >x0 && ";
const std::string find = "$BIN/torchbook seed x0 --call 'torch.randn(4, 8, 2)' ";

const std::string fifth_answer =
    "seed 1431708788, after 64 draws: LibTorch gives the tensor from it\n"
    "C++\n"
    "    torch::manual_seed(1431708788);\n"
    "    torch::rand({64});  // leaves out 64 draws\n"
    "    auto x = torch::randn({4, 8, 2});\n"
    "Python\n"
    "    torch.manual_seed(1431708788)\n"
    "    torch.rand(64)  # leaves out 64 draws\n"
    "    x = torch.randn(4, 8, 2)\n";

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
  expect_refused(fifth + find + "--offsets 9-3",
                 "torchbook: --offsets: 9-3 is no range of numbers up to 1000000");
  expect_refused(fifth + find + "--seeds 0-4294967296",
                 "torchbook: --seeds: 0-4294967296 is no range of numbers");
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
  expect_refused(fifth + shard(1) + shard(3) + "$BIN/torchbook seed --join s3 s1",
                 "torchbook: the seeds from 1431703333 on are not searched yet");
  expect_refused(
      fifth + shard(1) + "sed 's/^offsets 0/offsets 1/' s1 >other; $BIN/torchbook seed --join s1 other",
      "torchbook: s1 and other are parts of different searches: the offsets differs");
}

TEST(SeedProgramTest, GoesOnFromAStateFile) {
  // A state in which the seed's piece is searched, without a hit: so what goes on does not search it again.
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
  expect_part(stopped.out, "143\ntorchbook seed, state 1\ncall torch.randn(4, 8, 2)\n");
  expect_part(stopped.out, "\nseeds 0 4294967296\nnext ");
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
  EXPECT_EQ(found.out, fifth_answer);
  expect_refused(made + "$BIN/torchbook seed --notebook n.ipynb --cell 14",
                 "torchbook: n.ipynb has no cell with the label 14");
}

}  // namespace
}  // namespace torchbook::test
