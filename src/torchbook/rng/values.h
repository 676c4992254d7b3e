// Computes what a call gives, draw by draw, without LibTorch.
#pragma once

#include <torchbook/rng/call.h>
#include <torchbook/rng/mt19937.h>

#include <optional>
#include <vector>

namespace torchbook::rng {

/// The elements of a tensor in the order of memory. Floating values of any dtype are doubles.
struct Values {
  std::vector<double> floating{};
  std::vector<std::int64_t> integers{};  ///< of randint and randperm
};

/// The CPU generator: its draws, and the normal value that it keeps for the next call.
struct Generator {
  explicit Generator(std::uint64_t seed) : draw(kept_seed(seed)) {}

  Mt19937 draw;
  /// The second value of a pair, which randn of fewer than sixteen elements left. `manual_seed` drops it.
  std::optional<double> kept_normal{};
};

/// Draws what `call` gives.
///
/// Integers, uniform values and masks are exact. Normal values in blocks are those of the kernels without
/// vectors; the others differ in last bits. In float16 and bfloat16 there are none in blocks.
Values values(const Call& call, Generator& generator);

}  // namespace torchbook::rng
