// Division, remainder, powers and factorials with Python's results.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <stdexcept>

namespace torchbook::python {

/// Returns a divisor. Throws std::domain_error with Python's message if it is 0.
template <class Number>
constexpr Number divisor(Number number, const char* error = "division by zero") {
  if (number == 0) throw std::domain_error(error);
  return number;
}

/// Python's `a // b` of ints: the quotient, rounded down. C++ rounds it toward zero. `b` is not 0.
constexpr std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

/// Python's `a % b` of ints: it has the sign of b. In C++ it has that of a. `b` is not 0.
constexpr std::int64_t remainder(std::int64_t a, std::int64_t b) { return a - b * floor_divide(a, b); }

/// Python's `a % b` of floats. `b` is not 0.
template <std::floating_point Number>
Number remainder(Number a, Number b) {
  const Number rest = std::fmod(a, b);
  if (rest == 0) return std::copysign(Number{0}, b);
  return (b < 0) != (rest < 0) ? rest + b : rest;
}

/// Python's `a // b` of floats. `b` is not 0.
template <std::floating_point Number>
Number floor_divide(Number a, Number b) {
  const Number rest = std::fmod(a, b);
  const Number quotient = (a - rest) / b - (rest != 0 && (b < 0) != (rest < 0) ? 1 : 0);
  if (quotient == 0) return std::copysign(Number{0}, a / b);
  const Number below = std::floor(quotient);
  return quotient - below > 0.5 ? below + 1 : below;  // the division may have been rounded
}

/// Python's `base ** exponent` of ints. Throws std::overflow_error if the result does not fit, or is no int
/// because `exponent` is negative.
constexpr std::int64_t power(std::int64_t base, std::int64_t exponent) {
  std::int64_t result = 1;
  bool fits = exponent >= 0;
  for (; fits && exponent > 0 && (base != 1 || result != 1); --exponent) {
    fits = !__builtin_mul_overflow(result, base, &result);
  }
  if (!fits) throw std::overflow_error("the result of a power of ints is not an int of 64 bits");
  return result;
}

/// Python's `base ** exponent % modulus` of ints, whose power may be too large for 64 bits. Throws
/// std::overflow_error if `exponent` is negative. `modulus` is not 0.
constexpr std::int64_t power_modulo(std::int64_t base, std::int64_t exponent, std::int64_t modulus) {
  if (exponent < 0) throw std::overflow_error("the result of a power of ints is not an int of 64 bits");
  __extension__ using Product = __int128;
  const auto product = [&](Product a, Product b) { return static_cast<std::int64_t>(a * b % modulus); };
  std::int64_t result = 1;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 != 0) result = product(result, base);
    base = product(base, base);
  }
  return remainder(result, modulus);
}

/// Python's `math.factorial(n)`. Throws std::overflow_error if the result does not fit, or `n` is negative.
constexpr std::int64_t factorial(std::int64_t n) {
  constexpr std::int64_t most = 20;
  if (n < 0 || n > most) throw std::overflow_error("a factorial does not fit into 64 bits");
  return n < 2 ? 1 : n * factorial(n - 1);
}

}  // namespace torchbook::python
