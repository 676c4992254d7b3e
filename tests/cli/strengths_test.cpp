// Tests the three strengths of the programs with altered goldens: equal, equal as printed, different.
#include <cli/command.h>
#include <gtest/gtest.h>
#include <support/folders.h>
#include <support/texts.h>

#include <nlohmann/json.hpp>
#include <string>

namespace torchbook::test {
namespace {

/// Runs mathematical_trick against its golden as changed by the `sed` script. `$GOLDEN` names that file.
Finished altered(const std::string& sed, const std::string& options) {
  return shell("sed '" + sed + "' " + source_folder() +
               "/notebooks_ported/mathematical_trick.golden >altered.txt; ! cmp -s altered.txt " +
               source_folder() +
               "/notebooks_ported/mathematical_trick.golden || exit 99; $BIN/mathematical_trick --golden "
               "altered.txt " +
               options);
}

constexpr const char* one_digit = "s/4.6667/4.6668/";
constexpr const char* blank_line = "s/^> below c metrix/>\\n&/";
constexpr const char* other_notation = "s/4.6667, 5.3333/4.66667, 5.3333e+00/";

TEST(Strengths, OneDigitIsDifferentAndTellsElementAndValues) {
  for (const std::string options : {"--check", "--check --accept printed"}) {
    const auto check = altered(one_digit, options);
    EXPECT_EQ(check.code, 1);
    EXPECT_EQ(check.err, "");
    expect_part(check.out, " @10  In [45]   different         first at [2, 0]\n");
    expect_part(check.out,
                "mathematical_trick @10 In [45] differs from its golden\n"
                "  tensor 2 of its stdout, element [2, 0]:\n"
                "    golden  4.6668\n"
                "    here    4.6667\n"
                "    absolute error 0.0001, relative error 2.143e-05\n"
                "  line 7 of its stdout:\n"
                "    golden          [4.6668, 5.3333]])\n"
                "    here            [4.6667, 5.3333]])\n"
                "                          ^\n"
                "  again: ");
    expect_end(check.out, "\n1 notebook, 14 cells, 12 outputs: 11 equal, 1 different\n");
  }
}

TEST(Strengths, AnExtraBlankLineIsEqualAsPrinted) {
  const auto check = altered(blank_line, "--check");
  EXPECT_EQ(check.code, 1);
  expect_part(check.out, " @10  In [45]   equal-as-printed\n");
  expect_part(
      check.out,
      "mathematical_trick @10 In [45] equals its golden as printed, not in every byte (--accept printed "
      "admits that)\n"
      "  line 4 of its stdout:\n"
      "    golden  (an empty line)\n"
      "    here    below c metrix");
  expect_end(check.out, "\n1 notebook, 14 cells, 12 outputs: 11 equal, 1 equal as printed\n");
}

TEST(Strengths, ANumberInAnotherNotationIsEqualAsPrinted) {
  const auto check = altered(other_notation, "--check --cell 45");
  EXPECT_EQ(check.code, 1);
  expect_part(check.out, " @10  In [45]   equal-as-printed  first at [2, 0]\n");
  expect_part(check.out, "    golden  4.66667\n    here    4.6667\n");
  expect_end(check.out, "\n1 notebook, 1 cell, 1 output: 0 equal, 1 equal as printed\n");
}

TEST(Strengths, AcceptPrintedAdmitsThatAndCountsIt) {
  for (const char* sed : {blank_line, other_notation}) {
    const auto check = altered(sed, "--check --accept printed");
    EXPECT_EQ(check.code, 0);
    expect_part(check.out, " @10  In [45]   equal-as-printed");
    EXPECT_EQ(check.out.find("differs"), std::string::npos) << check.out;
    EXPECT_EQ(check.out.find("again: "), std::string::npos) << check.out;
    expect_end(check.out, "\n1 notebook, 14 cells, 12 outputs: 11 equal, 1 equal as printed\n");
    EXPECT_EQ(altered(sed, "--accept equal").code, 1);
  }
}

TEST(Strengths, TheCommandToRunACellAgainAcceptsTheSame) {
  const auto check = altered(std::string(one_digit) + ";" + blank_line, "--check --accept printed");
  expect_part(check.out, "/mathematical_trick --golden altered.txt --accept printed --cell @10\n");
}

}  // namespace
}  // namespace torchbook::test
