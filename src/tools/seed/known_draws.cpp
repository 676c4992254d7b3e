// Converts printed digits to ranges of values, and the ranges to tests of draws.
#include <fmt/format.h>
#include <tools/seed/known_draws.h>
#include <torchbook/golden/printed_number.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <numbers>
#include <numeric>

namespace torchbook::seeds {
namespace {

using rng::Dtype, rng::Function;

/// A 53-bit value is made from two draws. Its upper bits are this many lower bits of the first
/// draw.
constexpr int upper_bits_of_53 = 53 - 32;

struct Range {
  double first, last;
};

/// Returns by how much kernels of a dtype differ from exact results.
double tolerance(Dtype dtype) {
  switch (dtype) {
    case Dtype::float16:
      return 0x1p-10;
    case Dtype::bfloat16:
      return 0x1p-7;
    case Dtype::float64:
      return 1e-12;
    default:
      return 4e-6;
  }
}

class Tests {
 public:
  Tests(const TensorCall& call, const ShownElements& shown) : call_(call.call), shown_(shown) {}

  std::vector<rng::DrawTest> take() {
    std::sort(tests_.begin(), tests_.end(), [](const auto& a, const auto& b) { return a.draw < b.draw; });
    return std::move(tests_);
  }

  void uniform() {
    for (const auto& [index, text] : shown_.elements) {
      const auto range = range_of(text);
      if (range.last < 0 || range.first >= 1) fail(text);
      add_fraction(draw_of(index), {std::max(range.first, 0.0), std::min(range.last, 1.0)});
    }
  }

  void mask() {
    for (const auto& [index, text] : shown_.elements) {
      const bool one = golden::PrintedNumber(text).value() != 0;
      const double p = call_.probability;
      if (one ? p == 0 : p == 1) fail(text);
      add_fraction(draw_of(index), one ? Range{0, p} : Range{p, 1});
    }
  }

  void normal_pairs() {
    for (std::int64_t i = 0; i + 1 < call_.count; i += 2)
      add_normal(i, i + 1, static_cast<std::uint32_t>(2 * i + 2), static_cast<std::uint32_t>(2 * i));
  }

  /// If the size is not a multiple of sixteen, LibTorch redraws the last sixteen elements.
  void normal_blocks() {
    const auto count = call_.count, rest = count % rng::normal_block;
    const auto again = rest == 0 ? count : count - rng::normal_block;
    for (std::int64_t block = 0; block + rng::normal_block <= count; block += rng::normal_block) {
      for (std::int64_t i = block; i < block + 8 && i + 8 < again; ++i)
        add_normal(i, i + 8, draw_of(i), draw_of(i + 8));
    }
    for (std::int64_t i = again; i < again + 8 && i < count; ++i)
      add_normal(i, i + 8, draw_of(i + rng::normal_block), draw_of(i + 8 + rng::normal_block));
  }

  void integers() {
    const auto range = rng::range_of(call_);
    for (const auto& [index, text] : shown_.elements) {
      const auto value = integer(text);
      if (value < call_.low || value >= call_.high) fail(text);
      if (range == 1) continue;
      const auto rest = static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(call_.low);
      if (rng::draws_pairs(call_)) {
        wide_integer(draw_of(index), range, rest);
      } else {
        add(rng::test_of_rest(draw_of(index), static_cast<std::uint32_t>(range),
                              static_cast<std::uint32_t>(rest)));
      }
    }
  }

  /// Reconstructs the swaps of the shuffle, each of which swaps an element with itself or a later
  /// one. Ends at the first element that is not shown.
  void permutation() {
    std::map<std::int64_t, std::int64_t> values, places;  // only of those that were exchanged
    const auto at = [](auto& exchanged, std::int64_t key) -> std::int64_t& {
      return exchanged.try_emplace(key, key).first->second;
    };
    for (std::int64_t i = 0; i + 1 < call_.count; ++i) {
      const auto shown = shown_.elements.find(i);
      if (shown == shown_.elements.end()) return;
      const auto value = integer(shown->second);
      if (value < 0 || value >= call_.count || at(places, value) < i) fail(shown->second);
      const auto place = at(places, value);
      add(rng::test_of_rest(draw_of(i), static_cast<std::uint32_t>(call_.count - i),
                            static_cast<std::uint32_t>(place - i)));
      at(places, at(values, i)) = place;
      at(places, value) = i;
      std::swap(at(values, i), at(values, place));
    }
  }

 private:
  [[noreturn]] void fail(std::string_view text) const {
    throw SeedError(fmt::format("the call never draws {}", text));
  }

  /// Adds a test. After 4096 tests, more would not help a search.
  void add(const rng::DrawTest& test) {
    if (tests_.size() < 4096) tests_.push_back(test);
  }

