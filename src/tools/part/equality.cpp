#include <tools/part/equality.h>
#include <tools/part/memory.h>
#include <tools/part/tensor_bits.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

namespace torchbook::trace_diff {
namespace {

bool is_number(const Value& value) {
  return value.tag == Tag::real || value.tag == Tag::whole || value.tag == Tag::boolean;
}

double number(const Value& value) {
  return value.tag == Tag::real ? std::bit_cast<double>(value.bits)
                                : static_cast<double>(static_cast<std::int64_t>(value.bits));
}

/// Returns the distance of two numbers in representable values of float32.
std::uint64_t ulps_between(float here, float there) {
  const auto place = [](float value) {
    const auto bits = std::bit_cast<std::int32_t>(value);
    return bits < 0 ? std::int64_t{INT32_MIN} - bits : std::int64_t{bits};
  };
  return static_cast<std::uint64_t>(std::abs(place(here) - place(there)));
}

/// Returns the numbers of the floating elements that both sides hold; two for each complex element.
std::vector<double> numbers_of(const Elements& elements, std::size_t bytes) {
  const auto part = golden::element_format(elements.dtype).part;
  const auto size = static_cast<std::size_t>(part.bytes);
  std::vector<double> numbers;
  for (std::size_t at = 0; at + size <= bytes; at += size)
    numbers.push_back(golden::float_value(golden::load_bits(elements.bytes.data() + at, part.bytes), part));
  return numbers;
}

}  // namespace

bool Equality::is_close(double here, double there) const {
  if (here == there || (std::isnan(here) && std::isnan(there))) return true;
  if (!std::isfinite(here) || !std::isfinite(there)) return false;
  return above_.rtol != 0 ? std::abs(here - there) <= above_.rtol * std::abs(there)
                          : ulps_between(static_cast<float>(here), static_cast<float>(there)) <= above_.ulps;
}

bool Equality::is_close(std::uint32_t here, std::uint32_t there) const {
  const auto ours = elements_of(here_, texts_, here_.tensors[here]);
  const auto theirs = elements_of(there_, texts_, there_.tensors[there]);
  if (!ours || !theirs) return false;
  const auto kind = golden::element_format(ours->dtype).kind;
  if (kind != golden::ElementKind::floating && kind != golden::ElementKind::complex) return false;
  const bool whole = ours->whole && theirs->whole;
  if (above_.rtol != 0) {
    const auto bytes = std::min(ours->bytes.size(), theirs->bytes.size());
    const auto a = numbers_of(*ours, bytes);
    const auto b = numbers_of(*theirs, bytes);
    if (!std::equal(a.begin(), a.end(), b.begin(), [&](double x, double y) { return is_close(x, y); }))
      return false;
  } else if (const auto bits = bits_difference(*ours, *theirs); bits) {
    const auto& all = bits->difference;
    if (all.without_ulps != 0 || all.largest_ulps.value_or(0) > above_.ulps) return false;
  } else if (whole) {
    return false;  // the bits are equal, and the hashes are not
  }
  if (!whole) ++in_part_;
  return true;
}

bool Equality::same_tensor(std::uint32_t here, std::uint32_t there) const {
  const auto& a = here_.tensors[here];
  const auto& b = there_.tensors[there];
  if (a.dtype != b.dtype || !std::ranges::equal(here_.shape(a), there_.shape(b))) return false;
  const bool unknown = a.hash == 0 || b.hash == 0;
  return unknown || a.hash == b.hash || (above_.any() && is_close(here, there));
}

bool Equality::same_value(const Value& here, const Value& there) const {
  if (here.tag == Tag::tensor && there.tag == Tag::tensor) return same_tensor(here.index, there.index);
  if (here.tag == there.tag)
    return here.bits == there.bits && here.imaginary == there.imaginary && here.index == there.index;
  return is_number(here) && is_number(there) && number(here) == number(there);
}

bool Equality::gave_the_same(Pair pair) const {
  const auto here = flat(here_, here_.outputs(pair.here));
  const auto there = flat(there_, there_.outputs(pair.there));
  return std::equal(here.begin(), here.end(), there.begin(), there.end(), [&](const auto& a, const auto& b) {
    const bool real = a.tag == Tag::real && b.tag == Tag::real;
    return same_value(a, b) || (real && above_.any() && is_close(number(a), number(b)));
  });
}

}  // namespace torchbook::trace_diff
