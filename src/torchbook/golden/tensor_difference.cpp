// Compares recorded tensors by the formats of their dtypes.
#include <fmt/format.h>
#include <torchbook/golden/element.h>
#include <torchbook/golden/tensor_difference.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace torchbook::golden {
namespace {

/// The elements that differ in their bits.
struct Differing {
  std::size_t count = 0;
  std::size_t first = 0;                        ///< which element is the first of them
  std::optional<std::uint64_t> first_ulps{};    ///< its distance; nullopt if it has none
  std::optional<std::uint64_t> largest_ulps{};  ///< nullopt if none has a distance in ulps
  std::size_t largest_at = 0;                   ///< the first element with that distance
  std::size_t without_ulps = 0;                 ///< how many have no distance
};

/// The bytes of one element in both tensors.
struct Pair {
  const char* golden;
  const char* actual;
  std::size_t size;
};

/// Returns the distance of two numbers in representable values, or nullopt if one is nan.
std::optional<std::uint64_t> ulps_between(std::uint64_t golden, std::uint64_t actual, IeeeFormat format) {
  const auto sign = std::uint64_t{1} << (8 * format.bytes - 1);
  const auto infinity = sign - (std::uint64_t{1} << format.mantissa);
  const auto left = golden & (sign - 1);
  const auto right = actual & (sign - 1);
  if (left > infinity || right > infinity) return std::nullopt;
  if (((golden ^ actual) & sign) != 0) return left + right;
  return left < right ? right - left : left - right;
}

/// Returns the distance of two elements that differ: that of the part that is further off, if they are
/// complex. Returns nullopt if a part that differs has a nan, and for dtypes without ulps.
std::optional<std::uint64_t> ulps_of(const Pair& pair, const ElementFormat& format) {
  const int bytes = format.part.bytes;
  const int parts = format.kind == ElementKind::complex ? 2 : 1;
  if (parts == 1 && format.kind != ElementKind::floating) return std::nullopt;
  std::uint64_t largest = 0;
  for (int at = 0; at < parts * bytes; at += bytes) {
    const auto golden = load_bits(pair.golden + at, bytes);
    const auto actual = load_bits(pair.actual + at, bytes);
    const auto ulps =
        golden == actual ? std::optional<std::uint64_t>(0) : ulps_between(golden, actual, format.part);
    if (!ulps) return std::nullopt;
    largest = std::max(largest, *ulps);
  }
  return largest;
}

/// Compares two tensors with the same number of bytes. Each element has `size` bytes.
Differing differing_elements(std::string_view golden, std::string_view actual, std::size_t size,
                             const ElementFormat& format) {
  Differing found;
  for (std::size_t at = 0; at + size <= golden.size(); at += size) {
    const Pair pair{golden.data() + at, actual.data() + at, size};
    if (std::memcmp(pair.golden, pair.actual, size) == 0) continue;
    const auto ulps = ulps_of(pair, format);
    if (found.count++ == 0) {
      found.first = at / size;
      found.first_ulps = ulps;
    }
    if (!ulps) ++found.without_ulps;
    if (!ulps || (found.largest_ulps && *found.largest_ulps >= *ulps)) continue;
    found.largest_ulps = ulps;
    found.largest_at = at / size;
  }
  return found;
}

/// Returns |actual - golden| and |golden|, or nullopt if the elements are not numbers.
std::optional<std::pair<double, double>> distance_and_size(const Pair& pair, const ElementFormat& format) {
  if (format.kind == ElementKind::other) return std::nullopt;  // of unknown size
  const int bytes = format.part.bytes;
  const auto golden = load_bits(pair.golden, bytes);
  const auto actual = load_bits(pair.actual, bytes);
  const auto value = [&](std::uint64_t bits) { return float_value(bits, format.part); };
  switch (format.kind) {
    case ElementKind::floating:
      return {{std::fabs(value(actual) - value(golden)), std::fabs(value(golden))}};
    case ElementKind::complex: {
      const double imaginary = value(load_bits(pair.golden + bytes, bytes));
      return {{std::hypot(value(actual) - value(golden),
                          value(load_bits(pair.actual + bytes, bytes)) - imaginary),
               std::hypot(value(golden), imaginary)}};
    }
    case ElementKind::integer: {
      const auto a = signed_value(golden, bytes);
      const auto b = signed_value(actual, bytes);
      const auto apart = a < b ? static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a)
                               : static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b);
      return {{static_cast<double>(apart), std::fabs(static_cast<double>(a))}};
    }
    case ElementKind::natural:
      return {{static_cast<double>(golden < actual ? actual - golden : golden - actual),
               static_cast<double>(golden)}};
    case ElementKind::boolean:
    case ElementKind::other:
      break;
  }
  return std::nullopt;
}