  /// Adds tests for a remainder of a number made from two draws. It determines the number's lower
  /// bits, as many as `range` has factors of two.
  void wide_integer(std::uint32_t upper_draw, std::uint64_t range, std::uint64_t rest) {
    const int known = std::countr_zero(range);
    const auto low = std::min(known, 32), high = std::clamp(known - 32, 0, 32);
    const auto part = [](std::uint64_t bits, int count) {
      return static_cast<std::uint32_t>(bits & ((std::uint64_t{1} << count) - 1));
    };
    if (high > 0) add(rng::test_of_range(upper_draw, high, part(rest >> 32, high), 0));
    add(rng::test_of_range(upper_draw + 1, low, part(rest, low), 0));
  }

  std::uint32_t draw_of(std::int64_t element) const {
    return static_cast<std::uint32_t>(rng::draws_pairs(call_) ? 2 * element : element);
  }

  std::int64_t integer(std::string_view text) const {
    std::int64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec != std::errc()) fail(text);
    return value;
  }

  Range range_of(std::string_view text) const {
    const golden::PrintedNumber number(text);
    const double value = number.value(), half = number.half_unit();
    if (!std::isfinite(value)) fail(text);
    return {value - half, value + half};
  }

  /// Adds a test that a uniform value is in a range. A range that begins below 0 wraps around.
  void add_fraction(std::uint32_t draw, const Range& range, int bits = 0) {
    if (bits == 0) bits = rng::draws_pairs(call_) ? upper_bits_of_53 : rng::uniform_bits(call_.dtype);
    const double all = std::ldexp(1, bits);
    const double first = std::floor(range.first * all);
    const double last = std::min(std::ceil(range.last * all), range.first < 0 ? all : all - 1);
    if (last - first + 1 >= all) return;
    const auto wrapped = static_cast<std::uint32_t>(static_cast<std::int64_t>(first)) & ((1U << bits) - 1);
    add(rng::test_of_range(draw, bits, wrapped, static_cast<std::uint32_t>(last - first)));
  }

  Range wide_range(std::string_view text) const {
    const auto range = range_of(text);
    const double more = tolerance(call_.dtype) * (1 + std::fabs(range.last));
    return {range.first - more, range.last + more};
  }

  /// Adds tests for a pair of normal values. Its radius comes from one uniform value, its angle
  /// from another.
  void add_normal(std::int64_t cosine, std::int64_t sine, std::uint32_t length_draw,
                  std::uint32_t angle_draw) {
    const auto a = shown_.elements.find(cosine), b = shown_.elements.find(sine);
    if (a == shown_.elements.end() || b == shown_.elements.end()) return;
    const auto x = wide_range(a->second), y = wide_range(b->second);
    const int bits = rng::draws_in_blocks(call_) && call_.dtype != Dtype::float64
                         ? rng::uniform_bits(call_.dtype)
                         : upper_bits_of_53;
    const auto nearest = [](const Range& range) {
      return range.first > 0 ? range.first : range.last < 0 ? -range.last : 0;
    };
    const auto farthest = [](const Range& range) { return std::max(-range.first, range.last); };
    const auto fraction = [](double length) { return -std::expm1(-length * length / 2); };
    add_fraction(length_draw,
                 {fraction(std::hypot(nearest(x), nearest(y))),
                  std::min(fraction(std::hypot(farthest(x), farthest(y))), 1 - std::ldexp(1, -bits))},
                 bits);
    if (nearest(x) == 0 && nearest(y) == 0) return;  // any angle
    const auto turns = [](double u, double v) { return std::atan2(v, u) / (2 * std::numbers::pi); };
    const double middle = turns(x.first + x.last, y.first + y.last);
    double apart = 0;
    for (const double u : {x.first, x.last}) {
      for (const double v : {y.first, y.last})
        apart = std::max(apart, std::fabs(std::remainder(turns(u, v) - middle, 1)));
    }
    add_fraction(angle_draw, {middle - apart, middle + apart}, bits);
  }

  const rng::Call& call_;
  const ShownElements& shown_;
  std::vector<rng::DrawTest> tests_{};
};

}  // namespace

std::vector<rng::DrawTest> tests_of(const TensorCall& call, const ShownElements& shown) {
  Tests tests(call, shown);
  switch (call.call.function) {
    case Function::rand:
      tests.uniform();
      break;
    case Function::randint:
      tests.integers();
      break;
    case Function::randperm:
      tests.permutation();
      break;
    case Function::bernoulli:
    case Function::mask:
      tests.mask();
      break;
    case Function::randn:
      rng::draws_in_blocks(call.call) ? tests.normal_blocks() : tests.normal_pairs();
  }
  return tests.take();
}

double bits_of(const std::vector<rng::DrawTest>& tests) {
  return std::accumulate(tests.begin(), tests.end(), 0.0,
                         [](double sum, const auto& test) { return sum - std::log2(test.probability); });
}

double false_hits(const std::vector<rng::DrawTest>& tests, double states) {
  return std::exp2(std::log2(states) - bits_of(tests));
}

}  // namespace torchbook::seeds
