// Compares recorded tensors element by element, by the formats of their dtypes.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/golden/floating.h>
#include <torchbook/golden/tensor_difference.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <numeric>
#include <string_view>

namespace torchbook::golden {
namespace {

enum class Kind { floating, complex, integer, natural, boolean, other };

/// How the elements of a dtype lie in memory.
struct Layout {
  Kind kind = Kind::other;
  IeeeFormat part{};  // of an element, or of either part of a complex one; integers use its bytes only
};

Layout layout_of(const std::string& dtype) {
  static const std::map<std::string_view, Layout> layouts = {
      {"torch.float16", {Kind::floating, {2, 10}}},   {"torch.bfloat16", {Kind::floating, {2, 7}}},
      {"torch.float32", {Kind::floating, {4, 23}}},   {"torch.float64", {Kind::floating, {8, 52}}},
      {"torch.complex32", {Kind::complex, {2, 10}}},  {"torch.complex64", {Kind::complex, {4, 23}}},
      {"torch.complex128", {Kind::complex, {8, 52}}}, {"torch.bool", {Kind::boolean, {1, 0}}},
      {"torch.int8", {Kind::integer, {1, 0}}},        {"torch.int16", {Kind::integer, {2, 0}}},
      {"torch.int32", {Kind::integer, {4, 0}}},       {"torch.int64", {Kind::integer, {8, 0}}},
      {"torch.uint8", {Kind::natural, {1, 0}}},       {"torch.uint16", {Kind::natural, {2, 0}}},
      {"torch.uint32", {Kind::natural, {4, 0}}},      {"torch.uint64", {Kind::natural, {8, 0}}}};
  const auto found = layouts.find(dtype);
  return found == layouts.end() ? Layout{} : found->second;
}

/// The integer that `bytes` bytes in memory are.
std::uint64_t load(const char* at, int bytes) {
  std::uint8_t narrow = 0;
  std::uint16_t half = 0;
  std::uint32_t word = 0;
  std::uint64_t wide = 0;
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

/// The signed integer that these bits are in two's complement.
std::int64_t signed_value(std::uint64_t bits, int bytes) {
  const int unused = 64 - 8 * bytes;
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

/// One element of either tensor.
struct Pair {
  const char* golden;
  const char* actual;
  std::size_t size;

  bool equal() const { return std::memcmp(golden, actual, size) == 0; }
};

std::string text_of(const char* at, std::size_t size, const Layout& layout) {
  const int bytes = layout.part.bytes;
  switch (layout.kind) {
    case Kind::floating:
      return float_text(load(at, bytes), layout.part);
    case Kind::complex: {
      const auto imaginary = float_text(load(at + bytes, bytes), layout.part);
      return fmt::format("{}{}{}j", float_text(load(at, bytes), layout.part),
                         imaginary.starts_with('-') ? "" : "+", imaginary);
    }
    case Kind::integer:
      return fmt::format("{}", signed_value(load(at, bytes), bytes));
    case Kind::natural:
      return fmt::format("{}", load(at, bytes));
    case Kind::boolean:
      return *at == 0 ? "False" : "True";
    case Kind::other:
      break;
  }
  std::string hex = "0x";
  for (std::size_t i = 0; i < size; ++i) hex += fmt::format("{:02x}", static_cast<unsigned char>(at[i]));
  return hex;
}

std::optional<std::uint64_t> part_ulps(const char* golden, const char* actual, IeeeFormat format) {
  const auto a = load(golden, format.bytes);
  const auto b = load(actual, format.bytes);
  if (a == b) return 0;
  if (std::isnan(float_value(a, format)) || std::isnan(float_value(b, format))) return std::nullopt;
  return ulps_between(a, b, format);
}

std::optional<std::uint64_t> ulps_of(const Pair& pair, const Layout& layout) {
  if (layout.kind == Kind::floating) return part_ulps(pair.golden, pair.actual, layout.part);
  if (layout.kind != Kind::complex) return std::nullopt;
  const auto bytes = layout.part.bytes;
  const auto real = part_ulps(pair.golden, pair.actual, layout.part);
  const auto imaginary = part_ulps(pair.golden + bytes, pair.actual + bytes, layout.part);
  if (!real || !imaginary) return std::nullopt;
  return std::max(*real, *imaginary);
}

/// |actual - golden| and |golden|; nothing for what is no number.
std::optional<std::pair<double, double>> distance_and_size(const Pair& pair, const Layout& layout) {
  const int bytes = layout.part.bytes;
  const auto golden = load(pair.golden, bytes == 0 ? 1 : bytes);
  const auto actual = load(pair.actual, bytes == 0 ? 1 : bytes);
  const auto value = [&](std::uint64_t bits) { return float_value(bits, layout.part); };
  switch (layout.kind) {
    case Kind::floating:
      return {{std::fabs(value(actual) - value(golden)), std::fabs(value(golden))}};
    case Kind::complex: {
      const double imaginary = value(load(pair.golden + bytes, bytes));
      return {{std::hypot(value(actual) - value(golden), value(load(pair.actual + bytes, bytes)) - imaginary),
               std::hypot(value(golden), imaginary)}};
    }
    case Kind::integer: {
      const auto a = signed_value(golden, bytes);
      const auto b = signed_value(actual, bytes);
      const auto apart = a < b ? static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a)
                               : static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b);
      return {{static_cast<double>(apart), std::fabs(static_cast<double>(a))}};
    }
    case Kind::natural:
      return {{static_cast<double>(golden < actual ? actual - golden : golden - actual),
               static_cast<double>(golden)}};
    case Kind::boolean:
    case Kind::other:
      break;
  }
  return std::nullopt;
}

std::vector<std::int64_t> index_of(std::size_t element, const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> index(shape.size());
  auto rest = static_cast<std::int64_t>(element);
  for (std::size_t i = shape.size(); i-- > 0;) {
    index[i] = rest % shape[i];
    rest /= shape[i];
  }
  return index;
}

void describe_first(TensorDifference& difference, const Pair& pair, const Layout& layout) {
  difference.golden = text_of(pair.golden, pair.size, layout);
  difference.actual = text_of(pair.actual, pair.size, layout);
  difference.ulps = ulps_of(pair, layout);
  if (const auto apart = distance_and_size(pair, layout)) {
    difference.absolute = apart->first;
    difference.relative = apart->first / apart->second;
  }
}

std::string mismatch_of(const notebook::RecordedTensor& expected, const notebook::RecordedTensor& actual) {
  const auto differ = [](std::string_view what, std::string_view golden, std::string_view here) {
    return fmt::format("{} {} expected, {} here", what, golden, here);
  };
  if (expected.dtype != actual.dtype) return differ("dtype", expected.dtype, actual.dtype);
  if (expected.shape != actual.shape) {
    return differ("shape", fmt::format("[{}]", fmt::join(expected.shape, ", ")),
                  fmt::format("[{}]", fmt::join(actual.shape, ", ")));
  }
  if (expected.bytes.size() != actual.bytes.size()) {
    return differ("bytes", std::to_string(expected.bytes.size()), std::to_string(actual.bytes.size()));
  }
  return {};
}

/// How many elements the recorded bytes hold; a record whose bytes do not fit its shape counts as one.
std::size_t element_count(const notebook::RecordedTensor& tensor, const Layout& layout) {
  const auto count = static_cast<std::size_t>(
      std::accumulate(tensor.shape.begin(), tensor.shape.end(), std::int64_t{1}, std::multiplies<>()));
  const auto size = static_cast<std::size_t>(layout.part.bytes) * (layout.kind == Kind::complex ? 2 : 1);
  const bool fits = layout.kind == Kind::other ? count != 0 && tensor.bytes.size() % count == 0
                                               : tensor.bytes.size() == count * size;
  return fits ? count : 0;
}

}  // namespace

std::optional<TensorDifference> tensor_difference(const notebook::RecordedTensor& expected,
                                                  const notebook::RecordedTensor& actual) {
  if (expected == actual) return std::nullopt;
  TensorDifference result;
  result.mismatch = mismatch_of(expected, actual);
  const Layout layout = layout_of(expected.dtype);
  result.elements = result.mismatch.empty() ? element_count(expected, layout) : 0;
  if (result.elements == 0) {
    if (result.mismatch.empty()) result.mismatch = "records whose bytes do not fit their shape";
    return result;
  }
  const std::size_t size = expected.bytes.size() / result.elements;
  for (std::size_t i = 0; i < result.elements; ++i) {
    const Pair pair{expected.bytes.data() + i * size, actual.bytes.data() + i * size, size};
    if (pair.equal()) continue;
    if (result.differing++ == 0) {
      result.index = index_of(i, expected.shape);
      describe_first(result, pair, layout);
    }
    const auto ulps = ulps_of(pair, layout);
    if (ulps && (!result.largest_ulps || *ulps > *result.largest_ulps)) {
      result.largest_ulps = ulps;
      result.largest_at = index_of(i, expected.shape);
    }
  }
  return result;
}

bool differ_at(const notebook::RecordedTensor& expected, const notebook::RecordedTensor& actual,
               const std::vector<std::int64_t>& index) {
  const auto elements = element_count(expected, layout_of(expected.dtype));
  if (elements == 0 || !mismatch_of(expected, actual).empty() || index.size() != expected.shape.size())
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
