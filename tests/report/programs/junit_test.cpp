// Tests the report for CI servers as text. tests/cli/junit_test.py reads real ones with a parser.
#include <gtest/gtest.h>
#include <report/samples.h>
#include <support/texts.h>
#include <torchbook/report/programs/junit.h>

#include <vector>

namespace torchbook::report {
namespace {

std::string report_of(const golden::JudgedTranscript& judged, golden::Accept accept = golden::Accept::equal) {
  return junit_report(std::vector{judged}, accept, test::sample_fingerprint());
}

constexpr const char* properties = R"(
    <properties>
      <property name="document" value="000.txt" />
      <property name="torch" value="LibTorch 1.13.1" />
      <property name="build" value="GCC 12.2, &quot;-O2&quot;" />
      <property name="cpu_capability" value="AVX2" />
      <property name="onednn" value="AVX512_CORE" />
      <property name="blas" value="libopenblas.so.0" />
      <property name="threads" value="2" />
      <property name="compiler" value="g++ 12.2.0" />
    </properties>)";

TEST(Junit, HasASuiteANotebookAndACaseACell) {
  EXPECT_EQ(report_of(test::sample(true)), R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="torchbook" tests="3" failures="1" errors="0" skipped="0">
  <testsuite name="sample" tests="3" failures="1" errors="0" skipped="0">)" +
                                               std::string(properties) + R"(
    <testcase classname="torchbook.sample" name="@1 In [3]" />
    <testcase classname="torchbook.sample" name="@2 In [7]">
      <failure message="different: line 2 of its stdout" type="different">  line 2 of its stdout:
    golden  B
    here    b
            ^
</failure>
    </testcase>
    <testcase classname="torchbook.sample" name="@3 In [None]" />
  </testsuite>
</testsuites>
)");
}

TEST(Junit, HasAnErrorForACellThatThrewAndSkipsWhatDidNotRun) {
  EXPECT_EQ(report_of(test::sample_that_threw()), R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="torchbook" tests="3" failures="0" errors="1" skipped="1">
  <testsuite name="sample" tests="3" failures="0" errors="1" skipped="1">)" +
                                                      std::string(properties) + R"(
    <testcase classname="torchbook.sample" name="@1 In [3]" />
    <testcase classname="torchbook.sample" name="@2 In [7]">
      <error message="boom" type="threw">  boom
</error>
    </testcase>
    <testcase classname="torchbook.sample" name="@3 In [None]">
      <skipped message="not run: something before it threw" />
    </testcase>
  </testsuite>
</testsuites>
)");
}

TEST(Junit, SkipsWhatIsAsExpected) {
  const auto report = report_of(test::sample_excepted(golden::ExceptionKind::picture, true));
  test::expect_part(report, "tests=\"3\" failures=\"0\" errors=\"0\" skipped=\"1\"");
  test::expect_part(report, "name=\"@2 In [7]\">\n      <skipped message=\"");
}

TEST(Junit, HasAnErrorForACellWhoseTwinRaised) {
  const auto report = report_of(test::sample_whose_twin_raised());
  test::expect_part(report, "<error message=\"PyTorch: sample.py:7: ValueError: no\" type=\"threw\">");
  test::expect_part(report, "tests=\"3\" failures=\"0\" errors=\"1\" skipped=\"1\"");
}

TEST(Junit, HasOneErrorForANotebookThatWasNotJudged) {
  const auto report = report_of(test::sample_not_judged());
  test::expect_part(report,
                    "<testcase classname=\"torchbook.sample\" name=\"notebook\">\n"
                    "      <error message=\"sample.txt:4: expected a cell's &lt;heading>\" "
                    "type=\"not-judged\">");
  test::expect_part(report, "tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\"");
}

TEST(Junit, HasACaseForARestoredStateOfTheTwinThatRaised) {
  auto judged = test::sample_whose_twin_raised();
  judged.restored_errors = {"sample.py:1: KeyError: 'x'"};
  const auto report = report_of(judged);
  test::expect_part(report,
                    "name=\"restored state\">\n      <error message=\"PyTorch: sample.py:1: KeyError: ");
}

TEST(Junit, FailsWhatIsEqualAsPrintedUnlessThatIsAccepted) {
  const auto judged = test::sample_of_other_bits();
  test::expect_part(report_of(judged),
                    "<failure message=\"equal-as-printed: tensor 1 of its result, element [0, 1]: "
                    "recording 1.0, here 1.0000001\" type=\"equal-as-printed\">");
  EXPECT_EQ(report_of(judged, golden::Accept::printed).find("<failure"), std::string::npos);
  EXPECT_NE(report_of(test::sample(true), golden::Accept::printed).find("<failure"), std::string::npos);
}

TEST(Junit, ShowsRestoredStateThatThrewAsACase) {
  golden::JudgedTranscript judged = test::sample();
  std::get<notebook::Restored>(judged.transcript.items[2]).error = "no state";
  judged.judgements.erase(2);
  judged.judgements.erase(3);
  const auto report = report_of(judged);
  test::expect_part(report, "name=\"restored state\">\n      <error message=\"no state\" type=\"threw\">");
  test::expect_part(report, "tests=\"4\" failures=\"0\" errors=\"1\" skipped=\"2\"");
}

TEST(Junit, LeavesOutCellsThatWereNotAskedForUnlessTheyThrew) {
  golden::JudgedTranscript judged = test::sample();
  std::get<notebook::Cell>(judged.transcript.items[3]).selected = false;
  judged.judgements.erase(2);
  EXPECT_EQ(report_of(judged).find("In [7]"), std::string::npos);
  std::get<notebook::Cell>(judged.transcript.items[3]).error = "boom";
  judged.judgements.erase(3);
  test::expect_part(report_of(judged), "In [7]\">\n      <error message=\"boom\"");
}

/// Returns the message of the only error in the report on a cell that threw this text.
std::string message_of(const std::string& what) {
  golden::JudgedTranscript judged = test::sample_that_threw();
  std::get<notebook::Cell>(judged.transcript.items[3]).error = what;
  const auto report = report_of(judged);
  const std::string before = "<error message=\"";
  const auto start = report.find(before) + before.size();
  return report.substr(start, report.find("\" type", start) - start);
}

TEST(Junit, ShowsWhatXmlCannotHold) {
  using namespace std::string_literals;
  EXPECT_EQ(message_of("\x1b[31m\x01\0\x7f"s), "␛[31m␁␀␡");
  EXPECT_EQ(message_of("a\xff\ufffe"), "a&lt;0xFF>&lt;U+FFFE>");
  EXPECT_EQ(message_of("größe ∑ 𝄞"), "größe ∑ 𝄞");
  EXPECT_EQ(message_of("<a & \"b\""), "&lt;a &amp; &quot;b&quot;");
}

}  // namespace
}  // namespace torchbook::report
