// Tests that scans find exactly the planted states, with every instruction set.
#include <gtest/gtest.h>
#include <tools/seed/rng/mt19937.h>
#include <tools/seed/rng/scan.h>
#include <tools/seed/rng/scan_plan.h>

#include <functional>

namespace torchbook::test {
namespace {

using rng::DrawTest, rng::Search, rng::State;

/// Returns the test that a draw of the planted state must pass.
using TestOf = std::function<DrawTest(std::uint32_t draw, std::uint32_t value)>;

Search search_for(const State& state, std::uint32_t count, std::uint32_t every, const TestOf& test_of) {
  rng::Mt19937 draw(state.seed);
  draw.discard(state.offset);
  Search search;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto value = draw();
    if (i % every == 0) search.tests.push_back(test_of(i, value));
  }
  return search;
}

DrawTest range_around(std::uint32_t draw, std::uint32_t value) {
  return rng::test_of_range(draw, 24, value - 700, 1600);
}

TEST(DrawTest, OfARangeIsWhatItSays) {
  const auto inside = rng::test_of_range(0, 8, 250, 9);  // 250 to 255, and 0 to 3
  for (std::uint32_t y = 0; y < 1024; ++y) EXPECT_EQ(inside.passes(y), y % 256 >= 250 || y % 256 <= 3) << y;
  EXPECT_EQ(inside.probability, 10 / 256.0);
}

TEST(DrawTest, OfARestIsWhatItSays) {
  for (const std::uint32_t modulus :
       {1U, 2U, 3U, 7U, 10U, 12U, 64U, 100U, 65537U, 0x80000000U, 0xffffffffU}) {
    const std::uint32_t rest = modulus / 3;
    const auto test = rng::test_of_rest(0, modulus, rest);
    for (std::uint64_t y = 0; y < (1ULL << 32); y += 1234567)
      ASSERT_EQ(test.passes(static_cast<std::uint32_t>(y)), y % modulus == rest) << modulus << " " << y;
    EXPECT_TRUE(test.passes(rest));
    EXPECT_NEAR(test.probability * modulus, 1, 1e-4);
  }
}

/// Expects every instruction set to find exactly this state, near the state and where nothing else is
/// searched.
void expect_found(Search search, const State& state, std::uint32_t first, std::uint32_t last) {
  search.first_offset = first;
  search.last_offset = last;
  const std::uint64_t around = state.seed < 500 ? 0 : state.seed - 500;
  const auto count = std::min<std::uint64_t>(1000, (1ULL << 32) - around);
  for (const auto& target : rng::scan_targets()) {
    rng::use_scan_target(target);
    const bool searched = first <= state.offset && state.offset <= last;
    EXPECT_EQ(rng::scan(search, {around, count}), searched ? std::vector{state} : std::vector<State>())
        << target << " " << state.seed << " " << state.offset << " in " << first << " to " << last;
  }
  rng::use_scan_target("");
}

TEST(Scan, FindsAPlantedStateAtEveryOffsetOfTheFirstBlock) {
  for (std::uint32_t offset = 0; offset < 609; offset += 19) {
    const State state{123456789 + offset, offset};
    const auto search = search_for(state, 16, 1, range_around);
    expect_found(search, state, 0, 608);
    expect_found(search, state, offset, offset);
    expect_found(search, state, offset > 20 ? offset - 20 : 0, offset + 3);
    expect_found(search, state, offset + 1, offset + 50);
  }
}

TEST(ScanPlan, ComputesFewDrawsOfACallOfRareDraws) {
  auto search = search_for({5, 5}, 16, 1, range_around);
  search.last_offset = 607;
  const rng::ScanPlan plan(search);
  EXPECT_EQ(plan.run, 8U);
  EXPECT_EQ(plan.positions.size(), 79U);  // one in eight of 227, 227 and 161 draws: 29, 29 and 21
}

TEST(ScanPlan, ComputesFewDrawsOfALongCallAtAllOffsets) {
  auto search = search_for({5, 5}, 64, 1, range_around);
  search.last_offset = 608;
  const rng::ScanPlan plan(search);
  EXPECT_EQ(plan.run, 16U);
  EXPECT_EQ(plan.positions.size(), 41U);  // one in sixteen of 227, 227 and 170 draws: 15, 15 and 11
}

TestOf rest_of(std::uint32_t modulus) {
  return [modulus](std::uint32_t draw, std::uint32_t value) {
    return rng::test_of_rest(draw, modulus, value % modulus);
  };
}

TEST(Scan, FindsAllStatesIfManyPass) {
  auto search = search_for({77, 300}, 9, 1, rest_of(2));
  search.last_offset = 608;
  std::vector<State> expected;
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    for (std::uint32_t offset = 0; offset <= 608; ++offset) {
      if (rng::passes(search, {seed, offset})) expected.push_back({seed, offset});
    }
  }
  for (const auto& target : rng::scan_targets()) {
    rng::use_scan_target(target);
    EXPECT_EQ(rng::scan(search, {0, 100}), expected) << target;
  }
  rng::use_scan_target("");
}

TEST(ScanPlan, ComputesFewDrawsOfACallOfBits) {
  auto search = search_for({5, 5}, 200, 1, rest_of(2));
  const rng::ScanPlan one(search);
  EXPECT_EQ(one.positions.size(), 12U);
  search.last_offset = 608;
  const rng::ScanPlan all(search);
  EXPECT_LT(all.positions.size(), 100U);
  EXPECT_LE(all.checks.size(), 2 * all.positions.size());
}

TEST(Scan, FindsTheFirstAndTheLastSeed) {
  for (const std::uint32_t seed : {0U, 0xffffffffU}) {
    const State state{seed, 3};
    expect_found(search_for(state, 16, 1, range_around), state, 0, 608);
    expect_found(search_for(state, 16, 1, range_around), state, 3, 3);
  }
}

}  // namespace
}  // namespace torchbook::test
