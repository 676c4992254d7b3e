// Tests where reports go: stdout, files, pipes that close early, terminals.
#include <cli/command.h>
#include <gtest/gtest.h>
#include <support/folders.h>
#include <support/texts.h>

#include <string>

namespace torchbook::test {
namespace {

std::string golden(const std::string& slug) {
  return source_folder() + "/notebooks_ported/" + slug + ".golden";
}

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
  const auto file = shell(
      "echo old >report.txt; ulimit -f 1; $BIN/attention_by_hand -o report.txt; echo $?; "
      "cat report.txt; ls");
  EXPECT_EQ(file.out, "2\nold\nreport.txt\n");
  EXPECT_EQ(file.err, "attention_by_hand: cannot write report.txt: File too large\n");
}

TEST(Output, OfJunitIsBesideTheReport) {
  const auto both = shell("$BIN/mathematical_trick --check --junit r.xml && ls && head -c 5 r.xml");
  EXPECT_EQ(both.code, 0);
  EXPECT_EQ(both.out, shell("$BIN/mathematical_trick --check").out + "r.xml\n<?xml");
}

TEST(Output, OfJunitThatDoesNotFitLeavesTheOldFileAndNoOther) {
  const auto file = shell(
      "echo old >r.xml; ulimit -f 1; $BIN/attention_by_hand --junit r.xml; echo $?; cat r.xml; "
      "ls");
  EXPECT_EQ(file.out, "2\nold\nr.xml\n");
  EXPECT_EQ(file.err, "attention_by_hand: cannot write r.xml: File too large\n");
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

TEST(Output, HasColourOnATerminalOnly) {
  if (shell("script -qec true /dev/null").code != 0) {
    TORCHBOOK_CANNOT_TEST("no pseudo-terminal can be opened here (is /dev/pts mounted?)");
  }
  const auto on_terminal = [](const std::string& environment) {
    return shell("script -qec '" + environment + " $BIN/mathematical_trick --cell 49' /dev/null").out;
  };
  EXPECT_NE(on_terminal("TERM=xterm").find("\033[32mIn [49]:\033[0m"), std::string::npos);
  EXPECT_EQ(on_terminal("TERM=dumb").find('\033'), std::string::npos);
  EXPECT_EQ(on_terminal("TERM=xterm NO_COLOR=1").find('\033'), std::string::npos);
  EXPECT_EQ(shell("TERM=xterm $BIN/mathematical_trick --cell 49").out.find('\033'), std::string::npos);
}

TEST(Golden, ThatIsEqualMayBeAFile) {
  EXPECT_EQ(shell("$BIN/mathematical_trick --check --golden " + golden("mathematical_trick")).code, 0);
}

TEST(Golden, ThatDiffersIsShownWithTheCommandThatRunsTheCellAgain) {
  const auto check = shell("sed 's/4.6667/4.6668/' " + golden("mathematical_trick") +
                           " >'my golden.txt'; $BIN/mathematical_trick --check --golden 'my golden.txt'");
  EXPECT_EQ(check.code, 1);
  EXPECT_EQ(check.err, "");
  EXPECT_NE(check.out.find(" @10  In [45]   different         first at [2, 0]\n"), std::string::npos)
      << check.out;
  EXPECT_NE(check.out.find("mathematical_trick @10 In [45] differs from its golden\n"
                           "  tensor 2 of its stdout, element [2, 0]:\n"
                           "    golden  4.6668\n"
                           "    here    4.6667\n"
                           "    absolute error 0.0001, relative error 2.143e-05\n"
                           "  line 7 of its stdout:\n"
                           "    golden          [4.6668, 5.3333]])\n"
                           "    here            [4.6667, 5.3333]])\n"
                           "                          ^\n"
                           "  again: "),
            std::string::npos)
      << check.out;
  EXPECT_NE(check.out.find("/mathematical_trick --golden 'my golden.txt' --cell @10\n"), std::string::npos)
      << check.out;
  EXPECT_TRUE(check.out.ends_with("\n1 notebook, 14 cells, 12 outputs: 11 equal, 1 different\n"))
      << check.out;
}

TEST(Golden, ThatDiffersGivesACommandThatWorks) {
  const auto again =
      shell("sed 's/4.6667/4.6668/' " + golden("mathematical_trick") +
            " >'my golden.txt'; $BIN/torchbook check mathematical_trick --golden 'my golden.txt' | "
            "sed -n 's/^  again: //p' >again.sh; cat again.sh; sh again.sh");
  EXPECT_EQ(again.code, 1);
  EXPECT_TRUE(again.out.ends_with("\n1 notebook, 1 cell, 1 output: 0 equal, 1 different\n")) << again.out;
}

}  // namespace
}  // namespace torchbook::test
