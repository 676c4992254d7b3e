#include <tools/import/runtime/mersenne.h>
#include <torchbook/runtime/random.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <utility>

namespace torchbook::random {
namespace {

constexpr std::size_t words = std::mt19937::state_size;

/// A C++ seed sequence that produces the state of CPython's init_by_array.
class SeedSequence {
 public:
  using result_type = std::uint32_t;

  explicit SeedSequence(std::int64_t seed) {
    auto rest = seed < 0 ? 0 - static_cast<std::uint64_t>(seed) : static_cast<std::uint64_t>(seed);
    do {
      key_.push_back(static_cast<std::uint32_t>(rest));
      rest >>= 32;
    } while (rest != 0);
  }

  template <class Iterator>
  void generate(Iterator begin, Iterator /*end*/) const {
    std::array<std::uint32_t, words> state{};
    state[0] = 19650218;
    for (std::size_t i = 1; i < words; ++i)
      state[i] = 1812433253U * (state[i - 1] ^ state[i - 1] >> 30) + static_cast<std::uint32_t>(i);
    std::size_t i = 1;
    const auto next = [&] {
      if (++i == words) {
        state[0] = state[words - 1];
        i = 1;
      }
    };
    for (std::size_t step = 0; step < std::max(words, key_.size()); ++step, next()) {
      const auto j = step % key_.size();
      state[i] = (state[i] ^ (state[i - 1] ^ state[i - 1] >> 30) * 1664525U) + key_[j] +
                 static_cast<std::uint32_t>(j);
    }
    for (std::size_t step = 1; step < words; ++step, next())
      state[i] =
          (state[i] ^ (state[i - 1] ^ state[i - 1] >> 30) * 1566083941U) - static_cast<std::uint32_t>(i);
    state[0] = 0x80000000;
    std::copy(state.begin(), state.end(), begin);
  }

 private:
  std::vector<std::uint32_t> key_{};
};

notebook::Mersenne& generator() {
  static notebook::Mersenne the_one;
  return the_one;
}

/// Returns the next `bits` random bits, at most 64.
std::uint64_t random_bits(int bits) {
  auto& engine = generator().engine;
  if (bits <= 32) return engine() >> (32 - bits);
  const std::uint64_t lower = engine();
  return lower | static_cast<std::uint64_t>(engine() >> (64 - bits)) << 32;
}

}  // namespace

void seed(std::int64_t seed) {
  const SeedSequence sequence(seed);
  generator() = {.engine = std::mt19937(sequence), .is_seeded = true};
}

std::string state() { return generator().state(); }

double random() { return generator().uniform(); }

std::int64_t below(std::int64_t end) {
  if (end <= 0) throw std::invalid_argument("empty range for random numbers");
  const auto bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(end)));
  auto drawn = random_bits(bits);
  while (drawn >= static_cast<std::uint64_t>(end)) drawn = random_bits(bits);
  return static_cast<std::int64_t>(drawn);
}

double gauss(double mean, double deviation) {
  auto& kept = generator().next_normal;
  auto value = std::exchange(kept, std::nullopt);
  if (!value) {
    const double angle = random() * (2.0 * std::numbers::pi);
    const double radius = std::sqrt(-2.0 * std::log(1.0 - random()));
    value = std::cos(angle) * radius;
    kept = std::sin(angle) * radius;
  }
  return mean + *value * deviation;
}

std::vector<std::size_t> sampled(std::size_t size, std::int64_t count) {
  if (count < 0 || static_cast<std::size_t>(count) > size)
    throw std::invalid_argument("Sample larger than population or is negative");
  double most = 21;  // a list is smaller than a set up to here
  if (count > 5) most += std::pow(4, std::ceil(std::log(static_cast<double>(count) * 3) / std::log(4.0)));
  const auto place_below = [](std::size_t end) {
    return static_cast<std::size_t>(below(static_cast<std::int64_t>(end)));
  };
  std::vector<std::size_t> places;
  if (static_cast<double>(size) <= most) {
    std::vector<std::size_t> pool(size);
    std::iota(pool.begin(), pool.end(), std::size_t{0});
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      const auto at = place_below(size - i);
      places.push_back(pool[at]);
      pool[at] = pool[size - i - 1];
    }
    return places;
  }
  std::set<std::size_t> taken;
  while (places.size() < static_cast<std::size_t>(count)) {
    const auto at = place_below(size);
    if (taken.insert(at).second) places.push_back(at);
  }
  return places;
}

}  // namespace torchbook::random
