// Computes the elements that a call draws, without LibTorch.
#pragma once

#include <torchbook/rng/call.h>
#include <torchbook/rng/mt19937.h>

#include <optional>
#include <vector>

namespace torchbook::rng {

/// The elements of a tensor in memory order. Floating-point values of all dtypes are doubles.
struct Values {
  std::vector<double> floating{};
  std::vector<std::int64_t> integers{};  ///< of randint and randperm
};

/// The CPU generator: its draws, and the normal value that it keeps for the next call.
struct Generator {
  explicit Generator(std::uint64_t seed) : draw(kept_seed(seed)) {}

  Mt19937 draw;
  /// The unused second value of a pair, left by a randn that did not draw in blocks. `manual_seed`
  /// drops it.
  std::optional<double> kept_normal{};
};

/// Draws the elements of `call`.
///
/// Integers, uniform values and masks are exact. Normal values in blocks are those of the kernels
/// without vectors. Kernels with vectors differ in the last bits. Throws std::invalid_argument for
/// normal values in blocks of float16 or bfloat16.
Values values(const Call& call, Generator& generator);

}  // namespace torchbook::rng
