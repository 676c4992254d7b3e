// Tests the command `torchbook site`.
#include <cli/command.h>
#include <gtest/gtest.h>
#include <support/goldens.h>
#include <support/texts.h>

namespace torchbook::test {
namespace {

TEST(SiteProgram, WritesTheSiteAndSaysWhere) {
  const auto site = shell("$BIN/torchbook site --no-python --output a/b && ls a/b");
  EXPECT_EQ(site.code, 0);
  EXPECT_EQ(site.err, "");
  EXPECT_TRUE(site.out.starts_with(summary_of_equal() + "\na/b/index.html\n")) << site.out;
  expect_part(site.out, "\nmathematical_trick.html\n");
}

TEST(SiteProgram, WritesTheNamedNotebooksOnly) {
  const auto site =
      shell("$BIN/torchbook site --no-python --output a mathematical_trick && ls a | grep -c _");
  EXPECT_EQ(site.out, "1 notebook, 14 cells, 12 outputs: 12 equal\na/index.html\n1\n");
}

TEST(SiteProgram, TwoRunsGiveEqualBytes) {
  const auto site = shell(
      "$BIN/torchbook site --no-python -o a >/dev/null && $BIN/torchbook site --no-python -o b >/dev/null && "
      "diff -r a b && echo equal");
  EXPECT_EQ(site.out, "equal\n");
}

TEST(SiteProgram, ComparesWithALivePyTorch) {
  const auto site = shell("$BIN/torchbook site --output a mathematical_trick && cat a/index.html");
  EXPECT_EQ(site.code, 0) << site.err;
  expect_part(site.out, "12 equal\nall 12 outputs equal PyTorch ");
  expect_part(site.out, "</span> all 12 outputs equal PyTorch ");
  EXPECT_EQ(site.out.find("not compared"), site.out.npos);
}

/// Makes the site of one notebook with a PyTorch whose answer is changed by `sed`. Prints the exit code, the
/// second line of its output, and how often the page contains the words.
std::string site_beside_another_pytorch(const std::string& change, const std::string& words) {
  return shell(
             "printf '#!/bin/sh\\n/usr/bin/python3 \"$@\" 3>answer && sed \"$CHANGE\" answer >&3\\n' >python "
             "&& "
             "chmod 755 python && export CHANGE='" +
             change +
             "' && { $BIN/torchbook site --python ./python -o a attention_as_alignment >said; echo $?; } && "
             "sed -n 's/ PyTorch .*//; 2p' said && grep -c '" +
             words + "' a/attention_as_alignment.html")
      .out;
}

TEST(SiteProgram, BesideAPyTorchThatDiffersSaysWhere) {
  // The first number of the first cell, 0.43, is the float32 3edc28f6.
  EXPECT_EQ(site_beside_another_pytorch("", "equals PyTorch .*, text and bits"),
            "0\nall 6 outputs equal\n6\n");
  EXPECT_EQ(site_beside_another_pytorch("s/3edc28f6/3edc28f7/", "not its bits"),
            "1\n5 of 6 outputs equal\n1\n");
  EXPECT_EQ(site_beside_another_pytorch("s/0\\.4300/0.4301/", "differs from PyTorch"),
            "1\n5 of 6 outputs equal\n1\n");
}

TEST(SiteProgram, WithTracesSaysWhereTheOperationsPart) {
  // This Python gives the twin another seed.
  const std::string python =
      "printf '#!/bin/sh\\nsed s/manual_seed.42./manual_seed\\(43\\)/ | exec /usr/bin/python3 \"$@\"\\n' "
      ">python && chmod 755 python && ";
  const std::string site = "$BIN/torchbook site --python ./python -o a mathematical_trick";
  const auto traced =
      shell(python + site + " --trace >/dev/null; echo $?; cat a/mathematical_trick.html").out;
  EXPECT_TRUE(traced.starts_with("1\n")) << traced.substr(0, 200);
  expect_part(
      traced,
      "<p class=\"parting\">other random numbers: the generator of random_ was seeded with 42 here and "
      "with 43 there</p>\n<pre>  here      operation ");
  expect_part(traced, "Used here but not shown:");
  const auto untraced = shell(python + site + " >/dev/null; cat a/mathematical_trick.html").out;
  expect_part(untraced, "differs from PyTorch");
  EXPECT_EQ(untraced.find("class=\"parting\""), untraced.npos);
}

TEST(SiteProgram, APythonThatIsNamedMustBeThere) {
  const auto site = shell("$BIN/torchbook site --python /no/python --output a; echo $?; ls a");
  EXPECT_TRUE(site.out.starts_with("2\n")) << site.out;
  expect_part(site.err, "torchbook: cannot");
  expect_part(site.err, "/no/python");
}

TEST(SiteProgram, WrongUsageIsOneClearLine) {
  const std::string site = "$BIN/torchbook site --no-python --output ";
  expect_refused("$BIN/torchbook site", "torchbook: --output is required (see torchbook site --help)\n");
  expect_refused("touch f; " + site + "f/site", "f/site: Not a directory\n");
  expect_refused("touch f; " + site + "f", "torchbook: ");
  const auto full = shell("mkdir a; ln -s /dev/full a/style.css; " + site + "a; ls a");
  EXPECT_EQ(full.err, "torchbook: cannot write a/style.css: No space left on device\n");
}

}  // namespace
}  // namespace torchbook::test
