// Tests the page that shows two traces side by side, and that no text of a trace can become part of its code.
#include <gtest/gtest.h>
#include <support/texts.h>
#include <tools/part/compared_traces.h>
#include <tools/part/trace_bytes.h>
#include <tools/site/site.h>
#include <torchbook/report/terminal/terminal.h>

#include <string>

namespace torchbook::report {
namespace {

using part::test::Floats;
using part::test::TraceBytes;

const Floats x{{1, 2}, 1};
const Floats y{{2, 4}, 2};
const Floats z{{3, 5}, 3};
const std::string hostile = "aten::</td><script>alert('1')</script>\x1b[31m";

/// Both reports on two traces that differ in their last value.
struct Reports {
  explicit Reports(const std::string& name) {
    TraceBytes ours;
    ours.operation("aten::mul", {x}, {y}).operation(name, {y}, {z}).finish();
    TraceBytes theirs;
    theirs.operation("aten::mul", {x}, {y}).operation(name, {y}, {{{3, 6}, 3}}).finish();
    part::Texts texts;
    const part::ReadTrace here = part::read_trace(ours.bytes(), texts);
    const part::ReadTrace there = part::read_trace(theirs.bytes(), texts);
    const part::TraceComparison comparison = part::compare(here, there, texts);
    const ComparedTraces traces{.here = here,
                                .there = there,
                                .texts = texts,
                                .comparison = comparison,
                                .here_name = "here.trace",
                                .there_name = "there.trace"};
    page = traces_html(traces);
    text = traces_text(traces, false);
  }

  std::string page;
  std::string text;
};

TEST(ComparedTracesPage, HasARowForEachOperationAndTellsTheDifference) {
  const Reports reports("aten::add");
  test::expect_part(reports.page, "add gives other bits of the same input");
  test::expect_part(reports.page, "net.py:1");
  test::expect_part(reports.page, "net.py:2");
}

TEST(ComparedTracesPage, EscapesWhatATraceHolds) {
  const Reports reports(hostile);
  EXPECT_EQ(reports.page.find("<script>alert"), std::string::npos);
  EXPECT_EQ(reports.page.find('\x1b'), std::string::npos);
  test::expect_part(reports.page, "&lt;script&gt;alert");
}

TEST(ComparedTracesText, PicturesWhatATraceHolds) {
  const Reports reports(hostile);
  EXPECT_EQ(reports.text.find('\x1b'), std::string::npos);
  test::expect_part(reports.text, "␛[31m");
}

}  // namespace
}  // namespace torchbook::report
