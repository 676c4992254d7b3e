// A cell equals its golden only where every byte does.
#include <gtest/gtest.h>
#include <torchbook/golden/verdict.h>

#include <optional>
#include <string>

namespace torchbook {
namespace {

using Text = std::optional<std::string>;

Transcript ran(const std::string& out, const Text& result) {
  Cell cell;
  cell.position = 1;
  cell.label = "4";
  cell.out = out;
  cell.result = result;
  Transcript transcript;
  transcript.slug = "sample";
  transcript.items.emplace_back(cell);
  return transcript;
}

Golden golden(const std::string& out, const Text& result) {
  return {.slug = "sample",
          .document = "",
          .cells = {{.position = 1, .label = "4", .out = out, .result = result}}};
}

Judgement judged(const Transcript& transcript, const Golden& expected) {
  return judge(transcript, expected).judgements.at(1);
}

TEST(Verdict, EqualIsEveryByteOfStdoutAndResult) {
  EXPECT_EQ(judged(ran("a\n", "b"), golden("a\n", "b")).verdict, Verdict::equal);
  EXPECT_EQ(judged(ran("", std::nullopt), golden("", std::nullopt)).verdict, Verdict::no_output);
}

TEST(Verdict, DifferentIsAnyByte) {
  const std::pair<std::string, Text> variants[] = {
      {"a\n", std::nullopt}, {"", "b"},    {"a \n", "b"}, {"a", "b"},    {"a\n\n", "b"},
      {"a\n", "b\n"},        {"a\n", "B"}, {"a\n", ""},   {"\na\n", "b"}};
  for (const auto& [out, result] : variants) {
    EXPECT_EQ(judged(ran(out, result), golden("a\n", "b")).verdict, Verdict::different)
        << out << "|" << *result;
    EXPECT_EQ(judged(ran("a\n", "b"), golden(out, result)).verdict, Verdict::different)
        << out << "|" << *result;
  }
}

TEST(Verdict, AnEmptyResultIsNotNoResult) {
  EXPECT_EQ(judged(ran("", ""), golden("", std::nullopt)).verdict, Verdict::different);
  EXPECT_EQ(judged(ran("", ""), golden("", "")).verdict, Verdict::equal);
}

TEST(Verdict, NamesTheFirstDifferingLineAndColumn) {
  const auto difference =
      judged(ran("", "tensor([1.0000,\n        2.0001])"), golden("", "tensor([1.0000,\n        2.0000])"));
  ASSERT_TRUE(difference.difference);
  EXPECT_EQ(difference.difference->where, "result");
  EXPECT_EQ(difference.difference->line, 2U);
  EXPECT_EQ(difference.difference->column, 14U);
  EXPECT_EQ(difference.difference->golden, "        2.0000])");
  EXPECT_EQ(difference.difference->actual, "        2.0001])");
}

TEST(Verdict, NamesALineThatOnlyOneSideHas) {
  const auto missing = judged(ran("a\n", std::nullopt), golden("a\nb\n", std::nullopt)).difference;
  ASSERT_TRUE(missing);
  EXPECT_EQ(missing->line, 2U);
  EXPECT_EQ(missing->golden, "b");
  EXPECT_EQ(missing->actual, "");
  const auto absent = judged(ran("", std::nullopt), golden("", "b")).difference;
  ASSERT_TRUE(absent);
  EXPECT_EQ(absent->golden, "b");
  EXPECT_EQ(absent->actual, std::nullopt);
}

TEST(Verdict, ACellThatThrewIsDifferent) {
  Transcript transcript = ran("", std::nullopt);
  std::get<Cell>(transcript.items[0]).error = "boom";
  EXPECT_EQ(judged(transcript, golden("", std::nullopt)).verdict, Verdict::different);
}

TEST(Verdict, CellsAfterOneThatThrewAreNotJudged) {
  Transcript transcript = ran("", std::nullopt);
  std::get<Cell>(transcript.items[0]).error = "boom";
  Cell second;
  second.position = 2;
  second.label = "5";
  transcript.items.emplace_back(second);
  Golden expected = golden("", std::nullopt);
  expected.cells.push_back({.position = 2, .label = "5", .out = "", .result = std::nullopt});
  EXPECT_EQ(judge(transcript, expected).judgements.size(), 1U);
}

TEST(Verdict, CellsThatWereNotSelectedAreNotJudged) {
  Transcript transcript = ran("x\n", std::nullopt);
  std::get<Cell>(transcript.items[0]).selected = false;
  EXPECT_TRUE(judge(transcript, golden("", std::nullopt)).judgements.empty());
}

/// The message of the GoldenError that judging throws.
std::string error_of(const Golden& other) {
  try {
    judge(ran("", std::nullopt), other);
    return "nothing thrown";
  } catch (const GoldenError& error) {
    return error.what();
  }
}

TEST(Verdict, AGoldenThatIsNotTheNotebooksIsAnError) {
  Golden other = golden("", std::nullopt);
  other.slug = "another";
  EXPECT_EQ(error_of(other), "it is the golden of another, not of sample");
  other = golden("", std::nullopt);
  other.cells[0].label = "9";
  EXPECT_EQ(error_of(other), "cell @1 is In [9] there and In [4] in the notebook");
  other.cells.clear();
  EXPECT_EQ(error_of(other), "it holds 0 cells, the notebook 1");
}

TEST(Verdict, HasTheNamesOfTheReports) {
  EXPECT_EQ(name(Verdict::equal), "equal");
  EXPECT_EQ(name(Verdict::different), "different");
  EXPECT_EQ(name(Verdict::no_output), "no-output");
}

}  // namespace
}  // namespace torchbook
