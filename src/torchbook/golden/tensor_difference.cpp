// Compares recorded tensors by the formats of their dtypes, in blocks, so that the compiler vectorizes the
// loops.
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

constexpr std::size_t block = 1024;  // elements

/// The elements of both tensors. Each has `parts` words: two if it is complex, otherwise one.
template <class Word, std::size_t parts>
struct Words {
  const char* golden;
  const char* actual;
  Word infinity;

  static Word load(const char* from, std::size_t index) {
    Word word;
    std::memcpy(&word, from + index * sizeof(Word), sizeof(Word));
    return word;
  }

  /// Returns the distance in ulps plus 1, or 0 if one of the words is nan.
  Word part_score(Word a, Word b) const {
    constexpr auto sign = static_cast<Word>(Word{1} << (8 * sizeof(Word) - 1));
    const auto left = static_cast<Word>(a & ~sign);
    const auto right = static_cast<Word>(b & ~sign);
    const auto apart = static_cast<Word>(left < right ? right - left : left - right);
    const auto ulps = ((a ^ b) & sign) != 0 ? static_cast<Word>(left + right) : apart;
    return left > infinity || right > infinity ? Word{0} : static_cast<Word>(ulps + 1);
  }

  bool differs(std::size_t element) const {
    bool any = false;
    for (std::size_t i = element * parts; i < (element + 1) * parts; ++i)
      any |= load(golden, i) != load(actual, i);
    return any;
  }

  /// Returns the largest score of the parts. Returns 0 if the elements are equal or a part that
  /// differs has a nan.
  Word score(std::size_t element) const {
    Word largest = 0;
    bool all = true;
    for (std::size_t i = element * parts; i < (element + 1) * parts; ++i) {
      const auto a = load(golden, i);
      const auto b = load(actual, i);
      const auto one = a == b ? Word{1} : part_score(a, b);
      all &= one != 0;
      largest = std::max(largest, one);
    }
    return all && differs(element) ? largest : Word{0};
  }

  /// Compares the elements from `begin` up to `end`, at least one of which differs.
  void scan(std::size_t begin, std::size_t end, Differing& found) const {
    std::uint32_t count = 0;
    std::uint32_t measured = 0;
    Word largest = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const auto one = score(i);
      count += differs(i) ? 1U : 0U;
      measured += one != 0 ? 1U : 0U;
      largest = std::max(largest, one);
    }
    if (found.count == 0) {
      for (found.first = begin; !differs(found.first);) ++found.first;
      if (const auto first = score(found.first); first != 0) found.first_ulps = std::uint64_t{first} - 1;
    }
    found.count += count;
    found.without_ulps += count - measured;
    if (largest == 0 || (found.largest_ulps && *found.largest_ulps + 1 >= largest)) return;
    found.largest_ulps = std::uint64_t{largest} - 1;
    for (found.largest_at = begin; score(found.largest_at) != largest;) ++found.largest_at;
  }
};

template <class Word, std::size_t parts = 1>
Differing scanned(std::string_view golden, std::string_view actual, IeeeFormat format) {
  constexpr auto size = sizeof(Word) * parts;
  const auto exponent_bits = 8 * sizeof(Word) - 1 - static_cast<std::size_t>(format.mantissa);
  const auto infinity = static_cast<Word>(((std::uint64_t{1} << exponent_bits) - 1) << format.mantissa);
  const Words<Word, parts> words{golden.data(), actual.data(), infinity};
  Differing found;
  const auto elements = golden.size() / size;
  for (std::size_t begin = 0; begin < elements; begin += block) {
    const auto end = std::min(begin + block, elements);
    const auto bytes = (end - begin) * size;
    if (std::memcmp(golden.data() + begin * size, actual.data() + begin * size, bytes) == 0) continue;
    words.scan(begin, end, found);
  }
  return found;
}

/// Compares elements that have no ulps.
Differing compared(std::string_view golden, std::string_view actual, std::size_t size) {
  Differing found;
  for (std::size_t at = 0; at + size <= golden.size(); at += size) {
    if (std::memcmp(golden.data() + at, actual.data() + at, size) == 0) continue;
    if (found.count++ == 0) found.first = at / size;
  }
  found.without_ulps = found.count;
  return found;
}

/// Compares two tensors with the same number of bytes. Each element has `size` bytes.
Differing differing_elements(std::string_view golden, std::string_view actual, std::size_t size,
                             const ElementFormat& format) {
  const auto bytes = format.part.bytes;
  if (format.kind == ElementKind::floating) {
    if (bytes == 2) return scanned<std::uint16_t>(golden, actual, format.part);
    if (bytes == 4) return scanned<std::uint32_t>(golden, actual, format.part);
    return scanned<std::uint64_t>(golden, actual, format.part);
  }
  if (format.kind == ElementKind::complex) {
    if (bytes == 2) return scanned<std::uint16_t, 2>(golden, actual, format.part);
    if (bytes == 4) return scanned<std::uint32_t, 2>(golden, actual, format.part);
    return scanned<std::uint64_t, 2>(golden, actual, format.part);
  }
  return compared(golden, actual, size);
}

/// The bytes of one element in both tensors.
struct Pair {
  const char* golden;
  const char* actual;
  std::size_t size;
};

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

bool is_rounding(const TensorView& expected, const TensorView& actual) {
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
  const double bound = most_rounding * std::ldexp(largest, -part.mantissa);
  for (std::size_t at = 0; at + size <= expected.bytes.size(); at += size) {
    const double wanted = value(expected, at);
    const double here = value(actual, at);
    const bool same = wanted == here || (std::isnan(wanted) && std::isnan(here));
    if (!same && !(std::fabs(here - wanted) <= bound)) return false;
  }
  return true;
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
