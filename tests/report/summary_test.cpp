// Tests the counts at the end of a report.
#include <gtest/gtest.h>
#include <report/samples.h>
#include <support/texts.h>
#include <torchbook/report/summary.h>

namespace torchbook::report {
namespace {

std::string text_of(std::initializer_list<golden::JudgedTranscript> runs) {
  Summary summary;
  for (const auto& run : runs) summary.add(run);
  return summary_text(summary);
}

TEST(Summary, CountsNotebooksCellsAndOutputs) {
  EXPECT_EQ(text_of({}), "0 notebooks, 0 cells, 0 outputs: 0 equal");
  EXPECT_EQ(text_of({test::sample()}), "1 notebook, 3 cells, 2 outputs: 2 equal");
  EXPECT_EQ(text_of({test::sample(), test::sample(true)}),
            "2 notebooks, 6 cells, 4 outputs: 3 equal, 1 different");
}

TEST(Summary, CountsCellsThatDidNotRun) {
  EXPECT_EQ(text_of({test::sample_that_threw()}),
            "1 notebook, 3 cells, 1 output: 0 equal, 1 threw, 1 cell not run");
}

TEST(Summary, CountsOutputsThatTheTwinLacksBecauseItRaisedOrEnded) {
  auto run = test::sample();
  run.judgements.at(2) = {.verdict = golden::Verdict::threw, .raised = "sample.py:7: ValueError: no"};
  run.judgements.erase(3);
  EXPECT_EQ(text_of({run}), "1 notebook, 3 cells, 2 outputs: 0 equal, 1 threw, 1 cell not run");
}

TEST(Summary, CountsWhatIsNotPortedApart) {
  auto run = test::sample_not_ported();
  EXPECT_EQ(text_of({run}), "1 notebook, 3 cells, 2 outputs: 1 equal, 1 not ported");
  run.judgements.at(2).golden_has_output = false;
  EXPECT_EQ(text_of({run}), "1 notebook, 3 cells, 1 output: 1 equal, 1 not ported");
  run.judgements[2].carried = {"x", "the generator"};
  EXPECT_EQ(text_of({run}),
            "1 notebook, 3 cells, 1 output: 1 equal, 1 not ported (1 with values carried from Python)");
  EXPECT_FALSE(golden::passes(run, golden::Accept::printed));
}

TEST(Summary, CountsWhatIsAsExpectedApartAndPassesIt) {
  using golden::ExceptionKind;
  const auto true_ones = {test::sample_excepted(ExceptionKind::differs, true),
                          test::sample_excepted(ExceptionKind::picture, true),
                          test::sample_excepted(ExceptionKind::not_ported, true)};
  EXPECT_EQ(
      text_of(true_ones),
      "3 notebooks, 9 cells, 6 outputs: 3 equal; as expected: 1 different, 1 not compared, 1 not ported");
  for (const auto& one : true_ones) EXPECT_TRUE(golden::passes(one, golden::Accept::equal));
  EXPECT_EQ(text_of({test::sample_excepted(ExceptionKind::varies, true)}),
            "1 notebook, 3 cells, 2 outputs: 1 equal; as expected: 1 equal");
  const auto differs = test::sample_excepted(ExceptionKind::differs, true);
  test::expect_part(text_of({differs, differs}), "; as expected: 2 different");
  const auto untrue = test::sample_excepted(ExceptionKind::differs, false);
  EXPECT_EQ(text_of({untrue}), "1 notebook, 3 cells, 2 outputs: 2 equal, 1 exception no longer true");
  EXPECT_EQ(text_of({untrue, untrue}),
            "2 notebooks, 6 cells, 4 outputs: 4 equal, 2 exceptions no longer true");
  EXPECT_FALSE(golden::passes(untrue, golden::Accept::printed));
}

TEST(Summary, CountsNotebooksThatWereNotJudgedWithoutTheirCells) {
  EXPECT_EQ(text_of({test::sample(), test::sample_not_judged()}),
            "2 notebooks, 3 cells, 2 outputs: 2 equal, 1 notebook not judged");
  EXPECT_EQ(text_of({test::sample_not_judged(), test::sample_not_judged()}),
            "2 notebooks, 0 cells, 0 outputs: 0 equal, 2 notebooks not judged");
}

TEST(Summary, ARunPassesOnlyIfNothingDiffersAndAllRan) {
  using golden::Accept;
  EXPECT_TRUE(golden::passes(test::sample(), Accept::equal));
  EXPECT_FALSE(golden::passes(test::sample(true), Accept::equal));
  for (const auto& one :
       {test::sample_that_threw(), test::sample_whose_twin_raised(), test::sample_not_judged()}) {
    EXPECT_FALSE(golden::passes(one, Accept::printed));
  }
  golden::JudgedTranscript not_run = test::sample();
  not_run.judgements.erase(1);
  EXPECT_FALSE(golden::passes(not_run, Accept::equal));
}

TEST(Summary, CountsWhatIsEqualAsPrintedAndPassesItWhereAccepted) {
  using golden::Accept;
  EXPECT_EQ(text_of({test::sample_of_other_bits()}),
            "1 notebook, 3 cells, 2 outputs: 1 equal, 1 equal as printed");
  EXPECT_EQ(text_of({test::sample_of_other_bits(), test::sample(true)}),
            "2 notebooks, 6 cells, 4 outputs: 2 equal, 1 equal as printed, 1 different");
  EXPECT_FALSE(golden::passes(test::sample_of_other_bits(), Accept::equal));
  EXPECT_TRUE(golden::passes(test::sample_of_other_bits(), Accept::printed));
  EXPECT_FALSE(golden::passes(test::sample(true), Accept::printed));
}

TEST(OutputsText, SaysHowManyAreEqual) {
  EXPECT_EQ(outputs_text({.equal = 3}, 3, "PyTorch"), "all 3 outputs equal PyTorch");
  EXPECT_EQ(outputs_text({.equal = 2}, 3, "PyTorch"), "2 of 3 outputs equal PyTorch");
  EXPECT_EQ(outputs_text({.equal = 1, .as_printed = 1, .expected = 1}, 3, "PyTorch"),
            "1 of 3 outputs equal PyTorch, 1 agrees as printed, 1 as expected does not");
  EXPECT_EQ(outputs_text({.equal = 1, .as_printed = 2, .expected = 2}, 5, "PyTorch"),
            "1 of 5 outputs equal PyTorch, 2 agree as printed, 2 as expected do not");
  Summary summary;
  for (const auto& run :
       {test::sample(), test::sample(true), test::sample(true), test::sample_of_other_bits(),
        test::sample_excepted(golden::ExceptionKind::differs, true)}) {
    summary.add(run);
  }
  EXPECT_EQ(outputs_text(summary.outputs, summary.outputs.all, "PyTorch"),
            "6 of 10 outputs equal PyTorch, 1 agrees as printed, 1 as expected does not");
}

TEST(Summary, CountsOnlyTheCellsAskedFor) {
  golden::JudgedTranscript one = test::sample();
  std::get<notebook::Cell>(one.transcript.items[0]).selected = false;
  std::get<notebook::Cell>(one.transcript.items[4]).selected = false;
  one.judgements.erase(1);
  one.judgements.erase(3);
  EXPECT_EQ(text_of({one}), "1 notebook, 1 cell, 1 output: 1 equal");
  EXPECT_TRUE(golden::passes(one, golden::Accept::equal));
}

}  // namespace
}  // namespace torchbook::report
