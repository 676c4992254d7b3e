// Tests that a cell equals its golden only if every byte does.
#include <golden/judged_cell.h>
#include <gtest/gtest.h>
#include <support/message_of.h>
#include <support/recorded_tensor.h>
#include <torchbook/golden/judge.h>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace torchbook::golden {
namespace {

TEST(Verdict, EqualIsEveryByteOfStdoutAndResult) {
  EXPECT_EQ(judged(ran("a\n", "b"), golden("a\n", "b")).verdict, Verdict::equal);
  EXPECT_EQ(judged(ran("", std::nullopt), golden("", std::nullopt)).verdict, Verdict::no_output);
}

TEST(Verdict, AnyByteIsNotEqual) {
  using Variant = std::tuple<std::string, Text, Verdict>;
  const Variant variants[] = {
      {"a\n", std::nullopt, Verdict::different}, {"", "b", Verdict::different},
      {"a\n", "B", Verdict::different},          {"a\n", "", Verdict::different},
      {"a \n", "b", Verdict::equal_as_printed},  {"a", "b", Verdict::equal_as_printed},
      {"a\n\n", "b", Verdict::equal_as_printed}, {"a\n", "b\n", Verdict::equal_as_printed},
      {"\na\n", "b", Verdict::equal_as_printed}};
  for (const auto& [out, result, verdict] : variants) {
    EXPECT_EQ(judged(ran(out, result), golden("a\n", "b")).verdict, verdict) << out << "|" << *result;
    EXPECT_EQ(judged(ran("a\n", "b"), golden(out, result)).verdict, verdict) << out << "|" << *result;
  }
}

TEST(Verdict, EqualAsPrintedNeedsBothOutputsToAgree) {
  const auto verdict = [](const std::string& out, const Text& result) {
    return judged(ran(out, result), golden("1.0000\n", "tensor([0.1235])")).verdict;
  };
  EXPECT_EQ(verdict("1.0000\n", "tensor([1.2346e-01])"), Verdict::equal_as_printed);
  EXPECT_EQ(verdict("1.00\n", "tensor([0.1235])"), Verdict::equal_as_printed);
  EXPECT_EQ(verdict("1.00\n", "tensor([1.2346e-01])"), Verdict::equal_as_printed);
  EXPECT_EQ(verdict("1.00\n", "tensor([0.1236])"), Verdict::different);
  EXPECT_EQ(verdict("1.01\n", "tensor([1.2346e-01])"), Verdict::different);
  EXPECT_EQ(verdict("1.0000\ntensor([0.1235])", std::nullopt), Verdict::different);
}

TEST(Verdict, NamesTheElementThatTheTextsShow) {
  const std::string out = "x: tensor(1.)\ntensor([[1., 2.],\n        [3., 5.]])\n";
  const auto expected = golden("x: tensor(1.)\ntensor([[1., 2.],\n        [3., 4.]])\n", "tensor([8.])");
  const Tensors shown = {test::tensor({}, {1}), test::tensor({2, 2}, {1, 2, 3, 5})};
  const auto both = judged(ran(out, "tensor([7.])", shown), expected);
  ASSERT_EQ(both.elements.size(), 1U);
  EXPECT_EQ(both.elements[0].where, "stdout");
  EXPECT_EQ(both.elements[0].tensor, 2U);
  EXPECT_EQ(both.elements[0].values.index, (std::vector<std::int64_t>{1, 1}));
  EXPECT_EQ(both.elements[0].values.golden, "4.");
  EXPECT_EQ(both.elements[0].values.actual, "5.");
  EXPECT_EQ(both.elements[0].values.absolute, 1.0);
  EXPECT_EQ(both.elements[0].values.relative, 0.25);
  EXPECT_EQ(both.elements[0].values.ulps, std::nullopt);
  const auto unplaced = judged(ran(out, "tensor([7.])"), expected);  // no tensor was recorded
  ASSERT_EQ(unplaced.elements.size(), 1U);
  EXPECT_EQ(unplaced.elements[0].tensor, 0U);
  EXPECT_TRUE(unplaced.elements[0].values.index.empty());
  EXPECT_EQ(unplaced.elements[0].values.golden, "4.");
}

TEST(Verdict, NamesTheOutputThatDiffersInValue) {
  const auto result = judged(ran("1.00\n", "tensor([7.])"), golden("1.000\n", "tensor([8.])"));
  ASSERT_EQ(result.elements.size(), 1U);
  EXPECT_EQ(result.elements[0].where, "result");
  const auto later = judged(ran("0.12\n", "tensor([7.])"), golden("0.125\n", "tensor([8.])"));
  ASSERT_EQ(later.elements.size(), 1U);
  EXPECT_EQ(later.elements[0].where, "result");  // stdout differs in its notation only
  const auto number = judged(ran("loss 0.25\n", std::nullopt), golden("loss 0.50\n", std::nullopt));
  ASSERT_EQ(number.elements.size(), 1U);
  EXPECT_EQ(number.elements[0].tensor, 0U);
  EXPECT_TRUE(judged(ran("a\n", std::nullopt), golden("b\n", std::nullopt)).elements.empty());
  const auto kind = judged(ran("", "tensor([7])", {test::tensor<std::int64_t>("torch.int64", {1}, {7})}),
                           golden("", "tensor([7.])"));
  ASSERT_EQ(kind.elements.size(), 1U);
  EXPECT_EQ(kind.elements[0].where, "result");
  EXPECT_EQ(kind.elements[0].tensor, 1U);
  EXPECT_EQ(kind.elements[0].values.mismatch, (Mismatch{.actual = "7 is an int", .golden = "7. a float"}));
}

TEST(Verdict, AnEmptyResultIsNotNoResult) {
  EXPECT_EQ(judged(ran("", ""), golden("", std::nullopt)).verdict, Verdict::different);
  EXPECT_EQ(judged(ran("", ""), golden("", "")).verdict, Verdict::equal);
}

TEST(Verdict, HasACountedOutputIfTheGoldenHasOneOrTheCellShowsWhatItLacks) {
  const auto counted = [](const std::string& out, const std::string& expected, bool ported = true) {
    auto transcript = ran(out, std::nullopt);
    if (!ported) cell_of(transcript).not_ported = "needs x";
    return has_counted_output(judged(transcript, golden(expected, std::nullopt)));
  };
  EXPECT_TRUE(counted("a\n", ""));
  EXPECT_TRUE(counted("", "a\n", false));
  EXPECT_FALSE(counted("", "", false));
  EXPECT_FALSE(counted("", ""));
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

TEST(Verdict, ACellThatThrewIsNeitherEqualNorDifferent) {
  for (const std::string out : {"", "a\n"}) {
    notebook::Transcript transcript = ran(out, std::nullopt);
    cell_of(transcript).error = "boom";
    const auto judgement = judged(transcript, golden("", std::nullopt));
    EXPECT_EQ(judgement.verdict, Verdict::threw);
    EXPECT_FALSE(judgement.difference);
    EXPECT_FALSE(judgement.raised);
    EXPECT_TRUE(threw(judge(transcript, golden("", std::nullopt))));
  }
  auto fine = judge(ran("", std::nullopt), golden("a\n", std::nullopt));
  EXPECT_FALSE(threw(fine));
  fine.restored_errors = {"sums.py:3: ValueError: no"};  // a restored state of the twin
  EXPECT_TRUE(threw(fine));
}

TEST(Verdict, ACellWhoseTwinRaisedThrew) {
  Golden raised = golden("a\n", std::nullopt);
  raised.cells[0].error = "sums.py:3: ValueError: no";
  const auto judgement = judged(ran("a\n", "b"), raised);
  EXPECT_EQ(judgement.verdict, Verdict::threw);
  EXPECT_EQ(judgement.raised, "sums.py:3: ValueError: no");
  EXPECT_FALSE(judgement.difference);
  EXPECT_FALSE(passes({.verdict = Verdict::threw}, Accept::printed));
}

TEST(Verdict, ACellMustRaiseIfItsTwinDoes) {
  Golden twin = golden("a\n", std::nullopt);
  notebook::Transcript raises = ran("a\n", std::nullopt);
  cell_of(raises).raises = true;
  EXPECT_EQ(judged(raises, twin).verdict, Verdict::equal);  // a golden file holds no errors
  twin.cells[0].tensors.emplace();
  EXPECT_EQ(judged(raises, twin).verdict, Verdict::threw);
  twin.cells[0].error = "sums.py:3: RuntimeError: no";
  EXPECT_EQ(judged(raises, twin).verdict, Verdict::equal);
  EXPECT_EQ(judged(ran("a\n", std::nullopt), twin).verdict, Verdict::threw);
}

TEST(Verdict, ACellWhoseTwinDidNotRunIsJudgedOnlyIfItThrew) {
  Golden ended = golden("", std::nullopt);
  ended.cells[0].ran = false;
  notebook::Transcript transcript = ran("a\n", std::nullopt);
  EXPECT_TRUE(judge(transcript, ended).judgements.empty());
  cell_of(transcript).error = "boom";
  EXPECT_EQ(judged(transcript, ended).verdict, Verdict::threw);
}

TEST(Verdict, ACellThatIsNotPortedIsComparedWithNothing) {
  notebook::Transcript transcript = ran("a\n", std::nullopt);
  cell_of(transcript).not_ported = "needs a tokenizer";
  cell_of(transcript).carried = {"ids"};
  auto expected = golden("a\n", std::nullopt);
  const auto judgement = judged(transcript, expected);
  EXPECT_EQ(judgement.verdict, Verdict::not_ported);
  EXPECT_EQ(judgement.not_ported, "needs a tokenizer");
  EXPECT_EQ(judgement.carried, std::vector<std::string>{"ids"});
  EXPECT_TRUE(judgement.golden_has_output);
  EXPECT_FALSE(judged(transcript, golden("", std::nullopt)).golden_has_output);
  EXPECT_FALSE(passes({.verdict = Verdict::not_ported}, Accept::printed));
  expected.cells[0].error = "sums.py:3: ModuleNotFoundError: No module named 'tokenizer'";
  EXPECT_EQ(judged(transcript, expected).verdict, Verdict::not_ported);
  EXPECT_FALSE(threw(judge(transcript, expected)));
  expected.cells[0].ran = false;
  EXPECT_EQ(judged(transcript, expected).verdict, Verdict::not_ported);
  cell_of(transcript).error = "boom";
  EXPECT_EQ(judged(transcript, expected).verdict, Verdict::threw);
}

TEST(Verdict, CellsAfterOneThatThrewAreNotJudged) {
  notebook::Transcript transcript = ran("", std::nullopt);
  cell_of(transcript).error = "boom";
  notebook::Cell second;
  second.position = 2;
  second.label = "5";
  transcript.items.emplace_back(second);
  Golden expected = golden("", std::nullopt);
  expected.cells.push_back({.position = 2, .label = "5", .out = "", .result = std::nullopt});
  EXPECT_EQ(judge(transcript, expected).judgements.size(), 1U);
}

TEST(Verdict, CellsThatWereNotSelectedAreNotJudged) {
  notebook::Transcript transcript = ran("x\n", std::nullopt);
  cell_of(transcript).selected = false;
  EXPECT_TRUE(judge(transcript, golden("", std::nullopt)).judgements.empty());
}

std::string error_of(const Golden& other) {
  return test::message_of<GoldenError>([&] { judge(ran("", std::nullopt), other); });
}

TEST(Verdict, AGoldenThatIsNotTheNotebooksIsAnError) {
  Golden other = golden("", std::nullopt);
  other.slug = "another";
  EXPECT_EQ(error_of(other), "1: this belongs to the notebook another, not to sample");
  other = golden("", std::nullopt);
  other.cells[0].label = "9";
  EXPECT_EQ(error_of(other), "cell @1 is In [9] here, but In [4] in the notebook sample");
  other.cells.clear();
  EXPECT_EQ(error_of(other), "it ends before cell @1 In [4], which the notebook sample has");
  other = golden("", std::nullopt);
  other.cells.push_back({.position = 2, .label = "5", .out = "", .result = std::nullopt, .line = 7});
  EXPECT_EQ(error_of(other), "7: here is cell @2 In [5], but the notebook sample has no further cell");
}

TEST(Passes, AVerdictThatIsAccepted) {
  for (const auto accept : {Accept::equal, Accept::printed, Accept::ulps, Accept::explained}) {
    EXPECT_TRUE(passes({.verdict = Verdict::equal}, accept));
    EXPECT_TRUE(passes({.verdict = Verdict::no_output}, accept));
    EXPECT_EQ(passes({.verdict = Verdict::equal_as_printed}, accept), accept == Accept::printed);
    EXPECT_FALSE(passes({.verdict = Verdict::different}, accept));
    EXPECT_FALSE(passes({.verdict = Verdict::threw}, accept));
  }
}

TEST(Passes, AnyVerdictIfOnlyValuesDifferByTheUlpsThatAreAccepted) {
  const auto differing = [](const TensorDifference& second) {
    return Judgement{.verdict = Verdict::different,
                     .elements = {{.where = "stdout", .values = {.largest_ulps = 1}},
                                  {.where = "stdout", .values = second}}};
  };
  const auto two = differing({.largest_ulps = 2});
  EXPECT_TRUE(passes(two, {Accept::ulps, 2}));
  EXPECT_FALSE(passes(two, {Accept::ulps, 1}));
  EXPECT_FALSE(passes(two, Accept::printed));
  const auto nan = differing({.without_ulps = 1, .largest_ulps = 2});
  const auto whole = differing({.without_ulps = 1});
  const auto shape = differing({.mismatch = Mismatch{.actual = "shape (1,)", .golden = "(2,)"}});
  for (const auto& one : {nan, whole, shape}) EXPECT_FALSE(passes(one, {Accept::ulps, 2}));
  JudgedTranscript judged;
  judged.judgements = {{1, two}, {2, whole}, {3, shape}, {4, two}, {5, {}}};
  judged.judgements[4].exception = Exception{.kind = ExceptionKind::varies};
  for (const auto& [position, one] : judged.judgements)
    EXPECT_EQ(passes(one, Accept::explained), position == 5);
  excuse_kernels(judged, "equal with A=b");
  for (const auto& [position, one] : judged.judgements) {
    const bool is_excused = position == 1 || position == 2;
    EXPECT_EQ(passes(one, Accept::equal), is_excused || position == 5) << position;
    EXPECT_EQ(one.exception && one.exception->kind == ExceptionKind::kernels, is_excused) << position;
  }
}

template <class T>
concept HasJudgement = requires(T&& judgements) {
  judgement_of(std::forward<T>(judgements), notebook::Cell{});
};

TEST(Judgement, IsNotThatOfATemporary) {
  static_assert(HasJudgement<const Judgements&>);
  static_assert(!HasJudgement<Judgements>);
}

}  // namespace
}  // namespace torchbook::golden
