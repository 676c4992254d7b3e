// Tests the reports on a notebook with exceptions of every kind.
#include <cli/command.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <support/folders.h>
#include <support/texts.h>

#include <nlohmann/json.hpp>
#include <string>

namespace torchbook::test {
namespace {

TEST(Excepted, CellsThatAreAsExpectedPassAndAreCountedApart) {
  const auto check = shell("$BIN/excepted --check --cell 1-5");
  EXPECT_EQ(check.code, 0) << check.out;
  EXPECT_EQ(check.err, "");
  EXPECT_EQ(check.out.substr(0, check.out.find("computed by")),
            "== excepted, from none.ipynb\n"
            "  @1  In [1]    equal\n"
            "  @2  In [2]    different         as expected: prints the language\n"
            "  @3  In [3]    equal-as-printed  as expected: another notation\n"
            "  @4  In [4]    not-compared      a picture\n"
            "  @5  In [5]    not-ported        as expected: needs a tokenizer\n\n");
  expect_end(check.out,
             "1 notebook, 5 cells, 5 outputs: 1 equal; as expected: 1 equal as printed, "
             "1 different, 1 not compared, 1 not ported\n");
  EXPECT_EQ(shell("$BIN/excepted --check --cell 1-5 --accept printed").code, 0);
}

TEST(Excepted, LinesThatAreNotTrueFailAndAreNamed) {
  const auto check = shell("$BIN/excepted --quiet");
  EXPECT_EQ(check.code, 1);
  const auto again = [](int cell) {
    return fmt::format("\n  again: {}/excepted --cell @{}\n", warm_folder(), cell);
  };
  EXPECT_EQ(
      check.out,
      "excepted @6 In [6] equals its golden, but excepted.exceptions:8 says that it differs" + again(6) +
          "excepted @7 In [7] equals its golden, but excepted.exceptions:9 says that it is equal as printed, "
          "not in every byte" +
          again(7) +
          "excepted @8 In [8] equals its golden, but excepted.exceptions:10 says that it is not ported" +
          again(8) + "excepted @9 In [9] is not ported: nobody has written it" + again(9) +
          "excepted @10 In [10] is not ported: draws" + again(10) +
          "1 notebook, 10 cells, 10 outputs: 4 equal, 2 not ported, 3 exceptions no longer true; as "
          "expected: 1 equal as printed, 1 different, 1 not compared, 1 not ported\n");
  for (const std::string cell : {"6", "7", "8", "9", "10"}) {
    EXPECT_EQ(shell("$BIN/excepted --check --accept printed --cell @" + cell).code, 1) << cell;
  }
}

TEST(Excepted, FailedLeavesWhatIsNotAsExpected) {
  const auto check = shell("$BIN/excepted --check --failed");
  EXPECT_EQ(check.out.find("  @2  "), std::string::npos) << check.out;
  EXPECT_EQ(check.out.find("  @5  "), std::string::npos) << check.out;
  expect_part(check.out, "  @6  In [6]    equal             excepted.exceptions:8 says that it differs\n");
  expect_part(check.out, "  @9  In [9]    not-ported        nobody has written it\n");
}

TEST(Excepted, TranscriptsSayWhatIsNotPorted) {
  const auto run = shell("$BIN/excepted --cell 9 --source none");
  expect_part(run.out, "In [9]:\n\nso far\n\nnot ported: nobody has written it\n");
}

TEST(Excepted, AGoldenOfItsOwnTakesOnlyWhatIsSaidOfThePort) {
  const auto check =
      shell("$BIN/excepted --check --cell 2-5 --golden " + source_folder() + "/tests/excepted.golden");
  EXPECT_EQ(check.code, 1);
  expect_end(check.out,
             "4 outputs: 0 equal, 1 equal as printed, 1 different; as expected: 1 not compared, 1 not "
             "ported\n");
}

TEST(Excepted, JsonHasTheExceptionAndWhetherItHolds) {
  const auto run = shell("$BIN/excepted --format json");
  EXPECT_EQ(run.code, 1);
  const auto cells = nlohmann::json::parse(run.out)["cells"];
  EXPECT_FALSE(cells[0].contains("exception"));
  EXPECT_EQ(cells[1]["verdict"], "different");
  EXPECT_EQ(cells[1]["exception"], nlohmann::json({{"kind", "differs"},
                                                   {"reason", "prints the language"},
                                                   {"place", "excepted.exceptions:4"},
                                                   {"holds", true}}));
  EXPECT_EQ(cells[1]["difference"]["text"]["golden"], "printed by Python");
  EXPECT_EQ(cells[3]["verdict"], "not-compared");
  EXPECT_FALSE(cells[3].contains("difference"));
  EXPECT_EQ(cells[5]["exception"]["holds"], false);
  EXPECT_FALSE(cells[5].contains("difference"));
  EXPECT_EQ(cells[8]["verdict"], "not-ported");
  EXPECT_EQ(cells[8]["not_ported"], "nobody has written it");
  EXPECT_FALSE(cells[8].contains("exception"));
}

TEST(Excepted, JunitSkipsWhatIsAsExpected) {
  const auto run = shell("$BIN/excepted --quiet --junit - -o /dev/null");
  expect_part(run.out, "<testsuite name=\"excepted\"");
  expect_part(run.out, " tests=\"10\" failures=\"5\" errors=\"0\" skipped=\"4\"");
  expect_part(run.out, "<skipped message=\"differs from its golden, as expected: prints the language\"");
  expect_part(run.out, "<skipped message=\"is not compared with its golden, a picture\"");
  expect_part(run.out,
              "<failure message=\"equal: excepted.exceptions:8 says that it differs\" type=\"equal\"");
  expect_part(run.out, "<failure message=\"not-ported: nobody has written it\" type=\"not-ported\"");
}

TEST(Excepted, DocumentsSayWhatIsKnown) {
  const auto notebook = nlohmann::json::parse(shell("$BIN/excepted --format ipynb").out).dump();
  for (const std::string said :
       {"differs from its golden, as expected: prints the language",
        "is not compared with its golden, a picture", "is not ported, as expected: needs a tokenizer",
        "equals its golden, but excepted.exceptions:8 says that it differs",
        "is not ported: nobody has written it"})
    expect_part(notebook, "\"**The cell " + said + ".**");
}

}  // namespace
}  // namespace torchbook::test
