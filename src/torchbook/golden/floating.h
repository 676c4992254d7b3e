// Floating-point numbers of any format, as bits.
#pragma once

#include <cstdint>
#include <string>

namespace torchbook::golden {

/// An IEEE-like format: a sign, an exponent and a mantissa of so many bits.
struct IeeeFormat {
  int bytes = 0;
  int mantissa = 0;
};

/// The value of these bits. A double holds every value of a format of at most 8 bytes.
double float_value(std::uint64_t bits, IeeeFormat format);

/// How many representable values lie between two that are no nan, counting one of them: 0 for equal ones and
/// for zeros of either sign, 1 for neighbours; infinity is the neighbour of the largest finite value.
std::uint64_t ulps_between(std::uint64_t a, std::uint64_t b, IeeeFormat format);

/// The shortest text that float (for formats of 4 bytes or less) or double reads back as the value: `0.1`,
/// `1.0`, `-0.0`, `1e-45`, `inf`; a nan with its bits, `nan (0x7fc00000)`.
std::string float_text(std::uint64_t bits, IeeeFormat format);

}  // namespace torchbook::golden
