#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/golden/element.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <string_view>

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

std::string shape_text(std::span<const std::int64_t> shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

ElementFormat element_format(std::string_view dtype) {
  using enum ElementKind;
  static const std::map<std::string_view, ElementFormat> formats = {
      {"torch.float16", {floating, {2, 10}}},   {"torch.bfloat16", {floating, {2, 7}}},
      {"torch.float32", {floating, {4, 23}}},   {"torch.float64", {floating, {8, 52}}},
      {"torch.complex32", {complex, {2, 10}}},  {"torch.complex64", {complex, {4, 23}}},
      {"torch.complex128", {complex, {8, 52}}}, {"torch.bool", {boolean, {1}}},
      {"torch.int8", {integer, {1}}},           {"torch.int16", {integer, {2}}},
      {"torch.int32", {integer, {4}}},          {"torch.int64", {integer, {8}}},
      {"torch.uint8", {natural, {1}}},          {"torch.uint16", {natural, {2}}},
      {"torch.uint32", {natural, {4}}},         {"torch.uint64", {natural, {8}}}};
  const auto found = formats.find(dtype);
  return found == formats.end() ? ElementFormat{} : found->second;
}

std::uint64_t load_bits(const char* at, int bytes) {
  std::uint8_t narrow;
  std::uint16_t half;
  std::uint32_t word;
  std::uint64_t wide;
  switch (bytes) {
    case 1:
      return std::memcpy(&narrow, at, 1), narrow;
    case 2:
      return std::memcpy(&half, at, 2), half;
    case 4:
      return std::memcpy(&word, at, 4), word;
    default:
      return std::memcpy(&wide, at, 8), wide;
  }
}

std::int64_t signed_value(std::uint64_t bits, int bytes) {
  const int unused = 64 - 8 * bytes;
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

double float_value(std::uint64_t bits, IeeeFormat format) {
  const int exponent_bits = 8 * format.bytes - 1 - format.mantissa;
  const std::uint64_t top = (std::uint64_t{1} << exponent_bits) - 1;
  const std::uint64_t exponent = magnitude(bits, format) >> format.mantissa;
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << format.mantissa) - 1);
  const int bias = static_cast<int>(top / 2);
  double value = std::numeric_limits<double>::infinity();
  if (exponent != top) {
    const bool subnormal = exponent == 0;
    const std::uint64_t significand = subnormal ? fraction : fraction | (std::uint64_t{1} << format.mantissa);
    const int power = (subnormal ? 1 : static_cast<int>(exponent)) - bias - format.mantissa;
    value = std::ldexp(static_cast<double>(significand), power);
  } else if (fraction != 0) {
    value = std::numeric_limits<double>::quiet_NaN();
  }
  return (bits & sign_bit(format)) != 0 ? -value : value;
}

std::string float_text(std::uint64_t bits, IeeeFormat format) {
  const double value = float_value(bits, format);
  if (std::isnan(value)) return fmt::format("nan (0x{:0{}x})", bits, 2 * format.bytes);
  return format.bytes <= 4 ? shortest(static_cast<float>(value)) : shortest(value);
}

std::size_t element_count(const TensorView& tensor, const ElementFormat& format) {
  const auto count = static_cast<std::size_t>(
      std::accumulate(tensor.shape.begin(), tensor.shape.end(), std::int64_t{1}, std::multiplies<>()));
  const auto size =
      static_cast<std::size_t>(format.part.bytes) * (format.kind == ElementKind::complex ? 2 : 1);
  const bool fits = format.kind == ElementKind::other ? count != 0 && tensor.bytes.size() % count == 0
                                                      : tensor.bytes.size() == count * size;
  return fits ? count : 0;
}

std::optional<std::vector<double>> values_of(const TensorView& tensor) {
  const auto [kind, part] = element_format(tensor.dtype);
  const bool wide = kind == ElementKind::natural && part.bytes > 1;
  if (kind == ElementKind::complex || kind == ElementKind::other || wide) return std::nullopt;
  std::vector<double> values;
  const auto size = static_cast<std::size_t>(part.bytes);
  for (std::size_t at = 0; at + size <= tensor.bytes.size(); at += size) {
    const auto bits = load_bits(tensor.bytes.data() + at, part.bytes);
    values.push_back(kind == ElementKind::floating  ? float_value(bits, part)
                     : kind == ElementKind::integer ? static_cast<double>(signed_value(bits, part.bytes))
                                                    : static_cast<double>(bits));
  }
  return values;
}

std::string element_text(const char* at, std::size_t size, const ElementFormat& format) {
  const int bytes = format.part.bytes;
  switch (format.kind) {
    case ElementKind::floating:
      return float_text(load_bits(at, bytes), format.part);
    case ElementKind::complex: {
      const auto imaginary = float_text(load_bits(at + bytes, bytes), format.part);
      return fmt::format("{}{}{}j", float_text(load_bits(at, bytes), format.part),
                         imaginary.starts_with('-') ? "" : "+", imaginary);
    }
    case ElementKind::integer:
      return fmt::format("{}", signed_value(load_bits(at, bytes), bytes));
    case ElementKind::natural:
      return fmt::format("{}", load_bits(at, bytes));
    case ElementKind::boolean:
      return *at == 0 ? "False" : "True";
    case ElementKind::other:
      break;
  }
  std::string hex = "0x";
  for (std::size_t i = 0; i < size; ++i) hex += fmt::format("{:02x}", static_cast<unsigned char>(at[i]));
  return hex;
}

}  // namespace torchbook::golden
