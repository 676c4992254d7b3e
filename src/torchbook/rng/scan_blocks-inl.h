// Scans all blocks of draws. Compiled for each instruction set.
//
// Highway includes this file several times, so it has no #pragma once.
#if defined(TORCHBOOK_RNG_SCAN_BLOCKS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TORCHBOOK_RNG_SCAN_BLOCKS_INL
#undef TORCHBOOK_RNG_SCAN_BLOCKS_INL
#else
#define TORCHBOOK_RNG_SCAN_BLOCKS_INL
#endif

#include <torchbook/rng/scan-inl.h>

HWY_BEFORE_NAMESPACE();
namespace torchbook::rng::HWY_NAMESPACE {

/// How many draws before a block are kept, for tests that begin there.
constexpr std::uint32_t kept = 256;

/// Makes the next block of one vector of seeds, and its draws.
HWY_INLINE void make_block(const Memory& words, int vector, const Memory& draws) {
  for (std::uint32_t i = 0; i < kept; ++i) draws.store(i, draws.load(block_size + i));
  const auto at = [&](std::uint32_t word) { return word * together + vector; };
  for (std::uint32_t i = 0; i < block_size; ++i) {
    const auto next = words.load(at(i + 1 == block_size ? 0 : i + 1));
    const auto other = words.load(at(i < block_size - middle ? i + middle : i + middle - block_size));
    const auto made = hn::Xor(other, twist_vectors(words.load(at(i)), next));
    words.store(at(i), made);
    draws.store(kept + i, temper_vector(made));
  }
}

/// Tries the tests at one offset. Its first draw is at index `from` in `draws`.
HWY_INLINE void scan_offset(const ScanPlan& plan, const Memory& draws, std::size_t from, const State& first,
                            std::vector<State>& found) {
  const Tag d;
  auto left = hn::Eq(hn::Zero(d), hn::Zero(d));
  for (const auto& test : plan.tests) {
    left = hn::And(left, at_most(tested(test, draws.load(from + test.draw)), test.limit));
    if (hn::AllFalse(d, left)) return;
  }
  for_lanes(left, [&](std::uint32_t lane) { found.push_back({first.seed + lane, first.offset}); });
}

/// Goes through the blocks of one vector of seeds.
HWY_INLINE void scan_vector(const ScanPlan& plan, const Memory& words, int vector, std::uint32_t first_seed,
                            const Memory& draws, std::vector<State>& found) {
  const auto& search = *plan.search;
  const auto reach = plan.tests.back().draw;
  std::uint64_t offset = search.first_offset;
  for (std::uint64_t begin = 0; offset <= search.last_offset; begin += block_size) {
    make_block(words, vector, draws);
    for (; offset <= search.last_offset && offset + reach < begin + block_size; ++offset) {
      scan_offset(plan, draws, kept + offset - begin, {first_seed, static_cast<std::uint32_t>(offset)},
                  found);
    }
  }
}

HWY_ATTR void scan_blocks(const ScanPlan& plan, const Seeds& seeds, std::vector<State>& found) {
  const auto lanes = static_cast<std::uint32_t>(hn::Lanes(Tag()));
  const Memory words(std::size_t{block_size} * together), draws(kept + block_size);
  for (std::uint64_t done = 0; done < seeds.count; done += std::uint64_t{together} * lanes) {
    const auto first_seed = static_cast<std::uint32_t>(seeds.first + done);
    Seeding seeding;
    seeding.start(first_seed);
    for (std::uint32_t word = 0; word < block_size; ++word) {
      seeding.go_to(word);
      for_each_vector([&](int i) HWY_ATTR { words.store(word * together + i, seeding.words[i]); });
    }
    for (int vector = 0; vector < together; ++vector)
      scan_vector(plan, words, vector, first_seed + vector * lanes, draws, found);
  }
}

}  // namespace torchbook::rng::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
