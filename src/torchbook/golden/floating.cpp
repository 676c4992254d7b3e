#include <fmt/format.h>
#include <torchbook/golden/floating.h>

#include <charconv>
#include <cmath>
#include <limits>

namespace torchbook::golden {
namespace {

std::uint64_t sign_bit(IeeeFormat format) { return std::uint64_t{1} << (8 * format.bytes - 1); }

/// Returns the bits without the sign. As integers, they order the values of one sign.
std::uint64_t magnitude(std::uint64_t bits, IeeeFormat format) { return bits & (sign_bit(format) - 1); }

template <class Float>
std::string shortest(Float value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value);
  std::string digits(text, end.ptr);
  if (digits.find_first_of(".ein") == digits.npos) digits += ".0";  // neither 0.5 nor 1e+20 nor inf
  return digits;
}

}  // namespace

double float_value(std::uint64_t bits, IeeeFormat format) {
  const int exponent_bits = 8 * format.bytes - 1 - format.mantissa;
  const std::uint64_t top = (std::uint64_t{1} << exponent_bits) - 1;
  const std::uint64_t exponent = magnitude(bits, format) >> format.mantissa;
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << format.mantissa) - 1);
  const int bias = static_cast<int>(top / 2);
  double value = 0;
  if (exponent == top) {
    value =
        fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  } else {
    const bool subnormal = exponent == 0;
    const std::uint64_t significand = subnormal ? fraction : fraction | (std::uint64_t{1} << format.mantissa);
    const int power = (subnormal ? 1 : static_cast<int>(exponent)) - bias - format.mantissa;
    value = std::ldexp(static_cast<double>(significand), power);
  }
  return (bits & sign_bit(format)) != 0 ? -value : value;
}

std::uint64_t ulps_between(std::uint64_t a, std::uint64_t b, IeeeFormat format) {
  const std::uint64_t left = magnitude(a, format);
  const std::uint64_t right = magnitude(b, format);
  if (((a ^ b) & sign_bit(format)) != 0) return left + right;
  return left < right ? right - left : left - right;
}

std::string float_text(std::uint64_t bits, IeeeFormat format) {
  const double value = float_value(bits, format);
  if (std::isnan(value)) return fmt::format("nan (0x{:0{}x})", bits, 2 * format.bytes);
  return format.bytes <= 4 ? shortest(static_cast<float>(value)) : shortest(value);
}

}  // namespace torchbook::golden
