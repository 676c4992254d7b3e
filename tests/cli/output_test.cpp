// Tests where reports go: stdout, files, pipes that close early, terminals.
#include <cli/command.h>
#include <gtest/gtest.h>
#include <support/folders.h>
#include <support/texts.h>

#include <string>

namespace torchbook::test {
namespace {

TEST(Output, ToAFileIsTheSameAsToStdout) {
  const auto file = shell("$BIN/mathematical_trick --output report.txt && cat report.txt && ls");
  EXPECT_EQ(file.code, 0);
  EXPECT_EQ(file.out, shell("$BIN/mathematical_trick").out + "report.txt\n");
}

TEST(Output, ReplacesAFileAndKeepsItsMode) {
  const auto file = shell(
      "echo old >report.txt && chmod 640 report.txt && $BIN/mathematical_trick --check -o report.txt && "
      "stat -c %a report.txt && head -n 1 report.txt && ls");
  EXPECT_EQ(file.out, "640\n== mathematical_trick, from 004_dc603b281e79ef93.txt\nreport.txt\n");
}

TEST(Output, FollowsALink) {
  const auto file = shell(
      "touch real.txt && ln -s real.txt link.txt && $BIN/mathematical_trick --check -o link.txt && "
      "test -L link.txt && head -c 5 real.txt");
  EXPECT_EQ(file.code, 0);
  EXPECT_EQ(file.out, "== ma");
}

TEST(Output, ThatFailsLeavesTheOldFile) {
  const auto file =
      shell("echo old >report.txt; $BIN/mathematical_trick --cell 50 -o report.txt; cat report.txt; ls");
  EXPECT_EQ(file.out, "old\nreport.txt\n");
}

TEST(Output, ThatDoesNotFitLeavesTheOldFileAndNoOther) {
  for (const std::string option : {"-o", "--junit"}) {
    const auto file =
        shell("echo old >r; ulimit -f 1; $BIN/attention_by_hand " + option + " r; echo $?; cat r; ls");
    EXPECT_EQ(file.out, "2\nold\nr\n");
    EXPECT_EQ(file.err, "attention_by_hand: cannot write r: File too large\n");
  }
}

TEST(Output, OfJunitIsBesideTheReport) {
  const auto both = shell("$BIN/mathematical_trick --check --junit r.xml && ls && head -c 5 r.xml");
  EXPECT_EQ(both.code, 0);
  EXPECT_EQ(both.out, shell("$BIN/mathematical_trick --check").out + "r.xml\n<?xml");
}

TEST(Output, ToAPipeThatClosesEarlyIsQuiet) {
  const auto piped = shell("$BIN/torchbook run | head -n 1");
  EXPECT_EQ(piped.out, "== attention_by_hand, from 000_c475e8729ba8e095.txt\n");
  EXPECT_EQ(piped.err, "");
  const auto ignoring = shell("trap '' PIPE; $BIN/torchbook run | head -n 1");
  EXPECT_EQ(ignoring.out, piped.out);
  EXPECT_EQ(ignoring.err, "");
}

TEST(Output, ToAPipeThatIsClosedKeepsTheVerdict) {
  const auto verdict =
      shell("sed 's/0.3333]])/0.3334]])/' >g.txt <<'GOLDEN'\n" + golden_text("mathematical_trick") +
            "GOLDEN\n{ sleep 0.2; $BIN/mathematical_trick --golden g.txt; echo $? >code; } | true; cat code");
  EXPECT_EQ(verdict.out, "1\n");
  EXPECT_EQ(verdict.err, "");
}

TEST(Output, HasANameAsLongAsAFileMayHave) {
  const auto long_name = shell("n=$(printf '%0255d' 0); $BIN/mathematical_trick --check -o $n && test -s $n");
  EXPECT_EQ(long_name.code, 0);
  EXPECT_EQ(long_name.err, "");
}

TEST(Golden, ThatDiffersGivesACommandThatWorks) {
  const auto again = shell("sed 's/4.6667/4.6668/' " + source_folder() +
                           "/notebooks_ported/mathematical_trick.golden >'my golden.txt'; $BIN/torchbook "
                           "check mathematical_trick --golden 'my golden.txt' | "
                           "sed -n 's/^  again: //p' >again.sh; cat again.sh; sh again.sh");
  EXPECT_EQ(again.code, 1);
  expect_part(again.out, "/torchbook check mathematical_trick --golden 'my golden.txt' --cell @10\n");
  expect_end(again.out, "\n1 notebook, 1 cell, 1 output: 0 equal, 1 different\n");
}

}  // namespace
}  // namespace torchbook::test
