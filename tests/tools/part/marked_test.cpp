// Tests how differences are assigned to the parts of marked programs.
#include <gtest/gtest.h>
#include <tools/part/compared.h>
#include <tools/part/marked.h>

#include <string>
#include <vector>

namespace torchbook::trace_diff {
namespace {

using test::Compared;
using test::Floats;
using test::TraceBytes;
using Indices = std::set<std::size_t>;

const Floats factor{{1, 2}, 1};

/// Returns a trace that multiplies at one mark and adds at the next.
TraceBytes two_cells(const Floats& multiplied, const Floats& added) {
  TraceBytes trace;
  trace.mark("@1").operation("aten::mul", {factor}, {multiplied});
  trace.mark("@2").operation("aten::add", {multiplied}, {added});
  return trace;
}

const Floats multiplied{{2, 4}, 2};
const Floats added{{3, 5}, 3};

/// Returns the differences after a mark; nullptr if none are known.
const Marked* at(const std::map<std::uint32_t, Marked>& all, const Compared& both, std::string_view mark) {
  for (const auto& [number, marked] : all) {
    if (both.texts[number] == mark) return &marked;
  }
  return nullptr;
}

TEST(Marked, EqualTracesHaveNothing) {
  const Compared both(two_cells(multiplied, added).finish(), two_cells(multiplied, added).finish());
  EXPECT_TRUE(by_mark(both.here, both.there, both.comparison).empty());
}

TEST(Marked, ADifferenceArisesInOnePartAndIsFollowedInOthers) {
  const Compared both(two_cells(multiplied, added).finish(), two_cells({{2, 6}, 2}, {{3, 7}, 3}).finish());
  ASSERT_EQ(both.comparison.differences.size(), 1U);
  const auto all = by_mark(both.here, both.there, both.comparison);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(at(all, both, "@1")->arises, Indices{0});
  EXPECT_TRUE(at(all, both, "@1")->follows.empty());
  EXPECT_TRUE(at(all, both, "@2")->arises.empty());
  EXPECT_EQ(at(all, both, "@2")->follows, Indices{0});
}

TEST(Marked, WhatStandsBeforeTheFirstMarkHasNone) {
  const auto trace = [](const Floats& result) {
    TraceBytes one;
    one.operation("aten::mul", {factor}, {result}).mark("@1").finish();
    return one;
  };
  const Compared both(trace(multiplied), trace({{2, 6}, 2}));
  EXPECT_EQ(mark_of(both.here, both.there, both.comparison.differences.at(0)), 0U);
  EXPECT_EQ(by_mark(both.here, both.there, both.comparison).at(0).arises, Indices{0});
}

TEST(Marked, WhatOnlyTheOtherSideDidHasTheMarkThere) {
  TraceBytes there = two_cells(multiplied, added);
  there.mark("@3").operation("aten::neg", {added}, {{{-3, -5}, 4}}).finish();
  const Compared both(two_cells(multiplied, added).mark("@3").finish(), there);
  ASSERT_EQ(both.comparison.differences.size(), 1U);
  EXPECT_TRUE(both.comparison.differences[0].here.empty());
  EXPECT_EQ(both.texts[mark_of(both.here, both.there, both.comparison.differences[0])], "@3");
  const auto all = by_mark(both.here, both.there, both.comparison);
  ASSERT_NE(at(all, both, "@3"), nullptr);
  EXPECT_EQ(at(all, both, "@3")->arises, Indices{0});
}

TEST(Marked, WhatATraceThatWasCutOffLacksIsNoDifference) {
  const Floats other{{2, 6}, 2};
  TraceBytes cut_off;
  cut_off.mark("@1").operation("aten::mul", {factor}, {other});
  const Compared both(two_cells(multiplied, added).finish(), cut_off);
  const auto all = by_mark(both.here, both.there, both.comparison);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(at(all, both, "@1")->arises, Indices{0});
  EXPECT_EQ(both.comparison.differences.size(), 1U);
  EXPECT_EQ(both.comparison.not_compared, 1U);
  const Compared ended(two_cells(multiplied, added).finish(), cut_off.finish());
  EXPECT_EQ(by_mark(ended.here, ended.there, ended.comparison).size(), 2U);
}

TEST(Marked, AShownTensorTellsItsOperationOrItselfIfThereIsNone) {
  const auto trace = [](const Floats& result, float outside) {
    TraceBytes one;
    one.mark("@1").operation("aten::mul", {factor}, {result});
    one.mark("@2").shown("result", result);
    one.mark("@3").shown("first", {{outside}, 8}).shown("second", {{outside}, 9}).finish();
    return one;
  };
  const Compared both(trace(multiplied, 1), trace({{2, 6}, 2}, 5));
  const auto all = by_mark(both.here, both.there, both.comparison);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(at(all, both, "@2")->follows, Indices{0});
  EXPECT_EQ(at(all, both, "@2")->shown, nullptr);
  ASSERT_NE(at(all, both, "@3")->shown, nullptr);
  EXPECT_EQ(at(all, both, "@3")->shown->tensors.what, "first");
  EXPECT_TRUE(at(all, both, "@3")->follows.empty());
}

}  // namespace
}  // namespace torchbook::trace_diff
