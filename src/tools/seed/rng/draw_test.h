// Defines a test of one draw that takes few instructions.
#pragma once

#include <bit>
#include <cstdint>

namespace torchbook::rng {

/// A draw `y` passes if `(y * factor - offset)`, rotated right by `rotation` bits, is at most `limit`.
///
/// Such a test can check that the lower bits of a draw are in a range, which may wrap around, or
/// that a draw has a given remainder modulo a number.
struct DrawTest {
  std::uint32_t draw = 0;  ///< which draw of the call, from 0
  std::uint32_t factor = 1;
  std::uint32_t offset = 0;
  std::uint32_t rotation = 0;
  std::uint32_t limit = 0xffffffff;
  double probability = 1;  ///< the share of all draws that pass

  bool passes(std::uint32_t y) const {
    return std::rotr(y * factor - offset, static_cast<int>(rotation)) <= limit;
  }
};

/// Returns a test that the lower `bits` bits of a draw are `first` or one of the `more` numbers
/// after it, modulo 2^bits.
DrawTest test_of_range(std::uint32_t draw, int bits, std::uint32_t first, std::uint32_t more);

/// Returns a test that a draw modulo `modulus` is `rest`.
DrawTest test_of_rest(std::uint32_t draw, std::uint32_t modulus, std::uint32_t rest);

}  // namespace torchbook::rng
