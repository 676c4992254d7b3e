// Tests that options which do nothing together are refused, by examples of each kind.
#include <cli/carried_out.h>
#include <gtest/gtest.h>

#include <string>

namespace torchbook::test {
namespace {

TEST(Conflicts, NameBothOptionsAndTheReason) {
  EXPECT_EQ(refusal({"run", "--quiet", "--format", "json"}),
            "--quiet does nothing with --format json, which is for programs");
  EXPECT_EQ(refusal({"--heatmap"}),
            "--heatmap does nothing with the command check, which shows verdicts and no transcript");
  EXPECT_EQ(refusal({"site", "-o", "s", "--python", "p", "--no-python"}),
            "--python does nothing with --no-python, which runs no Python");
  EXPECT_EQ(refusal({"compare", "--reference", "built-in", "--once", "--timeout", "9"}),
            "--timeout does nothing with --reference and --once, which run no twin and try no settings");
  EXPECT_EQ(refusal({"run", "--golden", "-", "--step"}),
            "--golden - reads stdin, from which --step reads keys; give --golden a file");
}

TEST(Conflicts, AreOfAllKindsOfReports) {
  EXPECT_EQ(refusal({"run", "--list", "--cell", "26"}),
            "--cell does nothing with --list, which runs no cell");
  EXPECT_EQ(refusal({"run", "--format", "markdown", "--failed"}),
            "--failed does nothing with --format markdown, which holds the whole run");
  EXPECT_EQ(refusal({"check", "--quiet", "--times"}),
            "--times does nothing with --quiet, which shows only failures and the summary");
  EXPECT_EQ(refusal({"compare", "--reference", "built-in", "--trace"}),
            "--trace does nothing with --reference, which runs no twin");
  EXPECT_NO_THROW(parsed({"run", "--format", "json", "--source", "none", "--failed", "--times"}));
  EXPECT_NO_THROW(parsed({"check", "--quiet", "--accept", "printed", "--cell", "26", "--junit", "j.xml"}));
}

TEST(Conflicts, OfTwoReportsForStdout) {
  const std::string message =
      "--junit - needs stdout for itself; send the other report to a file with --output FILE";
  EXPECT_EQ(refusal({"check", "--junit", "-"}), message);
  EXPECT_EQ(refusal({"check", "--junit", "-", "-o", "-"}), message);
  EXPECT_NO_THROW(parsed({"check", "--junit", "-", "-o", "r.txt"}));
}

}  // namespace
}  // namespace torchbook::test
