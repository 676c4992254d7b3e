// Tests how the differences between the traces of a run and its twin are assigned to cells.
#include <gtest/gtest.h>
#include <report/samples.h>
#include <tools/part/compared.h>
#include <tools/part/description.h>
#include <tools/part/trace_bytes.h>

#include <string>
#include <vector>

namespace torchbook::test {
namespace {

using trace_diff::test::Floats;
using trace_diff::test::TraceBytes;
using Lines = std::vector<std::string>;

const Floats x{{1, 2}, 1};
const Floats product{{2, 4}, 2};
const Floats other_product{{2, 6}, 2};

/// Returns the sample notebook with `verdict` on its last two cells, and with the differences of
/// the traces.
golden::JudgedTranscript told(const TraceBytes& ours, const TraceBytes& theirs,
                              golden::Verdict verdict = golden::Verdict::different) {
  auto judged = sample();
  judged.judgements.at(2).verdict = verdict;
  judged.judgements.at(3).verdict = verdict;
  trace_diff::Texts texts;
  const std::string here_bytes = ours.bytes();
  const std::string there_bytes = theirs.bytes();
  const auto here = trace_diff::read_trace(here_bytes, texts);
  const auto there = trace_diff::read_trace(there_bytes, texts);
  const auto comparison = trace_diff::compare(here, there, texts);
  const trace_diff::ComparedTraces traces{
      .here = here,
      .there = there,
      .texts = texts,
      .comparison = comparison,
      .places = {{"@2", {"In [7] (@2)", "sample.cpp:9"}},
                 {"restored before @2", {"the state restored before @2", ""}}}};
  const bool threw = verdict == golden::Verdict::threw;
  for (auto& [position, partings] : trace_diff::partings_of(traces, {{2, threw}, {3, threw}}))
    judged.judgements.at(position).partings = std::move(partings);
  return judged;
}

/// Returns a trace whose second cell multiplies and whose third adds to that.
TraceBytes cells(const Floats& result, float sum) {
  TraceBytes trace;
  trace.mark("@1").mark("@2").operation("aten::mul", {x}, {result});
  trace.mark("@3").operation("aten::add", {result}, {{{sum}, 3}});
  return trace;
}

Lines headings(const golden::JudgedTranscript& judged, std::size_t position) {
  Lines lines;
  for (const auto& one : judged.judgements.at(position).partings) lines.push_back(one.lines.at(0));
  return lines;
}

TEST(CellPartings, TheFirstCellIsToldWholeAndLaterOnesInALine) {
  const auto judged = told(cells(product, 6).finish(), cells(other_product, 8).finish());
  const auto& partings = judged.judgements.at(2).partings;
  ASSERT_EQ(partings.size(), 1U);
  EXPECT_EQ(partings[0].kind, "kernel");
  EXPECT_EQ(partings[0].what, "mul gives other bits of the same input");
  EXPECT_EQ(partings[0].from, "");
  ASSERT_EQ(partings[0].here.size(), 1U);
  EXPECT_EQ(partings[0].here[0].number, 1U);
  EXPECT_EQ(partings[0].here[0].name, "aten::mul");
  EXPECT_EQ(partings[0].here[0].line, "net.py:1");
  ASSERT_GT(partings[0].lines.size(), 3U);
  EXPECT_EQ(partings[0].lines[0],
            "same operation, same input, other output: mul gives other bits of the same input");
  EXPECT_EQ(partings[0].lines[1], "  here      operation 1, In [7] (@2), net.py:1");
  EXPECT_EQ(judged.judgements.at(3).partings.at(0).from, "@2");
  EXPECT_EQ(
      judged.judgements.at(3).partings[0].lines,
      Lines{"follows from In [7] (@2): same operation, same input, other output: mul gives other bits of "
            "the same input"});
}

TEST(CellPartings, IfNoOperationDiffersOnlyTheTextDoes) {
  const auto judged = told(cells(product, 6).finish(), cells(product, 6).finish());
  EXPECT_EQ(headings(judged, 2),
            Lines{"all operations of the cell gave the same bits; only its text differs"});
  EXPECT_EQ(judged.judgements.at(2).partings[0].kind, "text");
  const auto cut_off = told(cells(product, 6), cells(product, 6).finish());
  EXPECT_EQ(headings(cut_off, 2),
            Lines{"no operation of the cell is known to differ, but a trace was cut off"});
}

TEST(CellPartings, ACellThatThrewIsNotToldThatItsTextDiffers) {
  const auto judged = told(cells(product, 6).finish(), cells(product, 6).finish(), golden::Verdict::threw);
  EXPECT_TRUE(judged.judgements.at(2).partings.empty());
  const auto differs =
      told(cells(product, 6).finish(), cells(other_product, 8).finish(), golden::Verdict::threw);
  EXPECT_EQ(differs.judgements.at(2).partings.size(), 1U);
}

TEST(CellPartings, AShownTensorThatNoOperationGaveIsNamed) {
  const auto judged = told(cells(product, 6).shown("out 1", {{7}, 9}).finish(),
                           cells(product, 6).shown("out 1", {{8}, 9}).finish());
  EXPECT_EQ(headings(judged, 3), Lines{"other argument: out 1 differs, and no operation gave it"});
  EXPECT_EQ(headings(judged, 2),
            Lines{"all operations of the cell gave the same bits; only its text differs"});
}

TEST(CellPartings, DifferencesOfRestoredStateAndOfWhatRanBeforeHaveTheirNames) {
  const auto from = [](const std::string& mark) {
    const auto trace = [&](const Floats& result, float sum) {
      TraceBytes one;
      if (!mark.empty()) one.mark(mark);
      one.operation("aten::mul", {x}, {result});
      one.mark("@3").operation("aten::add", {result}, {{{sum}, 3}}).finish();
      return one;
    };
    return headings(told(trace(product, 6), trace(other_product, 8)), 3).at(0).substr(0, 50);
  };
  EXPECT_EQ(from("restored before @2"), "follows from the state restored before @2: same op");
  EXPECT_EQ(from(""), "follows from what ran before: same operation, same");
}

TEST(CellPartings, ADifferenceOfOneSideArisesInItsCell) {
  auto there = cells(product, 6);
  there.operation("aten::neg", {{{6}, 3}}, {{{-6}, 4}});
  const auto judged = told(cells(product, 6).finish(), there.finish());
  EXPECT_EQ(headings(judged, 3), Lines{"other operations: only there: neg"});
  EXPECT_EQ(judged.judgements.at(3).partings.at(0).from, "");
}

TEST(CellPartings, WhatATraceThatWasCutOffLacksIsNoDifference) {
  TraceBytes cut_off;
  cut_off.mark("@1").mark("@2").operation("aten::mul", {x}, {other_product});
  const trace_diff::test::Compared both(cells(product, 6).finish(), cut_off);
  EXPECT_EQ(both.comparison.differences.size(), 1U);
  EXPECT_EQ(both.comparison.not_compared, 1U);
  EXPECT_EQ(headings(told(cells(product, 6).finish(), cut_off), 3),
            Lines{"no operation of the cell is known to differ, but a trace was cut off"});
}

TEST(CellPartings, OfManyDifferencesACellIsToldThree) {
  const auto trace = [](float added) {
    TraceBytes one;
    one.mark("@2");
    for (std::uint32_t i = 0; i < 5; ++i) {
      const auto value = static_cast<float>(i);
      one.operation("aten::mul" + std::to_string(i), {{{value}, 10 + i}}, {{{value + added}, 20 + i}});
    }
    one.finish();
    return one;
  };
  const auto judged = told(trace(1), trace(2));
  EXPECT_EQ(judged.judgements.at(2).partings.size(), 3U);
  EXPECT_EQ(judged.judgements.at(2).partings.back().lines.back(), "and 2 more");
}

TEST(CellPartings, OfManyOperationsSixteenAreNamed) {
  TraceBytes here;
  TraceBytes there;
  here.mark("@2");
  there.mark("@2");
  for (std::uint32_t i = 0; i < 20; ++i) {
    const auto value = static_cast<float>(i);
    here.operation("aten::neg", {{{value}, i + 1}}, {{{value + 1}, i + 2}});
    there.operation("aten::exp", {{{value}, i + 1}}, {{{value + (i == 19 ? 2.F : 1.F)}, i + 2}});
  }
  const auto judged = told(here.finish(), there.finish());
  ASSERT_FALSE(judged.judgements.at(2).partings.empty());
  EXPECT_EQ(judged.judgements.at(2).partings[0].here.size(), 16U);
}

/// Returns the unshown_words() of two finished traces.
std::string unshown(TraceBytes ours, TraceBytes theirs) {
  const trace_diff::test::Compared both(ours.finish(), theirs.finish());
  return trace_diff::unshown_words(
      {.here = both.here, .there = both.there, .texts = both.texts, .comparison = both.comparison});
}

TEST(CellPartings, WhatNoCellShowsIsTheFirstOutputThatOnlyOneSideHas) {
  const auto with = [](float other) { return cells(product, 6).operation("aten::exp", {x}, {{{other}, 9}}); };
  EXPECT_EQ(unshown(cells(product, 6), cells(product, 6)), "");
  EXPECT_EQ(unshown(cells(product, 6), with(7)),
            "from @3 on the operations differ: only exp there (net.py:3)");
  EXPECT_EQ(unshown(with(7), cells(product, 6)),
            "from @3 on the operations differ: only exp here (net.py:3)");
  EXPECT_EQ(unshown(with(6), cells(product, 6)), "");  // in another order, say
}

}  // namespace
}  // namespace torchbook::test
