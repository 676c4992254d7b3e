// Scans the draws of a plan, or all blocks. Compiled for each instruction set.
//
// Highway includes this file several times, so it has no #pragma once.
#if defined(TORCHBOOK_RNG_SCAN_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TORCHBOOK_RNG_SCAN_INL
#undef TORCHBOOK_RNG_SCAN_INL
#else
#define TORCHBOOK_RNG_SCAN_INL
#endif

#include <hwy/aligned_allocator.h>
#include <hwy/highway.h>
#include <tools/seed/rng/scan_plan.h>

HWY_BEFORE_NAMESPACE();
namespace torchbook::rng::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<std::uint32_t>;
using Vector = hn::Vec<Tag>;
using Mask = hn::Mask<Tag>;

/// How many vectors of seeds are processed together. Seeding is a chain of dependent
/// multiplications, so several independent chains keep the processor busy. More vectors would
/// exceed the registers.
constexpr int together = HWY_MAX_BYTES >= 64 ? 14 : HWY_MAX_BYTES >= 16 ? 6 : 4;

/// The size of a mask that is stored with a bit for each lane. Those of `together` vectors fit into a vector.
constexpr std::size_t bytes_of_mask = (hn::MaxLanes(Tag()) + 7) / 8;
static_assert(together * bytes_of_mask <= sizeof(std::uint32_t) * hn::MaxLanes(Tag()));

using Vectors = Vector[together];

/// Calls `use` with 0, 1, …, `together` - 1. In a loop, GCC would keep arrays of vectors in memory.
template <typename Use, int... vectors>
HWY_INLINE void for_each_of(const Use& use, std::integer_sequence<int, vectors...>) {
  (use(vectors), ...);
}
template <typename Use>
HWY_INLINE void for_each_vector(const Use& use) {
  for_each_of(use, std::make_integer_sequence<int, together>());
}

/// Memory for vectors. Highway allocates no empty one.
class Memory {
 public:
  explicit Memory(std::size_t vectors)
      : words_(hwy::AllocateAligned<std::uint32_t>((vectors + 1) * hn::Lanes(Tag()))) {}

  std::uint32_t* at(std::size_t vector) const { return &words_[vector * hn::Lanes(Tag())]; }
  Vector load(std::size_t vector) const { return hn::Load(Tag(), at(vector)); }
  void store(std::size_t vector, Vector value) const { hn::Store(value, Tag(), at(vector)); }

 private:
  hwy::AlignedFreeUniquePtr<std::uint32_t[]> words_;
};

HWY_INLINE Vector next_word(Vector word, Vector index) {
  const auto mixed = hn::Xor(word, hn::ShiftRight<30>(word));
  return hn::Add(hn::Mul(mixed, hn::Set(Tag(), seeding_factor)), index);
}

/// Computes the words of the state, one after another, for `together` vectors of seeds.
struct Seeding {
  Vectors words;
  std::uint32_t index = 0;

  HWY_INLINE void start(std::uint32_t first_seed) {
    const auto lanes = static_cast<std::uint32_t>(hn::Lanes(Tag()));
    index = 0;
    for_each_vector([&](int i) HWY_ATTR { words[i] = hn::Iota(Tag(), first_seed + i * lanes); });
  }

  HWY_INLINE void go_to(std::uint32_t word) {
    const auto one = hn::Set(Tag(), 1);
    auto next = hn::Set(Tag(), index + 1);
    Vectors now;
    for_each_vector([&](int i) HWY_ATTR { now[i] = words[i]; });
    for (; index < word; ++index) {
      for_each_vector([&](int i) HWY_ATTR { now[i] = next_word(now[i], next); });
      next = hn::Add(next, one);
    }
    for_each_vector([&](int i) HWY_ATTR { words[i] = now[i]; });
  }
};

HWY_INLINE Vector twist_vectors(Vector word, Vector next) {
  const Tag d;
  const auto mixed = hn::OrAnd(hn::And(next, hn::Set(d, ~upper_bit)), word, hn::Set(d, upper_bit));
  const auto odd = hn::TestBit(next, hn::Set(d, 1));
  return hn::Xor(hn::ShiftRight<1>(mixed), hn::IfThenElseZero(odd, hn::Set(d, twist_mask)));
}

HWY_INLINE Vector temper_vector(Vector word) {
  const Tag d;
  word = hn::Xor(word, hn::ShiftRight<11>(word));
  word = hn::Xor(word, hn::And(hn::ShiftLeft<7>(word), hn::Set(d, temper_mask_7)));
  word = hn::Xor(word, hn::And(hn::ShiftLeft<15>(word), hn::Set(d, temper_mask_15)));
  return hn::Xor(word, hn::ShiftRight<18>(word));
}

HWY_INLINE Vector rotated(Vector value, std::uint32_t by) {
  if (by == 0) return value;
  const int right = static_cast<int>(by);
  return hn::Or(hn::ShiftRightSame(value, right), hn::ShiftLeftSame(value, 32 - right));
}

