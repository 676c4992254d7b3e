// Tests the program that contains every notebook.
#include <gtest/gtest.h>
#include <support/process.h>

#include <nlohmann/json.hpp>

namespace torchbook::test {
namespace {

constexpr const char* all_equal = "\n5 notebooks, 124 cells, 83 outputs: 83 equal\n";

TEST(Torchbook, RunShowsEveryTranscriptAndASummary) {
  const auto run = shell("$BIN/torchbook run");
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_TRUE(run.out.ends_with(all_equal)) << run.out;
  std::size_t at = 0;
  for (const char* slug : {"attention_by_hand", "keys_queries_values", "self_attention_in_three_steps",
                           "attention_as_alignment", "mathematical_trick"}) {
    at = run.out.find(std::string("== ") + slug + ", from 00", at);
    ASSERT_NE(at, run.out.npos) << slug;
  }
}

TEST(Torchbook, WithoutArgumentsChecksEverything) {
  const auto check = shell("$BIN/torchbook");
  EXPECT_EQ(check.code, 0);
  EXPECT_TRUE(check.out.ends_with(all_equal)) << check.out;
  EXPECT_EQ(check.out, shell("$BIN/torchbook check").out);
  EXPECT_EQ(check.out, shell("$BIN/torchbook run --check").out);
  EXPECT_EQ(check.out.find("tensor("), check.out.npos);
}

TEST(Torchbook, TakesSlugsInAnyOrderAndKeepsTheDocuments) {
  const auto check = shell("$BIN/torchbook check mathematical_trick attention_as_alignment");
  EXPECT_EQ(check.code, 0);
  EXPECT_TRUE(check.out.starts_with("== attention_as_alignment, from 003_28fcb52aab540c90.txt\n"))
      << check.out;
  EXPECT_TRUE(check.out.ends_with("\n2 notebooks, 20 cells, 18 outputs: 18 equal\n")) << check.out;
}

TEST(Torchbook, JsonIsAListOfTheNotebooks) {
  const auto run = shell("$BIN/torchbook run --format json");
  EXPECT_EQ(run.code, 0);
  const auto report = nlohmann::json::parse(run.out);
  ASSERT_EQ(report["notebooks"].size(), 5U);
  std::size_t cells = 0;
  for (const auto& notebook : report["notebooks"]) cells += notebook["cells"].size();
  EXPECT_EQ(cells, 124U);
  auto alone = nlohmann::json::parse(shell("$BIN/mathematical_trick --format json").out);
  EXPECT_EQ(report["fingerprint"], alone["fingerprint"]);
  alone.erase("fingerprint");
  EXPECT_EQ(report["notebooks"][4], alone);
  EXPECT_EQ(report["notebooks"][1]["restored"].size(), 1U);
  EXPECT_EQ(report["notebooks"][4]["restored"].size(), 1U);
}

TEST(Torchbook, JsonOfOneNotebookIsAListToo) {
  const auto report = nlohmann::json::parse(shell("$BIN/torchbook run mathematical_trick --format json").out);
  EXPECT_EQ(report["notebooks"].size(), 1U);
}

TEST(Torchbook, ListNamesTheNotebooks) {
  const auto list = shell("$BIN/torchbook list");
  EXPECT_EQ(list.code, 0);
  EXPECT_EQ(list.out,
            "attention_by_hand                39 cells  000_c475e8729ba8e095.txt\n"
            "keys_queries_values              53 cells  001_d4886b04eb600938.txt\n"
            "self_attention_in_three_steps    12 cells  002_5dc6ea26df512a1c.txt\n"
            "attention_as_alignment            6 cells  003_28fcb52aab540c90.txt\n"
            "mathematical_trick               14 cells  004_dc603b281e79ef93.txt\n");
  EXPECT_EQ(nlohmann::json::parse(shell("$BIN/torchbook list --format json").out)["notebooks"].size(), 5U);
}

TEST(Torchbook, RunTakesTheSameOptions) {
  const auto cell = shell("$BIN/torchbook run mathematical_trick --cell 49 --source none");
  EXPECT_EQ(cell.code, 0);
  EXPECT_EQ(cell.out, shell("$BIN/mathematical_trick --cell 49 --source none").out);
  EXPECT_EQ(shell("$BIN/torchbook run attention_as_alignment --list").out,
            "== attention_as_alignment\n" + shell("$BIN/attention_as_alignment --list").out);
}

TEST(Torchbook, CellAndGoldenAreForOneNotebook) {
  for (const char* option : {"--cell 4", "--golden x.txt"}) {
    const auto run = shell(std::string("$BIN/torchbook run ") + option);
    EXPECT_EQ(run.code, 2);
    EXPECT_NE(run.err.find("is for one notebook; name it"), std::string::npos) << run.err;
    EXPECT_EQ(line_count(run.err), 1U) << run.err;
  }
}

}  // namespace
}  // namespace torchbook::test
