// Tests where NaN and infinity begin, with hand-written traces.
#include <gtest/gtest.h>
#include <tools/part/nonfinite.h>
#include <tools/part/trace_bytes.h>

#include <limits>

namespace torchbook::trace_diff {
namespace {

using test::Floats;
using test::TraceBytes;

constexpr float infinite = std::numeric_limits<float>::infinity();
constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();
const Floats finite{{1, 0}, 1};
const Floats spoiled{{0, -infinite}, 2};

Nonfinite first_in(TraceBytes trace) {
  Texts texts;
  return first_nonfinite(read_trace(trace.finish().bytes(), texts), texts);
}

TEST(Nonfinite, BeginsWhereInputsAreFinite) {
  TraceBytes trace;
  trace.operation("aten::neg", {spoiled}, {{{0, infinite}, 3}})
      .operation("aten::mul", {finite}, {{{2, 0}, 4}});
  EXPECT_EQ(first_in(trace).operation, no_operation);
  trace.operation("aten::log", {finite}, {spoiled}).operation("aten::exp", {spoiled}, {{{1, nan_value}, 5}});
  const auto found = first_in(trace);
  EXPECT_EQ(found.operation, 2U);
  EXPECT_EQ(found.element, 1U);
  EXPECT_EQ(found.value, "-inf");
}

TEST(Nonfinite, AnInfiniteNumberIsAnInfiniteInput) {
  TraceBytes trace;
  trace.operation("aten::masked_fill.Scalar", {finite}, {spoiled}, -infinite);
  EXPECT_EQ(first_in(trace).operation, no_operation);
}

TEST(Nonfinite, MemoryThatNothingWroteIsNoInput) {
  TraceBytes trace;
  trace.operation("aten::empty.memory_format", {}, {{{nan_value}, 3}})
      .operation("aten::uniform_", {{{nan_value}, 3}}, {{{0.5}, 3}});
  EXPECT_EQ(first_in(trace).operation, no_operation);
  trace.operation("aten::empty.memory_format", {}, {{{nan_value}, 4}})
      .operation("aten::log.out", {finite, {{nan_value}, 4}}, {{{-infinite}, 4}});
  EXPECT_EQ(first_in(trace).operation, 3U);
}

}  // namespace
}  // namespace torchbook::trace_diff
