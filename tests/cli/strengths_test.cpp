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

TEST(Strengths, AreTheSameInTheProgramTorchbook) {
  const auto check = shell(std::string("sed '") + blank_line + "' " + source_folder() +
                           "/notebooks_ported/mathematical_trick.golden >altered.txt; $BIN/torchbook check "
                           "mathematical_trick --golden altered.txt --accept printed");
  EXPECT_EQ(check.code, 0);
  expect_end(check.out, "\n1 notebook, 14 cells, 12 outputs: 11 equal, 1 equal as printed\n");
  EXPECT_EQ(shell("$BIN/torchbook check --accept printed").code, 0);
}

TEST(Strengths, OtherWordsBracketsAndDtypesAreDifferent) {
  for (const char* sed :
       {"s/below c metrix/below c matrix/", "s/5.3333\\]\\])/5.3333]], dtype=torch.float64)/",
        "s/\\[2., 7.\\],/[2., 7.,/", "s/^= True/= False/", "s/Size(\\[3, 1\\])/Size([3, 2])/",
        "s/Size(\\[3, 1\\])/Size([3, 1.])/", "s/^= torch.Size/> torch.Size/"}) {
    const auto check = altered(sed, "--check --accept printed");
    EXPECT_EQ(check.code, 1) << sed << "\n" << check.out << check.err;
    expect_part(check.out, "different");
  }
}

TEST(Strengths, AreInTheJsonReport) {
  const auto report = nlohmann::json::parse(altered(one_digit, "--format json --cell 45 --cell 49").out);
  const auto& cell = report["cells"][0];
  EXPECT_EQ(cell["verdict"], "different");
  EXPECT_EQ(cell["difference"]["text"]["line"], 7);
  ASSERT_EQ(cell["difference"]["values"].size(), 1U);
  const auto& value = cell["difference"]["values"][0];
  EXPECT_EQ(value["tensor"], 2);
  EXPECT_EQ(value["index"], nlohmann::json::parse("[2, 0]"));
  EXPECT_EQ(value["golden"], "4.6668");
  EXPECT_EQ(value["here"], "4.6667");
  EXPECT_EQ(value["absolute_error"], 0.0001);
  EXPECT_TRUE(value["ulps"].is_null());
  EXPECT_EQ(report["cells"][1]["verdict"], "equal");
  EXPECT_FALSE(report["cells"][1].contains("difference"));
  const auto printed = altered(blank_line, "--format json --cell 45 --accept printed");
  EXPECT_EQ(printed.code, 0);
  EXPECT_EQ(nlohmann::json::parse(printed.out)["cells"][0]["verdict"], "equal-as-printed");
}

TEST(Strengths, TheCommandToRunACellAgainAcceptsTheSame) {
  const auto check = altered(std::string(one_digit) + ";" + blank_line, "--check --accept printed");
  expect_part(check.out, "/mathematical_trick --golden altered.txt --accept printed --cell @10\n");
}

TEST(Fingerprint, IsInEachReportOfACheck) {
  const auto check = shell("$BIN/mathematical_trick --check");
  expect_part(check.out, "\ncomputed by ");
  EXPECT_EQ(shell("$BIN/mathematical_trick").out.find("computed by "), std::string::npos);
  for (const char* command :
       {"$BIN/mathematical_trick --format json", "$BIN/torchbook check --format json"}) {
    const auto report = nlohmann::ordered_json::parse(shell(command).out);
    std::string keys;
    for (const auto& [key, value] : report["fingerprint"].items()) keys += key + " ";
    EXPECT_EQ(keys, "torch build cpu_capability onednn blas threads compiler library ");
  }
}

}  // namespace
}  // namespace torchbook::test
