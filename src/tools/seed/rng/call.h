// Describes a call that draws a tensor from LibTorch's CPU generator.
#pragma once

#include <cstdint>

namespace torchbook::rng {

/// The function that draws.
enum class Function {
  rand,       ///< uniform in [0, 1)
  randn,      ///< normal, with mean 0 and deviation 1
  randint,    ///< integers from `low` to `high` - 1
  randperm,   ///< a permutation of 0 to `count` - 1
  bernoulli,  ///< 1 with a probability that is a tensor of float32: `bernoulli(p)`
  mask,       ///< 1 with a probability that is a number: `bernoulli_(p)`, and dropout
};

/// The dtypes, as far as their draws differ.
enum class Dtype { float16, bfloat16, float32, float64, integer };

/// A call that draws.
struct Call {
  Function function = Function::rand;
  Dtype dtype = Dtype::float32;
  std::int64_t count = 0;  ///< the number of elements
  std::int64_t low = 0;    ///< of randint
  std::int64_t high = 0;   ///< of randint
  /// From this range on, randint takes two draws for each element. Since LibTorch 2.7 it is 2^28.
  std::uint64_t wide_range = std::uint64_t{1} << 32;
  double probability = 0;  ///< of 1
};

/// The block size of normal values. Tensors of at least this size are drawn in blocks.
inline constexpr std::int64_t normal_block = 16;

/// Returns whether randn draws in blocks of sixteen.
constexpr bool draws_in_blocks(const Call& call) {
  return call.function == Function::randn && call.count >= normal_block;
}

/// Returns the number of bits of a uniform value: those of the dtype's mantissa.
constexpr int uniform_bits(Dtype dtype) {
  switch (dtype) {
    case Dtype::float16:
      return 11;
    case Dtype::bfloat16:
      return 8;
    case Dtype::float64:
      return 53;
    default:
      return 24;
  }
}

/// Returns the number of integers that randint chooses from. 2^64 becomes 0.
constexpr std::uint64_t range_of(const Call& call) {
  return static_cast<std::uint64_t>(call.high) - static_cast<std::uint64_t>(call.low);
}

/// Returns whether each element takes two draws.
constexpr bool draws_pairs(const Call& call) {
  if (call.function == Function::randint) return range_of(call) == 0 || range_of(call) >= call.wide_range;
  return call.dtype == Dtype::float64 || call.function == Function::mask;
}

}  // namespace torchbook::rng
