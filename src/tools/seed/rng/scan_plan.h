// Decides which draws a scan computes.
#pragma once

#include <tools/seed/rng/mt19937.h>
#include <tools/seed/rng/scan.h>

#include <compare>
#include <cstdint>
#include <vector>

namespace torchbook::rng {

/// A value that a scan keeps: a word of the generator, or the contribution of a seeded word and the next one
/// to a new word.
struct KeptValue {
  std::uint32_t word = 0;
  bool is_twist = false;

  // clang-tidy 14 takes the comparison with 0 for one with a pointer.
  auto operator<=>(const KeptValue&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// A word that a scan makes.
struct MadeWord {
  /// The slots of two values that add up to it, or of three words, the last two of which are still to be
  /// twisted.
  std::vector<std::uint32_t> parts{};
  bool is_drawn = false;     ///< whether its draw is tested
  std::uint32_t checks = 0;  ///< how many of the plan's checks test its draw
};

/// The checks that a state must pass at an offset, by their index, the rarest first.
struct OffsetChecks {
  std::uint32_t offset = 0;
  std::vector<std::uint32_t> checks{};
};

/// How a search is carried out.
///
/// Words 0 to 623 are seeded. Word i + 624 is made of the words i + 397, i and i + 1, and draw i is its
/// tempered value. A scan keeps the words that it needs in slots, and computes only some draws:
///
/// - If a call begins with rare draws, one in `run` draws. Each is tried with the tests of the first `run`
///   draws of the call, so each offset is tried once.
/// - Otherwise, as many draws as are rare together at each offset. Each is tested once for each result that
///   any offset asks for (`checks`), and each offset combines the checks of its draws.
/// - For late offsets, all draws, block by block. Then `positions` is empty.
struct ScanPlan {
  explicit ScanPlan(const Search& asked);

  const Search* search;
  std::vector<DrawTest> tests{};           ///< those that the vectors try: the first ones
  std::uint32_t alike = 0;                 ///< how many of the first tests are rare and test successive draws
  std::uint32_t run = 1;                   ///< one in so many draws is computed
  std::vector<std::uint32_t> positions{};  ///< the draws that are computed, counted from the seed, ascending
  std::vector<DrawTest> checks{};          ///< tests of draws that are counted from the seed, ascending
  std::vector<OffsetChecks> offsets{};     ///< empty if the call begins with rare draws
  std::vector<KeptValue> seeded{};         ///< the values in the first slots, ascending
  std::vector<MadeWord> made{};            ///< the words in the slots that follow, ascending

 private:
  void plan_rare_draws();
  void plan_checks();
  bool choose_tests(std::uint32_t first, std::uint32_t end);
  void number_checks(std::uint32_t first, std::uint32_t end);
  void plan_words();
};

}  // namespace torchbook::rng
