// Computes the decimal digits of doubles, fast if that is provably exact.
//
// The digits are those of value * 10^n, rounded to the nearest whole number, ties to even. They equal the
// correctly rounded digits of the exact value, unless rounding the product moved it onto or across a tie. The
// product is off by at most half a unit in its last place. If it is that near to a tie, the digits count only
// if the product was exact.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace torchbook::pyrepr::inline v1 {

inline constexpr int most_fast_digits = 8;       ///< digits after the point
inline constexpr double fast_limit = 0x1p50;     ///< scaled values below this limit are rounded by magic
inline constexpr int largest_exact_power = 22;   ///< the largest power of ten that is exact as a double
inline constexpr std::int64_t not_certain = -1;  ///< the caller must take the exact path

inline constexpr double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                           1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                           1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

inline constexpr auto digit_pairs = [] {
  struct {
    char text[200];
  } pairs{};
  for (std::size_t i = 0; i < 100; ++i) {
    pairs.text[2 * i] = static_cast<char>('0' + i / 10);
    pairs.text[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return pairs;
}();

/// Rounds `scaled`, which lies in [0, fast_limit), to the nearest whole number, ties to even.
/// `exact()` returns whether `scaled` is exact to the last bit. Returns not_certain if `scaled` is
/// inexact and may lie on a tie.
template <class Exact>
std::int64_t rounded(double scaled, const Exact& exact) {
  constexpr double magic = 0x1.8p52;  // at this size the last bit of a double is worth 1
  const double shifted = scaled + magic;
  const double distance = std::fabs(scaled - (shifted - magic));
  if (0.5 - distance <= scaled * 0x1p-52 && !exact()) return not_certain;
  return std::bit_cast<std::int64_t>(shifted) - std::bit_cast<std::int64_t>(magic);
}

/// Returns the digits of a finite, non-negative value as a whole number, `precision` of them after the point.
inline std::int64_t fixed_digits(double value, int precision) {
  const double power = powers_of_ten[precision];
  const double scaled = value * power;
  if (!(scaled < fast_limit)) return not_certain;
  return rounded(scaled, [&] { return std::fma(value, power, -scaled) == 0; });
}

/// The digits of a value, one of them before the point, and its decimal exponent.
struct ScientificDigits {
  std::int64_t digits;
  int exponent;
};

/// Returns the digits of a positive normal value, `precision` of them after the point.
inline ScientificDigits scientific_digits(double value, int precision) {
  const int binary = static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 52) - 1023;
  int exponent = (binary * 1233) >> 12;  // floor(binary * log10(2)): the decimal exponent, or one less
  for (;; ++exponent) {
    const int power = precision - exponent;
    if (power > largest_exact_power || power < -largest_exact_power) return {not_certain, 0};
    const double factor = powers_of_ten[power < 0 ? -power : power];
    const double scaled = power < 0 ? value / factor : value * factor;
    const auto digits = rounded(scaled, [&] {
      return power < 0 ? std::fma(scaled, factor, -value) == 0 : std::fma(value, factor, -scaled) == 0;
    });
    if (digits < static_cast<std::int64_t>(powers_of_ten[precision + 1])) return {digits, exponent};
  }
}

/// Writes the last two digits of `number` so that they end at `end`, and removes them from `number`. Returns
/// their start.
inline char* write_pair(char* end, std::uint64_t& number) {
  std::memcpy(end - 2, digit_pairs.text + 2 * (number % 100), 2);
  number /= 100;
  return end - 2;
}

/// Writes the last `count` digits of `number` in the same way.
inline char* write_digits(char* end, std::uint64_t& number, int count) {
  for (; count >= 2; count -= 2) end = write_pair(end, number);
  if (count == 1) {
    *--end = static_cast<char>('0' + number % 10);
    number /= 10;
  }
  return end;
}

/// Overload for an even number of digits that is known at compile time.
template <int Count>
inline char* write_digits(char* end, std::uint64_t& number) {
  static_assert(Count % 2 == 0);
  for (int pair = 0; pair < Count / 2; ++pair) end = write_pair(end, number);
  return end;
}

/// Writes all digits of `number`, at least one, so that they end at `end`. Returns their start.
[[gnu::always_inline]] inline char* write_number(char* end, std::uint64_t number) {
  while (number >= 100) end = write_pair(end, number);
  if (number >= 10) return write_pair(end, number);
  *--end = static_cast<char>('0' + number);
  return end;
}

}  // namespace torchbook::pyrepr::inline v1
