// Tests the program that contains every notebook.
#include <cli/command.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <support/goldens.h>
#include <support/texts.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace torchbook::test {
namespace {

const std::string all_equal = "\n" + summary_of_equal() + "\n";

TEST(Torchbook, RunShowsEveryTranscriptAndASummary) {
  const auto run = shell("$BIN/torchbook run");
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.err, "");
  expect_end(run.out, all_equal);
  std::size_t at = 0;
  for (const auto& golden : goldens()) {
    at = run.out.find("== " + golden.slug + ", from " + golden.document, at);
    ASSERT_NE(at, run.out.npos) << golden.slug;
  }
}

TEST(Torchbook, WithoutArgumentsShowsTheSummary) {
  const auto alone = shell("$BIN/torchbook");
  EXPECT_EQ(alone.code, 0);
  EXPECT_EQ("\n" + alone.out, all_equal);
  EXPECT_EQ(alone.out, shell("$BIN/torchbook check --quiet").out);
}

TEST(Torchbook, CheckShowsTheVerdicts) {
  const auto check = shell("$BIN/torchbook check");
  EXPECT_EQ(check.code, 0);
  expect_end(check.out, all_equal);
  EXPECT_EQ(check.out.find("tensor("), check.out.npos);
}

TEST(Torchbook, TakesSlugsInAnyOrderAndKeepsTheDocuments) {
  const auto check = shell("$BIN/torchbook check mathematical_trick attention_as_alignment");
  EXPECT_EQ(check.code, 0);
  EXPECT_TRUE(check.out.starts_with("== attention_as_alignment, from 003_28fcb52aab540c90.txt\n"))
      << check.out;
  expect_end(check.out, "\n2 notebooks, 20 cells, 18 outputs: 18 equal\n");
}

TEST(Torchbook, JsonIsAListOfTheNotebooks) {
  const auto run = shell("$BIN/torchbook run --format json");
  EXPECT_EQ(run.code, 0);
  const auto report = nlohmann::json::parse(run.out);
  ASSERT_EQ(report["notebooks"].size(), goldens().size());
  std::size_t cells = 0;
  for (const auto& notebook : report["notebooks"]) cells += notebook["cells"].size();
  EXPECT_EQ(cells, cell_count());
  auto alone = nlohmann::json::parse(shell("$BIN/mathematical_trick --format json").out);
  EXPECT_EQ(report["fingerprint"], alone["fingerprint"]);
  alone.erase("fingerprint");
  EXPECT_EQ(report["notebooks"][4], alone);
  EXPECT_EQ(report["notebooks"][1]["restored"].size(), 1U);
  EXPECT_EQ(report["notebooks"][4]["restored"].size(), 1U);
}

TEST(Torchbook, ListNamesTheNotebooks) {
  const auto list = shell("$BIN/torchbook list");
  EXPECT_EQ(list.code, 0);
  std::string lines;
  for (const auto& golden : goldens())
    lines += fmt::format("{:30} {:4} cells  {}\n", golden.slug, golden.cells, golden.document);
  EXPECT_EQ(list.out, lines);
  const auto all = nlohmann::json::parse(shell("$BIN/torchbook list --format json").out)["notebooks"];
  EXPECT_EQ(all.size(), goldens().size());
}

TEST(Torchbook, RunTakesTheSameOptions) {
  const auto cell = shell("$BIN/torchbook run mathematical_trick --cell 49 --source none");
  EXPECT_EQ(cell.code, 0);
  EXPECT_EQ(cell.out, shell("$BIN/mathematical_trick --cell 49 --source none").out);
  EXPECT_EQ(shell("$BIN/torchbook list attention_as_alignment").out,
            "== attention_as_alignment\n" + shell("$BIN/attention_as_alignment --list").out);
}

TEST(Torchbook, GoldenIsForOneNotebook) {
  expect_refused("$BIN/torchbook run --golden x.txt",
                 "--golden is for one notebook; name it: attention_by_hand, keys_queries_values, ");
}

TEST(Torchbook, CellChoosesItsNotebook) {
  const auto run = shell("$BIN/torchbook run --cell 49");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out, shell("$BIN/mathematical_trick --cell 49").out);
  expect_refused("$BIN/torchbook run --cell 26",
                 "--cell 26: several notebooks have this cell; name one of them: attention_by_hand, "
                 "mathematical_trick\n");
}

}  // namespace
}  // namespace torchbook::test
