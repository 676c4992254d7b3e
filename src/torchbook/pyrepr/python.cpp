// Prints Python's floats and sizes, and implements Python's rounding.
#include <torchbook/pyrepr/containers.h>
#include <torchbook/pyrepr/number_format.h>
#include <torchbook/pyrepr/python.h>
#include <torchbook/pyrepr/size.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace torchbook::pyrepr::inline v1 {
namespace {

// With more digits than this, rounding changes nothing. With fewer, it leaves only zero.
constexpr int most_digits = 323;
constexpr int fewest_digits = -308;

double parsed(std::string_view text) {
  double value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc::result_out_of_range) {
    throw std::overflow_error("rounded value too large to represent");
  }
  return value;
}

/// Rounds the decimal text of a whole number, ties to even, so that its last `dropped` digits become zeros.
std::string rounded_whole(std::string text, std::size_t dropped) {
  if (text.size() <= dropped) text.insert(0, dropped - text.size() + 1, '0');
  const std::size_t kept = text.size() - dropped;
  const std::string_view tail = std::string_view(text).substr(kept);
  const bool above_half = tail[0] > '5' || (tail[0] == '5' && tail.find_first_not_of('0', 1) != tail.npos);
  const bool odd = (text[kept - 1] - '0') % 2 == 1;
  const bool up = above_half || (tail[0] == '5' && odd);
  text.replace(kept, dropped, dropped, '0');
  if (!up) return text;
  text.insert(0, 1, '0');  // room for a carry
  std::size_t i = kept;
  while (text[i] == '9') text[i--] = '0';
  ++text[i];
  return text;
}

}  // namespace

std::string detail::repr_float(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  const double magnitude = std::abs(value);
  const bool fixed = magnitude == 0 || (magnitude >= 1e-4 && magnitude < 1e16);
  char buffer[32];
  char* end = std::to_chars(buffer, buffer + sizeof buffer, value,
                            fixed ? std::chars_format::fixed : std::chars_format::scientific)
                  .ptr;  // C's exponent, like Python's, has at least two digits
  if (fixed && std::find(buffer, end, '.') == end) {
    *end++ = '.';
    *end++ = '0';
  }
  return {buffer, end};
}

std::int64_t detail::round_int(std::int64_t value, int digits) {
  constexpr int most_dropped = 19;  // half of 10^20 is more than any value
  if (digits >= 0) return value;
  if (digits < -most_dropped) return 0;
  std::uint64_t unit = 1;
  for (int i = digits; i < 0; ++i) unit *= 10;
  const bool negative = value < 0;
  const auto magnitude = negative ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  const std::uint64_t rest = magnitude % unit;
  std::uint64_t units = magnitude / unit;
  if (rest > unit - rest || (rest == unit - rest && units % 2 == 1)) ++units;
  const std::uint64_t rounded = units * unit;
  const auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (rounded > largest + (negative ? 1 : 0))
    throw std::overflow_error("rounded value too large to represent");
  return static_cast<std::int64_t>(negative ? 0 - rounded : rounded);
}

double round(double value, int digits) {
  if (!std::isfinite(value) || value == 0 || digits > most_digits) return value;
  if (digits < fewest_digits) return std::copysign(0.0, value);
  if (digits >= 0) return parsed(fixed_text(value, digits));
  // A fraction breaks a tie. An extra digit records whether there is one, and is then dropped as
  // well.
  const double whole = std::trunc(std::abs(value));
  auto text = fixed_text(whole, 0) + (whole == std::abs(value) ? '0' : '1');
  text = rounded_whole(std::move(text), static_cast<std::size_t>(1 - digits));
  text.pop_back();
  return std::copysign(parsed(text), value);
}

std::string Printer<Size>::repr(const Size& size) { return "torch.Size(" + pyrepr::repr(size.sizes) + ")"; }

}  // namespace torchbook::pyrepr::inline v1
