// Computes with the bits of floating-point numbers of any format.
#pragma once

#include <cstdint>
#include <string>

namespace torchbook::golden {

/// An IEEE-like format: one sign bit, then the exponent, then a mantissa of `mantissa` bits.
struct IeeeFormat {
  int bytes = 0;
  int mantissa = 0;
};

/// Returns the value of these bits. A double holds every value of a format of at most 8 bytes.
double float_value(std::uint64_t bits, IeeeFormat format);

/// Returns the distance of two numbers in representable values: 0 if they are equal, 1 if they are
/// neighbours. Zeros of either sign are equal. Infinity is the neighbour of the largest finite value. Neither
/// number may be nan.
std::uint64_t ulps_between(std::uint64_t a, std::uint64_t b, IeeeFormat format);

/// Returns the shortest text that parses back to the same value, as a float for formats of at most
/// 4 bytes, otherwise as a double: `0.1`, `1.0`, `-0.0`, `1e-45`, `inf`. A nan is shown with its
/// bits: `nan (0x7fc00000)`.
std::string float_text(std::uint64_t bits, IeeeFormat format);

}  // namespace torchbook::golden