HWY_INLINE Vector tested(const DrawTest& test, Vector draws) {
  const Tag d;
  const auto product = hn::Mul(draws, hn::Set(d, test.factor));
  return rotated(hn::Sub(product, hn::Set(d, test.offset)), test.rotation);
}

/// Uses Min, because Highway cannot compare unsigned numbers on old processors.
HWY_INLINE Mask at_most(Vector value, std::uint32_t limit) {
  return hn::Eq(hn::Min(value, hn::Set(Tag(), limit)), value);
}

/// Calls `use` with the index of each lane that is set in a mask.
template <typename Use>
HWY_INLINE void for_lanes(Mask mask, const Use& use) {
  const Tag d;
  if (hn::AllFalse(d, mask)) return;
  alignas(64) std::uint32_t lanes[HWY_MAX_BYTES / 4];
  hn::Store(hn::VecFromMask(d, mask), d, lanes);
  for (std::uint32_t lane = 0; lane < hn::Lanes(d); ++lane) {
    if (lanes[lane] != 0) use(lane);
  }
}

/// A seed whose draw at a position passed a test.
struct Hit {
  std::uint32_t position;  ///< its index in the plan
  std::uint32_t test;
  std::uint32_t seed;  ///< its index among those that are seeded together
};

/// Computes the draws of a plan for `together` vectors of seeds at a time.
class PlannedScan {
 public:
  explicit PlannedScan(const ScanPlan& plan)
      : plan_(plan),
        words_((plan.seeded.size() + plan.made.size()) * together),
        draws_(plan.checks.empty() ? plan.positions.size() * together : 0),
        passed_(plan.checks.size()),
        flagged_(plan.positions.size() + 1) {
    for (std::uint32_t i = 0; i < plan.alike; ++i) limit_ = std::max(limit_, plan.tests[i].limit);
    for (std::size_t i = 0; i < plan.checks.size(); ++i) passed_.store(i, hn::Zero(Tag()));
  }

  HWY_INLINE void scan(std::uint32_t first_seed, std::vector<State>& found) {
    save_seeded(first_seed);
    if (plan_.offsets.empty()) {
      make_draws([&](const MadeWord&, std::uint32_t position, Vectors& values)
                     HWY_ATTR { flag(position, values); });
      for (std::size_t i = 0; i < flags_; ++i) note_hits(flagged_[i]);
      flags_ = 0;
      for (const auto& hit : hits_) keep(hit, first_seed, found);
      hits_.clear();
    } else {
      std::uint32_t done = 0;
      make_draws([&](const MadeWord& made, std::uint32_t, Vectors& values) HWY_ATTR {
        for (const auto end = done + made.checks; done < end; ++done) check(done, values);
      });
      for (const auto& offset : plan_.offsets) combine(offset, first_seed, found);
    }
  }

 private:
  HWY_INLINE void save_seeded(std::uint32_t first_seed) {
    Seeding seeding;
    seeding.start(first_seed);
    std::size_t slot = 0;
    for (const auto& value : plan_.seeded) {
      seeding.go_to(value.word);
      Vectors values;
      for_each_vector([&](int i) HWY_ATTR { values[i] = seeding.words[i]; });
      if (value.is_twist) {
        seeding.go_to(value.word + 1);
        for_each_vector([&](int i) HWY_ATTR { values[i] = twist_vectors(values[i], seeding.words[i]); });
      }
      store(slot++, values);
    }
  }

  /// Makes words, and calls `use` with those that are drawn, their index, and their draws.
  template <typename Use>
  HWY_INLINE void make_draws(const Use& use) {
    std::size_t slot = plan_.seeded.size();
    std::uint32_t position = 0;
    for (const auto& made : plan_.made) {
      Vectors values;
      load(made.parts[1], values);
      if (made.parts.size() == 3) {
        Vectors next;
        load(made.parts[2], next);
        for_each_vector([&](int i) HWY_ATTR { values[i] = twist_vectors(values[i], next[i]); });
      }
      Vectors other;
      load(made.parts[0], other);
      for_each_vector([&](int i) HWY_ATTR { values[i] = hn::Xor(values[i], other[i]); });
      store(slot++, values);
      if (!made.is_drawn) continue;
      for_each_vector([&](int i) HWY_ATTR { values[i] = temper_vector(values[i]); });
      use(made, position++, values);
    }
  }

  HWY_INLINE void store(std::size_t slot, const Vectors& values) {
    auto* const to = words_.at(slot * together);
    for_each_vector([&](int i) HWY_ATTR { hn::Store(values[i], Tag(), to + i * hn::Lanes(Tag())); });
  }
  HWY_INLINE void load(std::size_t slot, Vectors& values) const {
    const auto* const from = words_.at(slot * together);
    for_each_vector([&](int i) HWY_ATTR { values[i] = hn::Load(Tag(), from + i * hn::Lanes(Tag())); });
  }

  /// Notes the seeds that pass a check, a bit each.
  HWY_INLINE void check(std::uint32_t index, const Vectors& draws) {
    const Tag d;
    const auto& test = plan_.checks[index];
    auto* to = reinterpret_cast<std::uint8_t*>(passed_.at(index));
    for_each_vector([&](int i) HWY_ATTR {
      hn::StoreMaskBits(d, at_most(tested(test, draws[i]), test.limit), to + i * bytes_of_mask);
    });
  }

