// Decides which draws a scan computes.
#pragma once

#include <torchbook/rng/mt19937.h>
#include <torchbook/rng/scan.h>

#include <cstdint>
#include <vector>

namespace torchbook::rng {

/// A step during seeding at which a scan saves a value or makes a draw.
struct ScanEvent {
  enum class Kind {
    save_word,   ///< saves the word
    save_twist,  ///< saves what the word and the next one add to new words
    draw_word,   ///< makes a draw of the word and of saved values
    draw_twist,  ///< makes a draw of what the word and the next one add, and of saved values
  };

  std::uint32_t word = 0;
  Kind kind = Kind::save_word;
  std::uint32_t slot = 0;              ///< where to save, or the index of the draw's position
  std::vector<std::uint32_t> saved{};  ///< the slots of the saved values
};

/// How a search is carried out.
///
/// If few draws pass a test, only about one in every `run` draws is computed. At each such
/// position, the tests of the first `run` draws of the call are tried, each for a different offset.
/// This works only in the first block of draws. All other searches compute every draw.
struct ScanPlan {
  explicit ScanPlan(const Search& asked);

  const Search* search;
  std::vector<DrawTest> tests{};           ///< those that the vectors try: the first ones
  std::uint32_t alike = 0;                 ///< how many of the first tests are rare and test successive draws
  std::uint32_t run = 1;                   ///< how many tests each position tries
  std::vector<std::uint32_t> positions{};  ///< the draws since the seed that are computed; empty: all
  std::vector<ScanEvent> events{};         ///< how they are computed, by words
  std::uint32_t slots = 0;                 ///< how many values are saved
};

/// The first draw that depends on more than the seeded state.
inline constexpr std::uint32_t first_block_end = block_size - 1;

}  // namespace torchbook::rng
