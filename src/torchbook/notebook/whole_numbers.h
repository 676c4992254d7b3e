// Divides whole numbers as Python does.
#pragma once

#include <cstdint>

namespace torchbook {

/// Python's `a // b` of ints: the quotient, rounded down. C++ rounds it toward zero. `b` is not 0.
constexpr std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

/// Python's `a % b` of ints: it has the sign of b. In C++ it has that of a. `b` is not 0.
constexpr std::int64_t remainder(std::int64_t a, std::int64_t b) { return a - b * floor_divide(a, b); }

}  // namespace torchbook
