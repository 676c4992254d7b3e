// Compares elements in blocks, so that the compiler vectorizes the loops.
#include <torchbook/golden/differing.h>

#include <algorithm>
#include <cstring>

namespace torchbook::golden {
namespace {

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
    Word largest = 0;
    for (std::size_t i = begin; i < end; ++i) {
      count += differs(i) ? 1U : 0U;
      largest = std::max(largest, score(i));
    }
    if (found.count == 0) {
      for (found.first = begin; !differs(found.first);) ++found.first;
    }
    found.count += count;
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
  return found;
}

}  // namespace

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

}  // namespace torchbook::golden
