// Tests that the alignment of two sequences is the longest one, and that of long sequences is a good one.
#include <gtest/gtest.h>
#include <tools/part/alignment.h>

#include <algorithm>
#include <random>
#include <vector>

namespace torchbook::trace_diff {
namespace {

using Sequence = std::vector<std::uint64_t>;

/// Returns the length of the longest common subsequence, by the textbook's table.
std::size_t longest(const Sequence& a, const Sequence& b) {
  std::vector<std::vector<std::size_t>> table(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      table[i + 1][j + 1] = a[i] == b[j] ? table[i][j] + 1 : std::max(table[i][j + 1], table[i + 1][j]);
    }
  }
  return table[a.size()][b.size()];
}

void expect_valid(const std::vector<Match>& matches, const Sequence& a, const Sequence& b) {
  for (std::size_t i = 0; i < matches.size(); ++i) {
    ASSERT_LT(matches[i].here, a.size());
    ASSERT_LT(matches[i].there, b.size());
    EXPECT_EQ(a[matches[i].here], b[matches[i].there]);
    if (i == 0) continue;
    EXPECT_LT(matches[i - 1].here, matches[i].here);
    EXPECT_LT(matches[i - 1].there, matches[i].there);
  }
}

TEST(Alignment, OfNothingIsNothing) {
  EXPECT_TRUE(align({}, {}).empty());
  EXPECT_TRUE(align(Sequence{1, 2}, {}).empty());
  EXPECT_TRUE(align(Sequence{1, 2}, Sequence{3, 4, 5}).empty());
}

TEST(Alignment, SkipsWhatOneSideHasMore) {
  const std::vector<Match> expected = {{0, 0}, {1, 2}, {2, 3}};
  EXPECT_EQ(align(Sequence{7, 8, 9}, Sequence{7, 5, 8, 9}), expected);
}

TEST(Alignment, IsTheLongestOfShortSequences) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const auto make = [&] {
      Sequence sequence(random() % 30);
      for (auto& one : sequence) one = random() % 5;
      return sequence;
    };
    const auto a = make();
    const auto b = make();
    const auto matches = align(a, b);
    expect_valid(matches, a, b);
    EXPECT_EQ(matches.size(), longest(a, b));
  }
}

TEST(Alignment, FindsEverythingCommonOfLongSequencesWithFewEdits) {
  std::mt19937 random(2);
  Sequence a(200'000);
  for (auto& one : a) one = random() % 40;
  Sequence b;
  b.reserve(a.size() + 100);
  std::size_t removed = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (i % 4001 == 0) {
      ++removed;  // and one more after it that only the other side has
      b.push_back(1000 + i);
    } else {
      b.push_back(a[i]);
    }
  }
  const auto matches = align(a, b);
  expect_valid(matches, a, b);
  EXPECT_EQ(matches.size(), a.size() - removed);
}

TEST(Alignment, OfLongSequencesWithoutAnythingCommonEnds) {
  EXPECT_TRUE(align(Sequence(100'000, 1), Sequence(100'000, 2)).empty());
}

}  // namespace
}  // namespace torchbook::trace_diff
