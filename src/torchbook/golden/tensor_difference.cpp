// Compares recorded tensors element by element, by the formats of their dtypes.
#include <fmt/format.h>
#include <torchbook/golden/differing.h>
#include <torchbook/golden/element.h>
#include <torchbook/golden/tensor_difference.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace torchbook::golden {
namespace {

/// The bytes of one element in both tensors.
struct Pair {
  const char* golden;
  const char* actual;
  std::size_t size;

  bool equal() const { return std::memcmp(golden, actual, size) == 0; }
};

std::optional<std::uint64_t> part_ulps(const char* golden, const char* actual, IeeeFormat part) {
  const auto a = load_bits(golden, part.bytes);
  const auto b = load_bits(actual, part.bytes);
  if (a == b) return 0;
  if (std::isnan(float_value(a, part)) || std::isnan(float_value(b, part))) return std::nullopt;
  return ulps_between(a, b, part);
}

std::optional<std::uint64_t> ulps_of(const Pair& pair, const ElementFormat& format) {
  if (format.kind == ElementKind::floating) return part_ulps(pair.golden, pair.actual, format.part);
  if (format.kind != ElementKind::complex) return std::nullopt;
  const auto bytes = format.part.bytes;
  const auto real = part_ulps(pair.golden, pair.actual, format.part);
  const auto imaginary = part_ulps(pair.golden + bytes, pair.actual + bytes, format.part);
  if (!real || !imaginary) return std::nullopt;
  return std::max(*real, *imaginary);
}

/// Returns |actual - golden| and |golden|, or nullopt if the elements are not numbers.
std::optional<std::pair<double, double>> distance_and_size(const Pair& pair, const ElementFormat& format) {
  const int bytes = format.part.bytes;
  const auto golden = load_bits(pair.golden, bytes == 0 ? 1 : bytes);
  const auto actual = load_bits(pair.actual, bytes == 0 ? 1 : bytes);
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

std::vector<std::int64_t> index_of(std::size_t element, std::span<const std::int64_t> shape) {
  std::vector<std::int64_t> index(shape.size());
  auto rest = static_cast<std::int64_t>(element);
  for (std::size_t i = shape.size(); i-- > 0;) {
    index[i] = rest % shape[i];
    rest /= shape[i];
  }
  return index;
}

void describe_first(TensorDifference& difference, const Pair& pair, const ElementFormat& format) {
  difference.golden = element_text(pair.golden, pair.size, format);
  difference.actual = element_text(pair.actual, pair.size, format);
  difference.ulps = ulps_of(pair, format);
  if (const auto apart = distance_and_size(pair, format)) {
    difference.absolute = apart->first;
    difference.relative = apart->first / apart->second;
  }
}

std::optional<Mismatch> record_mismatch(const TensorView& expected, const TensorView& actual) {
  const auto sizes = [](const TensorView& tensor) {
    return std::vector<std::int64_t>(tensor.shape.begin(), tensor.shape.end());
  };
  if (sizes(expected) != sizes(actual)) {
    return mismatch_of("shape", shape_text(sizes(actual)), shape_text(sizes(expected)));
  }
  if (expected.dtype != actual.dtype)
    return mismatch_of("dtype", std::string(actual.dtype), std::string(expected.dtype));
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
  result.index = index_of(differing.first, expected.shape);
  describe_first(result, {expected.bytes.data() + first, actual.bytes.data() + first, size}, format);
  result.largest_ulps = differing.largest_ulps;
  if (result.largest_ulps) result.largest_at = index_of(differing.largest_at, expected.shape);
  return result;
}

bool differ_at(const notebook::RecordedTensor& expected, const notebook::RecordedTensor& actual,
               const std::vector<std::int64_t>& index) {
  const auto elements = element_count(expected, element_format(expected.dtype));
  if (elements == 0 || record_mismatch(expected, actual) || index.size() != expected.shape.size())
    return false;
  std::int64_t element = 0;
  for (std::size_t i = 0; i < index.size(); ++i) {
    const auto length = expected.shape[i];
    const auto at = index[i] < 0 ? index[i] + length : index[i];
    if (at < 0 || at >= length) return false;
    element = element * length + at;
  }
  const std::size_t size = expected.bytes.size() / elements;
  const auto offset = static_cast<std::size_t>(element) * size;
  return !Pair{expected.bytes.data() + offset, actual.bytes.data() + offset, size}.equal();
}

}  // namespace torchbook::golden
