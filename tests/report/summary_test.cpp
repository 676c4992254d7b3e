// Tests the counts at the end of a report.
#include <gtest/gtest.h>
#include <report/samples.h>
#include <torchbook/report/summary.h>

namespace torchbook::report {
namespace {

std::string text_of(std::initializer_list<golden::JudgedTranscript> runs) {
  Summary summary;
  for (const auto& run : runs) summary.add(run);
  return summary.text();
}

TEST(Summary, CountsNotebooksCellsAndOutputs) {
  EXPECT_EQ(text_of({}), "0 notebooks, 0 cells, 0 outputs: 0 equal");
  EXPECT_EQ(text_of({test::sample()}), "1 notebook, 3 cells, 2 outputs: 2 equal");
  EXPECT_EQ(text_of({test::sample(), test::sample(true)}),
            "2 notebooks, 6 cells, 4 outputs: 3 equal, 1 different");
}

TEST(Summary, CountsCellsThatDidNotRun) {
  EXPECT_EQ(text_of({test::sample_that_threw()}),
            "1 notebook, 3 cells, 0 outputs: 0 equal, 1 threw, 1 cell not run");
}

TEST(Summary, CountsWhatIsNotPortedApart) {
  auto run = test::sample_not_ported();
  EXPECT_EQ(text_of({run}), "1 notebook, 3 cells, 2 outputs: 1 equal, 1 not ported");
  run.judgements.at(2).golden_has_output = false;
  EXPECT_EQ(text_of({run}), "1 notebook, 3 cells, 1 output: 1 equal, 1 not ported");
  Summary summary;
  summary.add(run);
  EXPECT_FALSE(summary.all_pass(golden::Accept::printed));
}

TEST(Summary, CountsWhatIsAsExpectedApartAndPassesIt) {
  using golden::ExceptionKind;
  const auto true_ones = {test::sample_excepted(ExceptionKind::differs, true),
                          test::sample_excepted(ExceptionKind::picture, true),
                          test::sample_excepted(ExceptionKind::not_ported, true)};
  EXPECT_EQ(text_of(true_ones),
            "3 notebooks, 9 cells, 6 outputs: 3 equal, 1 differs as expected, 1 not compared, 1 not ported "
            "as expected");
  Summary summary;
  for (const auto& one : true_ones) summary.add(one);
  EXPECT_TRUE(summary.all_equal());
  summary.add(test::sample_excepted(ExceptionKind::differs, true));
  EXPECT_NE(summary.text().find(", 2 differ as expected"), std::string::npos) << summary.text();
  const auto untrue = test::sample_excepted(ExceptionKind::differs, false);
  EXPECT_EQ(text_of({untrue}), "1 notebook, 3 cells, 2 outputs: 2 equal, 1 exception no longer true");
  EXPECT_EQ(text_of({untrue, untrue}),
            "2 notebooks, 6 cells, 4 outputs: 4 equal, 2 exceptions no longer true");
  summary.add(untrue);
  EXPECT_FALSE(summary.all_pass(golden::Accept::printed));
}

TEST(Summary, CountsNotebooksThatWereNotJudgedWithoutTheirCells) {
  EXPECT_EQ(text_of({test::sample(), test::sample_not_judged()}),
            "2 notebooks, 3 cells, 2 outputs: 2 equal, 1 notebook not judged");
  EXPECT_EQ(text_of({test::sample_not_judged(), test::sample_not_judged()}),
            "2 notebooks, 0 cells, 0 outputs: 0 equal, 2 notebooks not judged");
}

TEST(Summary, IsEqualOnlyWhenNothingDiffersAndAllRan) {
  Summary equal;
  equal.add(test::sample());
  EXPECT_TRUE(equal.all_equal());
  Summary different;
  different.add(test::sample(true));
  EXPECT_FALSE(different.all_equal());
  golden::JudgedTranscript not_run = test::sample();
  not_run.judgements.erase(1);
  for (const auto& one :
       {test::sample_that_threw(), test::sample_whose_twin_raised(), test::sample_not_judged()}) {
    Summary summary;
    summary.add(one);
    EXPECT_FALSE(summary.all_pass(golden::Accept::printed));
  }
  Summary stopped;
  stopped.add(not_run);
  EXPECT_FALSE(stopped.all_equal());
}

TEST(Summary, CountsWhatIsEqualAsPrintedAndPassesItWhereAccepted) {
  EXPECT_EQ(text_of({test::sample_of_other_bits()}),
            "1 notebook, 3 cells, 2 outputs: 1 equal, 1 equal as printed");
  EXPECT_EQ(text_of({test::sample_of_other_bits(), test::sample(true)}),
            "2 notebooks, 6 cells, 4 outputs: 2 equal, 1 equal as printed, 1 different");
  Summary summary;
  summary.add(test::sample_of_other_bits());
  EXPECT_FALSE(summary.all_equal());
  EXPECT_FALSE(summary.all_pass(golden::Accept::equal));
  EXPECT_TRUE(summary.all_pass(golden::Accept::printed));
  summary.add(test::sample(true));
  EXPECT_FALSE(summary.all_pass(golden::Accept::printed));
}

TEST(Summary, CountsOnlyTheCellsAskedFor) {
  golden::JudgedTranscript one = test::sample();
  std::get<notebook::Cell>(one.transcript.items[0]).selected = false;
  std::get<notebook::Cell>(one.transcript.items[4]).selected = false;
  one.judgements.erase(1);
  one.judgements.erase(3);
  EXPECT_EQ(text_of({one}), "1 notebook, 1 cell, 1 output: 1 equal");
}

}  // namespace
}  // namespace torchbook::report