void describe_first(TensorDifference& difference, const Pair& pair, const ElementFormat& format) {
  difference.golden = element_text(pair.golden, pair.size, format);
  difference.actual = element_text(pair.actual, pair.size, format);
  if (const auto apart = distance_and_size(pair, format)) {
    difference.absolute = apart->first;
    difference.relative = apart->first / apart->second;
  }
}

std::optional<Mismatch> record_mismatch(const TensorView& expected, const TensorView& actual) {
  if (!std::ranges::equal(expected.shape, actual.shape))
    return Mismatch{"shape " + shape_text(actual.shape), shape_text(expected.shape)};
  if (expected.dtype != actual.dtype)
    return Mismatch{fmt::format("dtype {}", actual.dtype), std::string(expected.dtype)};
  if (expected.bytes.size() == actual.bytes.size()) return std::nullopt;
  return Mismatch{.actual = fmt::format("{} bytes", actual.bytes.size()),
                  .golden = std::to_string(expected.bytes.size())};
}

}  // namespace

std::optional<TensorDifference> tensor_difference(const TensorView& expected, const TensorView& actual) {
  TensorDifference result;
  result.mismatch = record_mismatch(expected, actual);
  if (!result.mismatch && expected.bytes == actual.bytes) return std::nullopt;
  const ElementFormat format = element_format(expected.dtype);
  result.elements = result.mismatch ? 0 : element_count(expected, format);
  if (result.elements == 0) {
    if (!result.mismatch) result.mismatch = Mismatch{"bytes that do not fit its shape", "others"};
    return result;
  }
  const std::size_t size = expected.bytes.size() / result.elements;
  const auto differing = differing_elements(expected.bytes, actual.bytes, size, format);
  const auto first = differing.first * size;
  result.differing = differing.count;
  result.ulps = differing.first_ulps;
  result.index = index_of(differing.first, expected.shape);
  describe_first(result, {expected.bytes.data() + first, actual.bytes.data() + first, size}, format);
  result.without_ulps = differing.without_ulps;
  result.largest_ulps = differing.largest_ulps;
  if (result.largest_ulps) result.largest_at = index_of(differing.largest_at, expected.shape);
  return result;
}

bool is_near(double expected, double actual, double most) {
  if (expected == actual || (std::isnan(expected) && std::isnan(actual))) return true;
  return std::isfinite(expected) && std::isfinite(actual) && std::fabs(actual - expected) <= most;
}

bool are_near(const TensorView& expected, const TensorView& actual, const Tolerance& tolerance) {
  if (record_mismatch(expected, actual)) return false;
  const auto format = element_format(expected.dtype);
  const auto kind = format.kind;
  const auto part = format.part;
  if (kind != ElementKind::floating && kind != ElementKind::complex) return expected.bytes == actual.bytes;
  const auto size = static_cast<std::size_t>(part.bytes);
  const auto value = [&](const TensorView& tensor, std::size_t at) {
    return float_value(load_bits(tensor.bytes.data() + at, part.bytes), part);
  };
  double largest = 0;
  for (std::size_t at = 0; at + size <= expected.bytes.size(); at += size) {
    if (const double magnitude = std::fabs(value(expected, at)); std::isfinite(magnitude))
      largest = std::max(largest, magnitude);
  }
  const double of_ulps = tolerance.ulps * std::ldexp(largest, -part.mantissa);
  for (std::size_t at = 0; at + size <= expected.bytes.size(); at += size) {
    const double wanted = value(expected, at);
    const double most = std::max(tolerance.absolute + tolerance.relative * std::fabs(wanted), of_ulps);
    if (!is_near(wanted, value(actual, at), most)) return false;
  }
  return true;
}

bool is_rounding(const TensorView& expected, const TensorView& actual) {
  return are_near(expected, actual, {.ulps = most_rounding});
}

bool differ_at(const TensorView& expected, const TensorView& actual, std::size_t element) {
  const auto size = expected.bytes.size() / element_count(expected, element_format(expected.dtype));
  return expected.bytes.substr(element * size, size) != actual.bytes.substr(element * size, size);
}

std::vector<std::int64_t> index_of(std::size_t element, std::span<const std::int64_t> shape) {
  std::vector<std::int64_t> index(shape.size());
  auto rest = static_cast<std::int64_t>(element);
  for (std::size_t i = shape.size(); i-- > 0;) {
    index[i] = rest % shape[i];
    rest /= shape[i];
  }
  return index;
}

}  // namespace torchbook::golden
