// Tests which operations are paired whatever their order is, with hand-written traces.
#include <gtest/gtest.h>
#include <tools/part/compared.h>
#include <tools/part/pairing.h>

#include <algorithm>
#include <random>
#include <vector>

namespace torchbook::trace_diff {
namespace {

using test::Compared;
using test::Floats;
using test::TraceBytes;

const Floats operand{{1, 2}, 1};
const Floats power{{2.5, 7}, 2};
const Floats tangent{{0.5, 0.75}, 3};
const Floats product{{1.25, 5.25}, 4};

/// Returns a trace of exp(x) * tanh(x).
TraceBytes product_of(bool exp_first, const Floats& factor, const Floats& result) {
  TraceBytes trace;
  if (exp_first) trace.operation("aten::exp", {operand}, {factor});
  trace.operation("aten::tanh", {operand}, {tangent});
  if (!exp_first) trace.operation("aten::exp", {operand}, {factor});
  trace.operation("aten::mul", {factor, tangent}, {result}).finish();
  return trace;
}

TEST(Pairing, OperandsEvaluatedInAnotherOrderAreEqual) {
  const Compared both(product_of(false, power, product), product_of(true, power, product));
  EXPECT_TRUE(both.comparison.differences.empty());
  EXPECT_TRUE(both.comparison.without_effect.empty());
  EXPECT_EQ(both.comparison.pairs, 3U);
}

TEST(Pairing, OtherBitsAreFoundThoughTheOrderDiffers) {
  const Compared both(product_of(false, {{2.5, 8}, 2}, {{1.25, 6}, 4}), product_of(true, power, product));
  ASSERT_EQ(both.comparison.differences.size(), 1U);
  EXPECT_EQ(both.comparison.differences[0].what, "exp gives other bits of the same input");
  EXPECT_EQ(both.comparison.differing, 2U);
}

TEST(Pairing, TheLongestAscendingRowIsFound) {
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    std::vector<Match> pairs(random() % 12);
    for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {.here = i, .there = i};
    for (std::size_t i = pairs.size(); i > 1; --i) std::swap(pairs[i - 1].there, pairs[random() % i].there);
    std::size_t longest = 0;
    for (unsigned subset = 0; subset < 1U << pairs.size(); ++subset) {
      std::vector<std::size_t> chosen;
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        if ((subset >> i & 1U) != 0) chosen.push_back(pairs[i].there);
      }
      if (std::is_sorted(chosen.begin(), chosen.end())) longest = std::max(longest, chosen.size());
    }
    const auto row = ascending(pairs);
    EXPECT_EQ(row.size(), longest);
    EXPECT_TRUE(std::is_sorted(row.begin(), row.end(), [](auto a, auto b) { return a.there < b.there; }));
  }
}

TEST(Pairing, OperationsInTheOppositeOrderAreEqual) {
  constexpr int operations = 1000;
  const auto trace = [](bool opposite) {
    TraceBytes bytes;
    for (int i = 0; i < operations; ++i) {
      const auto number = static_cast<float>(opposite ? operations - i : i + 1);
      bytes.operation("aten::neg", {{{number}, 1}}, {{{-number}, 2}});
    }
    return bytes.finish();
  };
  const Compared both(trace(false), trace(true));
  EXPECT_TRUE(both.comparison.differences.empty());
  EXPECT_EQ(both.comparison.pairs, static_cast<std::size_t>(operations));
}

}  // namespace
}  // namespace torchbook::trace_diff
