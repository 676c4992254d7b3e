#include <torchbook/training/random.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace torchbook::random::inline v1 {
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

std::mt19937 seeded(std::int64_t seed) {
  const SeedSequence sequence(seed);
  return std::mt19937(sequence);
}

}  // namespace

State Mersenne::state() const {
  std::stringstream text;
  text << engine_;
  State state{.words = std::vector<std::uint32_t>(words), .next_normal = next_normal_};
  for (auto& word : state.words) text >> word;
  text >> state.place;
  return state;
}

void Mersenne::set_state(const State& state) {
  if (state.words.size() != words || state.place > words)
    throw std::invalid_argument("a state of MT19937 has 624 words, of which at most 624 are used");
  std::stringstream text;
  for (const auto word : state.words) text << word << ' ';
  text << state.place;
  text >> engine_;
  next_normal_ = state.next_normal;
}

double Mersenne::uniform_bits() {
  const auto upper = static_cast<double>(bits() >> 5);
  const auto lower = static_cast<double>(bits() >> 6);
  return (upper * 67108864.0 + lower) * (1.0 / 9007199254740992.0);  // 2^26 and 2^53
}

Random::Random(std::int64_t seed) : Mersenne(seeded(seed)) {}

Shared<Random>& shared() {
  static Shared<Random> the_one;
  return the_one;
}

std::int64_t Random::randbelow(std::int64_t end) {
  if (end <= 0) throw std::invalid_argument("empty range for random numbers");
  const auto width = std::bit_width(static_cast<std::uint64_t>(end));
  const auto draw = [&] {  // at most 64 bits
    if (width <= 32) return static_cast<std::uint64_t>(bits() >> (32 - width));
    const std::uint64_t lower = bits();
    return lower | static_cast<std::uint64_t>(bits() >> (64 - width)) << 32;
  };
  auto drawn = draw();
  while (drawn >= static_cast<std::uint64_t>(end)) drawn = draw();
  return static_cast<std::int64_t>(drawn);
}

double Random::gauss(double mean, double deviation) {
  auto value = std::exchange(next_normal_, std::nullopt);
  if (!value) {
    const double angle = random() * (2.0 * std::numbers::pi);
    const double radius = std::sqrt(-2.0 * std::log(1.0 - random()));
    value = std::cos(angle) * radius;
    next_normal_ = std::sin(angle) * radius;
  }
  return mean + *value * deviation;
}

std::vector<std::size_t> Random::sample_indices(std::size_t size, std::int64_t count) {
  if (count < 0 || static_cast<std::size_t>(count) > size)
    throw std::invalid_argument("Sample larger than population or is negative");
  double most = 21;  // a list is smaller than a set up to here
  if (count > 5) most += std::pow(4, std::ceil(std::log(static_cast<double>(count) * 3) / std::log(4.0)));
  const auto place_below = [this](std::size_t end) {
    return static_cast<std::size_t>(randbelow(static_cast<std::int64_t>(end)));
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

}  // namespace torchbook::random::inline v1
