// Tests the reasons why tensors that both programs showed differ, with hand-written traces.
#include <gtest/gtest.h>
#include <tools/part/compared.h>

namespace torchbook::trace_diff {
namespace {

using test::Compared;
using test::Floats;
using test::TraceBytes;

const Floats taken{{1, 2}, 1};
const Floats given{{2, 4}, 2};
const Floats other_given{{2, 6}, 2};

/// Returns a trace of one product.
TraceBytes run_giving(const Floats& result) {
  TraceBytes trace;
  trace.operation("aten::mul", {taken}, {result});
  return trace;
}

TEST(Shown, EqualBitsAreNoDifference) {
  const Compared both(run_giving(given).shown("y", given).finish(),
                      run_giving(given).shown("y", given).finish());
  EXPECT_TRUE(both.comparison.shown.empty());
}

TEST(Shown, TheOperationThatWroteItIsTheReason) {
  const Compared both(run_giving(given).mark("@1").shown("y", given).finish(),
                      run_giving(other_given).mark("@1").shown("y", other_given).finish());
  ASSERT_EQ(both.comparison.shown.size(), 1U);
  const auto& shown = both.comparison.shown[0];
  EXPECT_EQ(shown.difference, 1U);
  EXPECT_EQ(both.texts[shown.mark], "@1");
  EXPECT_EQ(both.comparison.differences.at(0).kind, Kind::kernel);
}

TEST(Shown, ACopyLeadsToWhatWasCopied) {
  const auto copied = [](const Floats& result) {
    return run_giving(result)
        .operation("aten::clone", {result}, {{result.values, 3}})
        .shown("copy", {result.values, 3})
        .finish();
  };
  const Compared both(copied(given), copied(other_given));
  ASSERT_EQ(both.comparison.shown.size(), 1U);
  EXPECT_EQ(both.comparison.shown[0].difference, 1U);
}

TEST(Shown, WhatNoOperationGaveIsADifferenceOfItsOwn) {
  const Floats outside{{7}, 9};
  const Floats other_outside{{8}, 9};
  const Compared both(run_giving(given).shown("value", outside).finish(),
                      run_giving(other_given).shown("value", other_outside).finish());
  ASSERT_EQ(both.comparison.shown.size(), 1U);
  EXPECT_EQ(both.comparison.shown[0].difference, 2U);
  ASSERT_EQ(both.comparison.differences.size(), 2U);
  EXPECT_EQ(both.comparison.differences[1].what, "value differs, and no operation gave it");
}

TEST(Shown, WhatSomethingElseChangedAfterAnOperationIsNamed) {
  const Compared both(run_giving(given).shown("y", other_given).finish(),
                      run_giving(given).shown("y", given).finish());
  ASSERT_EQ(both.comparison.shown.size(), 1U);
  ASSERT_EQ(both.comparison.shown[0].difference, 1U);
  const auto& difference = both.comparison.differences.at(0);
  EXPECT_EQ(difference.kind, Kind::argument);
  EXPECT_EQ(difference.what, "y was changed here by something that is no operation");
}

TEST(Shown, WhatEqualOperationsGaveInAnotherPlaceComesFromOtherOperations) {
  const Floats negative{{-1, -2}, 3};
  const auto run = [&](const Floats& shown) {
    return run_giving(given).operation("aten::neg", {taken}, {negative}).shown("y", shown).finish();
  };
  const Compared both(run(given), run(negative));
  ASSERT_EQ(both.comparison.differences.size(), 1U);
  EXPECT_EQ(both.comparison.differences[0].kind, Kind::argument);
  EXPECT_EQ(both.comparison.differences[0].what,
            "y comes from mul (operation 1, net.py:1) here and from neg (operation 2, net.py:2) there");
}

TEST(Shown, AnOperationBehindItIsNotTheReason) {
  const auto written_later = [](const Floats& shown, const Floats& result) {
    TraceBytes trace;
    trace.shown("y", shown).operation("aten::mul", {taken}, {result}).finish();
    return trace;
  };
  const Compared both(written_later(given, given), written_later(other_given, other_given));
  ASSERT_EQ(both.comparison.shown.size(), 1U);
  EXPECT_EQ(both.comparison.differences.at(both.comparison.shown[0].difference - 1).kind, Kind::argument);
}

TEST(Shown, WhatOnlyOneSideShowsIsNotCompared) {
  const Compared both(run_giving(given).shown("y", given).finish(),
                      run_giving(other_given).shown("z", other_given).finish());
  EXPECT_TRUE(both.comparison.shown.empty());
}

}  // namespace
}  // namespace torchbook::trace_diff
