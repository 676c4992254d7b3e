// Tests the comparison with hand-written traces.
#include <gtest/gtest.h>
#include <tools/part/compared.h>
#include <tools/part/description.h>
#include <tools/part/difference.h>

#include <limits>
#include <string>

namespace torchbook::trace_diff {
namespace {

using test::Floats;
using test::TraceBytes;

TraceComparison compared(const TraceBytes& here, const TraceBytes& there) {
  return test::Compared(here, there).comparison;
}

const Floats x{{1, 2}, 1};
const Floats y{{2, 4}, 2};
const Floats z{{3, 5}, 3};

TraceBytes two_operations() {
  TraceBytes trace;
  trace.operation("aten::mul", {x}, {y}).operation("aten::add", {y}, {z}).finish();
  return trace;
}

TraceBytes shown_operations() {
  TraceBytes trace;
  return trace.operation("aten::mul", {x}, {y}).operation("aten::add", {y}, {z}).shown("z", z);
}

TEST(Comparison, EqualTracesDoNotPart) {
  const TraceComparison comparison = compared(two_operations(), two_operations());
  EXPECT_TRUE(comparison.differences.empty());
  EXPECT_EQ(comparison.pairs, 2U);
  EXPECT_EQ(comparison.differing, 0U);
}

TEST(Comparison, AnotherInputIsTheCause) {
  TraceBytes there;
  there.operation("aten::mul", {{{1, 3}, 1}}, {{{2, 6}, 2}})
      .operation("aten::add", {{{2, 6}, 2}}, {{{3, 7}, 3}})
      .finish();
  const TraceComparison comparison = compared(two_operations(), there);
  ASSERT_EQ(comparison.differences.size(), 1U);
  EXPECT_EQ(comparison.differences[0].kind, Kind::argument);
  EXPECT_EQ(comparison.differences[0].what, "argument 1 of mul differs");
  ASSERT_EQ(comparison.differences[0].followers.size(), 1U);
  EXPECT_EQ(comparison.differences[0].followers[0].here, 1U);
}

TEST(Comparison, OtherBitsOfTheSameInputAreTheKernels) {
  TraceBytes there;
  there.operation("aten::mul", {x}, {{{2, 6}, 2}})
      .operation("aten::add", {{{2, 6}, 2}}, {{{3, 7}, 3}})
      .finish();
  const TraceComparison comparison = compared(two_operations(), there);
  ASSERT_EQ(comparison.differences.size(), 1U);
  EXPECT_EQ(comparison.differences[0].kind, Kind::kernel);
  EXPECT_EQ(comparison.differing, 2U);
}

TEST(Comparison, AnotherScalarIsAnotherOperation) {
  TraceBytes there;
  there.operation("aten::mul", {x}, {{{3, 6}, 2}}, 3)
      .operation("aten::add", {{{3, 6}, 2}}, {{{4, 7}, 3}})
      .finish();
  const TraceComparison comparison = compared(two_operations(), there);
  ASSERT_EQ(comparison.differences.size(), 1U);
  EXPECT_EQ(comparison.differences[0].kind, Kind::argument);
  EXPECT_EQ(comparison.differences[0].what, "argument 2 of mul is 1.0 here and 3.0 there");
}

TEST(Comparison, ArgumentsAreNamedAsTheTraceNamesThem) {
  const auto what = [](std::string_view names) {
    TraceBytes here;
    here.arguments("aten::mul", names).operation("aten::mul", {x}, {y}).finish();
    TraceBytes there;
    there.operation("aten::mul", {x}, {{{3, 6}, 2}}, 3).finish();
    return compared(here, there).differences.at(0).what;
  };
  EXPECT_EQ(what("self,other"), "argument other of mul is 1.0 here and 3.0 there");
  EXPECT_EQ(what("self"), "argument 2 of mul is 1.0 here and 3.0 there");
  EXPECT_EQ(what(",,"), "argument 2 of mul is 1.0 here and 3.0 there");
}

TEST(Comparison, AScalarThatChangesNothingIsNoDifference) {
  TraceBytes there;
  there.operation("aten::mul", {x}, {y}, 7).operation("aten::add", {y}, {z}).finish();
  EXPECT_TRUE(compared(two_operations(), there).differences.empty());
}

TEST(Comparison, OtherOperationsWithTheSameResultHaveNoEffect) {
  TraceBytes there;
  there.operation("aten::pow", {x}, {y}).operation("aten::add", {y}, {z}).finish();
  const TraceComparison comparison = compared(two_operations(), there);
  EXPECT_TRUE(comparison.differences.empty());
  ASSERT_EQ(comparison.without_effect.size(), 1U);
}

TEST(Comparison, AnOperationOfOneSideIsTheCauseIfSomethingTakesItsResult) {
  TraceBytes there;
  there.operation("aten::mul", {x}, {y})
      .operation("aten::neg", {y}, {{{-2, -4}, 4}})
      .operation("aten::add", {{{-2, -4}, 4}}, {{{-1, -3}, 3}})
      .finish();
  const TraceComparison comparison = compared(two_operations(), there);
  ASSERT_EQ(comparison.differences.size(), 1U);
  EXPECT_EQ(comparison.differences[0].what, "only there: neg");
}

TEST(Comparison, AnotherLastOperationIsADifference) {
  TraceBytes there;
  there.operation("aten::mul", {x}, {y}).operation("aten::sub", {y}, {{{1, 3}, 3}}).finish();
  const TraceComparison comparison = compared(two_operations(), there);
  ASSERT_EQ(comparison.differences.size(), 1U);
  EXPECT_EQ(comparison.differences[0].what, "add here, sub there");
}

TEST(Comparison, WhatReachesNothingSharedOrShownIsNoDifference) {
  TraceBytes there = shown_operations();
  there.operation("aten::exp", {y}, {{{7, 8}, 4}}).finish();
  EXPECT_TRUE(compared(shown_operations().finish(), there).differences.empty());
  TraceBytes nothing_shown;
  nothing_shown.operation("aten::mul", {x}, {y}).operation("aten::add", {y}, {z});
  nothing_shown.operation("aten::exp", {y}, {{{7, 8}, 4}}).finish();
  EXPECT_EQ(compared(two_operations(), nothing_shown).differences.size(), 1U);
}

TEST(Comparison, ATensorThatOneSideMadeAndNothingTookIsNoDifference) {
  TraceBytes there;
  there.operation("aten::mul", {x}, {y}).operation("aten::add", {y}, {z});
  there.operation("aten::randperm", {}, {{{1, 0}, 9}}).finish();
  const TraceComparison comparison = compared(two_operations(), there);
  EXPECT_TRUE(comparison.differences.empty());
  EXPECT_EQ(comparison.without_effect.size(), 1U);
}

TEST(Comparison, KernelsArePairedThoughOneSideHasMoreOfThem) {
  const auto trace = [](float spoiled, int others) {
    TraceBytes bytes;
    bytes.operation("aten::tanh", {x}, {{{spoiled, 2}, 2}}).operation("aten::exp", {z}, {{{spoiled, 5}, 4}});
    for (int i = 0; i < others; ++i) bytes.operation("aten::exp", {{{0, 9}, 5}}, {{{1, 9}, 6}});
    return bytes.finish();
  };
  const TraceComparison comparison = compared(trace(1, 2), trace(3, 1));
  ASSERT_EQ(comparison.differences.size(), 2U);
  EXPECT_EQ(comparison.differences[0].what, "tanh gives other bits of the same input");
  EXPECT_EQ(comparison.differences[1].what, "exp gives other bits of the same input");
}

TEST(Comparison, AsMuchAsAboveAllowsIsEqual) {
  const auto trace = [](float result) {
    TraceBytes bytes;
    bytes.operation("aten::mul", {x}, {{{result, 2}, 2}}).finish();
    return bytes;
  };
  const auto differ = [&](const Above& above) {
    const test::Compared both(trace(1), trace(1.0000002F), above);  // two ulps
    return both.comparison.differences.size();
  };
  EXPECT_EQ(differ({}), 1U);
  EXPECT_EQ(differ({.ulps = 1}), 1U);
  EXPECT_EQ(differ({.ulps = 2}), 0U);
  EXPECT_EQ(differ({.rtol = 1e-7}), 1U);
  EXPECT_EQ(differ({.rtol = 1e-6}), 0U);
  const test::Compared nan(trace(1), trace(std::numeric_limits<float>::quiet_NaN()), {.rtol = 9});
  EXPECT_EQ(nan.comparison.differences.size(), 1U);
}

TEST(Comparison, SeveralKernelsAreNamedFirst) {
  const auto program = [](float tanh, float exp) {
    TraceBytes trace;
    trace.operation("aten::tanh", {x}, {{{tanh, 1}, 4}});
    for (const float more : {0.F, 1.F})
      trace.operation("aten::exp", {{{2 + more, 2}, 5}}, {{{exp + more, 2}, 6}});
    return trace.finish();
  };
  const auto both = [&](const TraceBytes& ours) {
    const test::Compared traces(ours, program(3, 4));
    return traces_text(
        {.here = traces.here, .there = traces.there, .texts = traces.texts, .comparison = traces.comparison},
        /*colour=*/false);
  };
  EXPECT_NE(
      both(program(5, 6))
          .find("\n\nKernels that give other bits of the same input: exp in 2 calls, tanh in 1 call.\n\n"),
      std::string::npos);
  EXPECT_EQ(both(program(5, 4)).find("Kernels that"), std::string::npos) << "it is one, whose lines follow";
}

TEST(Comparison, TwoCausesAreBothFound) {
  TraceBytes there;
  there.operation("aten::mul", {x}, {{{3, 6}, 2}}, 3).operation("aten::add", {{{3, 6}, 2}}, {{{5, 8}, 3}});
  there.operation("aten::exp", {{{9, 9}, 8}}, {{{1, 1}, 9}}).finish();
  TraceBytes here;
  here.operation("aten::mul", {x}, {y})
      .operation("aten::add", {y}, {z})
      .operation("aten::exp", {{{9, 9}, 8}}, {{{1, 2}, 9}})
      .finish();
  const TraceComparison comparison = compared(here, there);
  ASSERT_EQ(comparison.differences.size(), 2U);
  EXPECT_EQ(comparison.differences[0].kind, Kind::kernel);
  EXPECT_EQ(comparison.differences[1].kind, Kind::argument);
}

TEST(Comparison, FillingFreshMemoryReadsNothing) {
  const auto trace = [](float garbage) {
    TraceBytes bytes;
    bytes.operation("aten::empty.memory_format", {}, {{{garbage, 0}, 1}});
    bytes.operation("aten::fill_.Scalar", {{{garbage, 0}, 1}}, {{{1, 1}, 1}})
        .operation("aten::add", {{{1, 1}, 1}}, {z})
        .finish();
    return bytes;
  };
  EXPECT_TRUE(compared(trace(5), trace(6)).differences.empty());
}

}  // namespace
}  // namespace torchbook::trace_diff
