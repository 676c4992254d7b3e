#include <tools/seed/rng/draw_test.h>

#include <cmath>

namespace torchbook::rng {

DrawTest test_of_range(std::uint32_t draw, int bits, std::uint32_t first, std::uint32_t more) {
  const int unused = 32 - bits;
  return {.draw = draw,
          .factor = std::uint32_t{1} << unused,
          .offset = first << unused,
          .limit = more << unused,
          .probability = std::ldexp(more + 1.0, -bits)};
}

// Torbjörn Granlund and Peter L. Montgomery, Division by Invariant Integers using Multiplication,
// section 9: a number is divisible by an odd modulus if its product with the modulus's inverse
// modulo 2^32 is small. For an even modulus, a rotation moves the bits that must be zero to the
// top.
DrawTest test_of_rest(std::uint32_t draw, std::uint32_t modulus, std::uint32_t rest) {
  const int twos = std::countr_zero(modulus);
  const std::uint32_t odd = modulus >> twos;
  std::uint32_t inverse = odd;  // right in 3 bits; each round doubles them
  for (int round = 0; round < 4; ++round) inverse *= 2 - odd * inverse;
  const std::uint32_t limit = (0xffffffff - rest) / modulus;
  return {.draw = draw,
          .factor = inverse,
          .offset = rest * inverse,
          .rotation = static_cast<std::uint32_t>(twos),
          .limit = limit,
          .probability = std::ldexp(limit + 1.0, -32)};
}

}  // namespace torchbook::rng
