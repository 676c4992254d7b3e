// Tests that options which do nothing together are refused, by examples of each kind.
#include <cli/command.h>
#include <gtest/gtest.h>

#include <string>

namespace torchbook::test {
namespace {

TEST(Conflicts, OfTwoOptionsNameBoth) {
  EXPECT_EQ(refusal({"check", "--quiet", "--times"}),
            "--quiet and --times do not go together (see torchbook check --help)");
  EXPECT_EQ(refusal({"site", "-o", "s", "--python", "p", "--no-python"}),
            "--python and --no-python do not go together (see torchbook site --help)");
  EXPECT_EQ(refusal({"compare", "--reference", "built-in", "--trace"}),
            "--reference and --trace do not go together (see torchbook compare --help)");
  EXPECT_EQ(refusal({"compare", "--reference", "built-in", "--once", "--timeout", "9"}),
            "--timeout does nothing with --reference and --once, which run no twin and try no settings");
  EXPECT_EQ(refusal({"run", "--golden", "-", "--step"}),
            "--golden - reads stdin, from which --step reads keys; give --golden a file");
}

TEST(Conflicts, WithTheFormatNameIt) {
  EXPECT_EQ(refusal({"run", "--quiet", "--format", "json"}), "--quiet does nothing with --format json");
  EXPECT_EQ(refusal({"compare", "--color", "never", "--format", "json"}),
            "--color does nothing with --format json");
  EXPECT_EQ(refusal({"run", "--format", "markdown", "--failed"}),
            "--failed does nothing with --format markdown");
  EXPECT_EQ(refusal({"part", "a", "b", "--format", "html", "--color", "never"}),
            "--color does nothing with --format html");
  EXPECT_EQ(refusal({"check", "--source", "both"}),
            "check shows no source; run does, and check with --format json");
}

TEST(Conflicts, AreNoneWhereOptionsActTogether) {
  EXPECT_EQ(torchbook({"run", "math", "--format", "json", "--source", "none", "--failed", "--times"}).code,
            0);
  EXPECT_EQ(
      torchbook({"check", "math", "--quiet", "--accept", "printed", "--cell", "26", "--junit", "j.xml"}).code,
      0);
}

TEST(Conflicts, OfTwoReportsForStdout) {
  const std::string message =
      "--junit - needs stdout for itself; send the other report to a file with --output FILE";
  EXPECT_EQ(refusal({"check", "--junit", "-"}), message);
  EXPECT_EQ(refusal({"check", "--junit", "-", "-o", "-"}), message);
  EXPECT_EQ(torchbook({"check", "math", "--junit", "-", "-o", "r.txt"}).code, 0);
}

}  // namespace
}  // namespace torchbook::test
