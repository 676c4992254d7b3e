#include <ATen/ATen.h>
#include <torchbook/training/numpy_random.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace torchbook::np::random::inline v1 {
namespace {

std::uint32_t checked_range(std::int64_t low, std::int64_t high) {
  const bool fits = low < high && static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) <=
                                      std::numeric_limits<std::uint32_t>::max();
  TORCH_CHECK(fits, "np.random.randint: low >= high, or the range is too large");
  return static_cast<std::uint32_t>(high - low - 1);
}

/// Fills an array in the order of its elements.
template <class T, class Draw>
at::Tensor filled(at::IntArrayRef sizes, at::ScalarType dtype, const Draw& draw) {
  auto array = at::empty(sizes, dtype);
  auto* const numbers = array.template data_ptr<T>();
  for (std::int64_t i = 0; i < array.numel(); ++i) numbers[i] = draw();
  return array;
}

std::mt19937 seeded(std::int64_t seed) {
  TORCH_CHECK(seed >= 0 && seed <= std::numeric_limits<std::uint32_t>::max(),
              "Seed must be between 0 and 2**32 - 1");
  return std::mt19937(static_cast<std::uint32_t>(seed));
}

}  // namespace

torchbook::random::Shared<RandomState>& shared() {
  static torchbook::random::Shared<RandomState> the_one;
  return the_one;
}

RandomState::RandomState(std::int64_t seed) : Mersenne(seeded(seed)) {}

/// Returns an int in [0, most], by NumPy's masks and rejections.
std::uint32_t RandomState::at_most(std::uint32_t most) {
  if (most == 0) return 0;
  std::uint32_t mask = most;
  for (int width = 1; width < std::numeric_limits<std::uint32_t>::digits; width *= 2) mask |= mask >> width;
  std::uint32_t drawn = 0;
  do {
    drawn = bits() & mask;
  } while (drawn > most);
  return drawn;
}

double RandomState::randn() {
  if (next_normal_) return *std::exchange(next_normal_, std::nullopt);
  double x = 0;
  double y = 0;
  double square = 0;
  do {
    x = 2.0 * rand() - 1.0;
    y = 2.0 * rand() - 1.0;
    square = x * x + y * y;
  } while (square >= 1.0 || square == 0.0);
  const double factor = std::sqrt(-2.0 * std::log(square) / square);
  next_normal_ = factor * x;
  return factor * y;
}

double RandomState::normal(double mean, double deviation) {
  TORCH_CHECK(deviation >= 0, "np.random.normal: scale < 0");
  return mean + deviation * randn();
}

std::int64_t RandomState::randint(std::int64_t low, std::int64_t high) {
  return low + at_most(checked_range(low, high));
}

at::Tensor RandomState::rand(at::IntArrayRef sizes) {
  return filled<double>(sizes, at::kDouble, [this] { return rand(); });
}

at::Tensor RandomState::randn(at::IntArrayRef sizes) {
  return filled<double>(sizes, at::kDouble, [this] { return randn(); });
}

at::Tensor RandomState::uniform(double low, double high, at::IntArrayRef sizes) {
  return filled<double>(sizes, at::kDouble, [&] { return uniform(low, high); });
}

at::Tensor RandomState::normal(double mean, double deviation, at::IntArrayRef sizes) {
  return filled<double>(sizes, at::kDouble, [&] { return normal(mean, deviation); });
}

at::Tensor RandomState::randint(std::int64_t low, std::int64_t high, at::IntArrayRef sizes) {
  const auto range = checked_range(low, high);
  return filled<std::int64_t>(sizes, at::kLong, [&] { return low + at_most(range); });
}

at::Tensor RandomState::permutation(std::int64_t count) {
  TORCH_CHECK(count >= 0 && count <= std::numeric_limits<std::uint32_t>::max(),
              "np.random.permutation: ", count, " is out of range");
  std::vector<std::int64_t> places(static_cast<std::size_t>(count));
  std::iota(places.begin(), places.end(), 0);
  for (std::size_t i = places.size(); i-- > 1;)
    std::swap(places[i], places[at_most(static_cast<std::uint32_t>(i))]);
  return at::tensor(places, at::kLong);
}

at::Tensor RandomState::choice(std::int64_t count, std::int64_t size, bool replace) {
  if (replace) return randint(0, count, {size});
  TORCH_CHECK(size <= count, "np.random.choice: the sample is larger than the population");
  return permutation(count).slice(0, 0, size).clone();
}

}  // namespace torchbook::np::random::inline v1
