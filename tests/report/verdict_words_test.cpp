// Tests the wording of differences.
#include <gtest/gtest.h>
#include <report/samples.h>
#include <torchbook/report/verdict_words.h>
#include <torchbook/report/words.h>

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::report {
namespace {

golden::Judgement with(golden::ElementDifference element,
                       golden::Verdict verdict = golden::Verdict::different) {
  golden::Judgement judgement{.verdict = verdict};
  judgement.elements.push_back(std::move(element));
  return judgement;
}

golden::Judgement of_texts() {
  return with(
      {.where = "stdout",
       .tensor = 3,
       .values = {.index = {2, -1}, .golden = "4.", .actual = "5.", .absolute = 1, .relative = 0.25}});
}

golden::Judgement of_a_number() {
  return with(
      {.where = "stdout", .values = {.golden = "0.", .actual = "1.", .absolute = 1, .relative = HUGE_VAL}});
}

golden::Judgement of_other_shape() {
  return with(
      {.where = "result", .tensor = 1, .values = {.mismatch = golden::Mismatch{"shape (2,)", "(1,)"}}});
}

TEST(Brief, SaysWhereAndByHowMuch) {
  EXPECT_EQ(brief({}), "");
  EXPECT_EQ(brief(of_texts()), "first at [2, -1]");
  EXPECT_EQ(brief(of_a_number()), "first in a number");
  EXPECT_EQ(brief(of_other_shape()), "shape (2,) here, (1,) in the golden");
  golden::Judgement two = test::sample_of_other_bits().judgements.at(2);
  two.elements.push_back(two.elements[0]);
  two.elements[1].values.largest_ulps = 9;
  EXPECT_EQ(brief(two), "largest 9 ulps, first at [0, 1]");
  two.elements[1].values.largest_ulps = 1'000'001;
  EXPECT_EQ(brief(two), "first at [0, 1]");
  golden::Judgement zeros = test::sample_of_other_bits().judgements.at(2);  // 0.0 and -0.0
  zeros.elements[0].values.largest_ulps = 0;
  EXPECT_EQ(brief(zeros), "largest 0 ulps, first at [0, 1]");
}

TEST(Headline, IsTheVerdictAndTheFirstDifference) {
  EXPECT_EQ(headline(of_texts()), "different: tensor 3 of its stdout, element [2, -1]: golden 4., here 5.");
  EXPECT_EQ(headline(of_a_number()), "different: a number in its stdout: golden 0., here 1.");
  EXPECT_EQ(headline(of_other_shape()),
            "different: tensor 1 of its result: shape (2,) here, (1,) in the golden");
  EXPECT_EQ(headline(test::sample(true).judgements.at(2)), "different: line 2 of its stdout");
}

TEST(Headline, OfACellWhoseTwinRaisedSaysWhat) {
  EXPECT_EQ(headline(test::sample_whose_twin_raised().judgements.at(2), "PyTorch"),
            "threw: PyTorch: sample.py:7: ValueError: no");
  EXPECT_EQ(headline(test::sample_that_threw().judgements.at(2)), "threw");
}

TEST(Thrown, NamesEachSide) {
  EXPECT_TRUE(thrown(test::sample(true)).empty());
  EXPECT_EQ(thrown(test::sample_that_threw()),
            std::vector<std::string>{"sample.cpp:20: cell In [7] (@2) threw: boom"});
  auto judged = test::sample_whose_twin_raised();
  judged.restored_errors = {"sample.py:1: KeyError: 'x'"};
  EXPECT_EQ(thrown(judged),
            (std::vector<std::string>{"the twin's restored state failed: sample.py:1: KeyError: 'x'",
                                      "the twin's cell In [7] (@2) failed: sample.py:7: ValueError: no"}));
}

TEST(Details, LeaveOutWhatIsNotKnownOrNotFinite) {
  EXPECT_EQ(details({}, of_texts()),
            "  tensor 3 of its stdout, element [2, -1]:\n    golden  4.\n    here    5.\n"
            "    absolute error 1, relative error 0.25\n");
  EXPECT_EQ(details({}, of_a_number()),
            "  a number in its stdout:\n    golden  0.\n    here    1.\n    absolute error 1\n");
  EXPECT_EQ(details({}, of_other_shape()), "  tensor 1 of its result: shape (2,) here, (1,) in the golden\n");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(details({}, with({.where = "result",
                              .tensor = 1,
                              .values = {.index = {0},
                                         .golden = "nan (0x7fc00000)",
                                         .actual = "1.0",
                                         .absolute = nan,
                                         .relative = nan,
                                         .elements = 1,
                                         .differing = 1}})),
            "  tensor 1 of its result, element [0]:\n    golden  nan (0x7fc00000)\n    here    1.0\n"
            "    1 of 1 element differs\n");
  EXPECT_EQ(details({}, with({.where = "result", .values = {.mismatch = golden::Mismatch{"1 tensor", "2"}}})),
            "  its result: 1 tensor here, 2 in the golden\n");
  EXPECT_EQ(details({}, of_other_shape(), "PyTorch"),
            "  tensor 1 of its result: shape (2,) here, (1,) in PyTorch\n");
  golden::Judgement one = test::sample_of_other_bits().judgements.at(2);
  one.elements[0].values.differing = 1;
  EXPECT_TRUE(details({}, one).ends_with("    1 of 4 elements differs\n"));
}

TEST(Details, OfARecordedTensorNameTheRecording) {
  auto shape = of_other_shape();
  shape.elements[0].recorded = true;
  EXPECT_EQ(details({}, shape), "  tensor 1 of its result: shape (2,) here, (1,) in the recording\n");
  EXPECT_EQ(details({}, shape, "PyTorch"), "  tensor 1 of its result: shape (2,) here, (1,) in PyTorch\n");
  EXPECT_EQ(brief(shape), "shape (2,) here, (1,) in the recording");
  EXPECT_EQ(headline(shape), "different: tensor 1 of its result: shape (2,) here, (1,) in the recording");
  EXPECT_EQ(relation(shape), "equals the text of its golden, but differs from the recording");
  EXPECT_EQ(relation(shape, "the document"),
            "equals the text of the document, but differs from the recording");
  EXPECT_EQ(relation(shape, "PyTorch"), "equals the text of PyTorch, not its tensors");
  const auto bits = test::sample_of_other_bits().judgements.at(2);
  EXPECT_EQ(relation(bits, "PyTorch"), "equals the text of PyTorch, not its bits");
}

TEST(Details, ShowWhatNoTerminalShowsAndObeyNothing) {
  golden::Judgement judgement{.verdict = golden::Verdict::different};
  judgement.difference = golden::LineDifference{
      .where = "stdout", .line = 1, .column = 2, .golden = std::string("a\0b", 3), .actual = "a\x1b[31m\x7f"};
  EXPECT_EQ(details({}, judgement, "golden"),
            "  line 1 of its stdout:\n    golden  a\u2400b\n    here    a\u241b[31m\u2421\n             ^\n");
}

TEST(FingerprintLine, HoldsWhatIsKnown) {
  EXPECT_EQ(fingerprint_line(test::sample_fingerprint()),
            "LibTorch 1.13.1, AVX2, libopenblas.so.0, 2 threads, g++ 12.2.0");
  notebook::Fingerprint twin;
  twin.torch = "PyTorch 2.6.0";
  twin.threads = 1;
  EXPECT_EQ(fingerprint_line(twin), "PyTorch 2.6.0, 1 thread");
  twin.threads = 0;
  EXPECT_EQ(fingerprint_line(twin), "PyTorch 2.6.0");
}

TEST(FingerprintFields, LeaveOutWhatMayBeUnknown) {
  std::vector<std::string_view> names;
  for (const auto& field : fingerprint_fields({})) names.push_back(field.first);
  EXPECT_EQ(names, (std::vector<std::string_view>{"torch", "build", "cpu_capability", "blas", "threads",
                                                  "compiler"}));
}

TEST(LongTexts, OfAPythonAreCutInEveryLine) {
  const std::string much(100'000, 'x');
  auto judged = test::sample_whose_twin_raised();
  auto judgement = judged.judgements.at(2);
  judgement.raised = much;
  notebook::Cell cell;
  cell.error = much;
  const notebook::Fingerprint twin{
      .torch = much, .build = much, .cpu_capability = much, .blas = much, .threads = 1, .compiler = much};
  EXPECT_LT(headline(judgement, "PyTorch").size(), 300U);
  EXPECT_LT(error_text(cell, judgement, "PyTorch").size(), 600U);
  EXPECT_LT(fingerprint_line(twin).size(), 1000U);
}

}  // namespace
}  // namespace torchbook::report
