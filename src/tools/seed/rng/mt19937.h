// The Mersenne Twister MT19937 as LibTorch's CPU generator seeds and uses it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace torchbook::rng {

/// The number of words of the state. Draws come in blocks of this size.
inline constexpr std::uint32_t block_size = 624;
/// A new word is made from the word this far after the one that it replaces.
inline constexpr std::uint32_t middle = 397;
/// The factor of the recurrence that fills the state from a seed.
inline constexpr std::uint32_t seeding_factor = 1812433253;
/// The masks of the recurrence that makes the next block.
inline constexpr std::uint32_t upper_bit = 0x80000000, twist_mask = 0x9908b0df;
/// The masks of tempering, which turns a word into a draw.
inline constexpr std::uint32_t temper_mask_7 = 0x9d2c5680, temper_mask_15 = 0xefc60000;

/// Converts a word of the state to a draw.
constexpr std::uint32_t temper(std::uint32_t word) {
  word ^= word >> 11;
  word ^= word << 7 & temper_mask_7;
  word ^= word << 15 & temper_mask_15;
  return word ^ word >> 18;
}

/// Returns the contribution of two neighbours in the state to the word that replaces the first.
constexpr std::uint32_t twist(std::uint32_t word, std::uint32_t next) {
  const std::uint32_t mixed = (word & upper_bit) | (next & ~upper_bit);
  return mixed >> 1 ^ (next & 1 ? twist_mask : 0);
}

/// The generator of 32-bit draws. `manual_seed` takes 64 bits of a seed, of which only the lower 32 count.
class Mt19937 {
 public:
  explicit Mt19937(std::uint32_t seed);

  /// Returns the next draw.
  std::uint32_t operator()() {
    if (next_ == block_size) make_block();
    return temper(state_[next_++]);
  }

  /// Skips `draws` draws.
  void discard(std::uint64_t draws);

 private:
  void make_block();

  std::array<std::uint32_t, block_size> state_{};
  std::uint32_t next_ = block_size;
};

}  // namespace torchbook::rng