  /// Keeps the seeds that pass all checks of an offset.
  HWY_INLINE void combine(const OffsetChecks& at, std::uint32_t first_seed, std::vector<State>& found) const {
    const Tag d;
    auto left = hn::Set(d, 0xffffffff);
    for (const auto check : at.checks) left = hn::And(left, passed_.load(check));
    if (hn::AllTrue(d, hn::Eq(left, hn::Zero(d)))) return;
    alignas(64) std::uint8_t bits[HWY_MAX_BYTES];
    hn::Store(left, d, reinterpret_cast<std::uint32_t*>(bits));
    const auto lanes = static_cast<std::uint32_t>(hn::Lanes(d));
    for (std::uint32_t i = 0; i < together * lanes; ++i) {
      const auto lane = i % lanes;
      if (bits[i / lanes * bytes_of_mask + lane / 8] >> lane % 8 & 1)
        found.push_back({first_seed + i, at.offset});
    }
  }

  /// Flags the position if any test may pass: if the smallest of all results is in the limit.
  HWY_INLINE void flag(std::uint32_t position, Vectors& values) {
    const Tag d;
    const auto* const tests = plan_.tests.data();
    const auto factor = hn::Set(d, tests[0].factor);
    auto* const to = draws_.at(std::size_t{position} * together);
    for_each_vector([&](int i) HWY_ATTR {
      values[i] = hn::Mul(values[i], factor);
      hn::Store(values[i], d, to + i * hn::Lanes(d));
    });
    Vector least[] = {hn::Set(d, 0xffffffff), hn::Set(d, 0xffffffff),
                      hn::Set(d, 0xffffffff)};  // independent chains
    for (const auto* test = tests; test != tests + plan_.run; ++test) {
      const auto offset = hn::Set(d, test->offset);
      for_each_vector([&](int i)
                          HWY_ATTR { least[i % 3] = hn::Min(least[i % 3], hn::Sub(values[i], offset)); });
    }
    least[0] = hn::Min(hn::Min(least[0], least[1]), least[2]);
    // Branchless, because a branch would often be mispredicted. No call, because GCC would then
    // keep all words in memory.
    flagged_[flags_] = position;
    flags_ += hn::AllFalse(d, at_most(least[0], limit_)) ? 0 : 1;
  }

  /// Notes the seeds whose draw at a position passes a test. If the draw at the next position belongs to the
  /// same call, it must pass its test, too.
  HWY_NOINLINE void note_hits(std::uint32_t position) {
    const Tag d;
    const auto& positions = plan_.positions;
    std::uint32_t gap = position + 1 < positions.size() ? positions[position + 1] - positions[position] : 0;
    if (gap + plan_.run > plan_.alike) gap = 0;
    for (std::uint32_t vector = 0; vector < together; ++vector) {
      const auto here = draws_.load(position * together + vector);
      const auto next = draws_.load((gap > 0 ? position + 1 : position) * together + vector);
      const auto larger = [&](std::uint32_t test) HWY_ATTR {
        return hn::Max(hn::Sub(here, hn::Set(d, plan_.tests[test].offset)),
                       hn::Sub(next, hn::Set(d, plan_.tests[test + gap].offset)));
      };
      auto least = larger(0);
      for (std::uint32_t test = 1; test < plan_.run; ++test) least = hn::Min(least, larger(test));
      if (hn::AllFalse(d, at_most(least, limit_))) continue;
      for (std::uint32_t test = 0; test < plan_.run; ++test) {
        for_lanes(at_most(larger(test), limit_), [&](std::uint32_t lane) {
          hits_.push_back({position, test, vector * static_cast<std::uint32_t>(hn::Lanes(d)) + lane});
        });
      }
    }
  }

  void keep(const Hit& hit, std::uint32_t first_seed, std::vector<State>& found) const {
    const auto offset = plan_.positions[hit.position] - plan_.tests[hit.test].draw;
    if (offset < plan_.search->first_offset || offset > plan_.search->last_offset) return;
    found.push_back({first_seed + hit.seed, offset});
  }

  const ScanPlan& plan_;
  std::uint32_t limit_ = 0;
  Memory words_;
  Memory draws_;                        ///< multiplied by the factor of the tests
  Memory passed_;                       ///< a vector for each check
  std::vector<std::uint32_t> flagged_;  ///< the positions at which a draw passed a test
  std::size_t flags_ = 0;
  std::vector<Hit> hits_{};
};

HWY_ATTR void scan_planned(const ScanPlan& plan, const Seeds& seeds, std::vector<State>& found) {
  PlannedScan planned(plan);
  for (std::uint64_t done = 0; done < seeds.count; done += together * hn::Lanes(Tag()))
    planned.scan(static_cast<std::uint32_t>(seeds.first + done), found);
}

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

/// Tries the blocks of one vector of seeds.
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
