// Draws arrays and numbers as the module numpy.random does.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/util/ArrayRef.h>
#include <torchbook/training/mersenne.h>

#include <cstdint>
#include <optional>

#pragma GCC visibility push(default)
namespace torchbook::np::random::inline v1 {

using torchbook::random::State;

/// NumPy's `np.random.RandomState(seed)`. Its functions are NumPy's: without sizes they return a number, with
/// sizes an array. They throw c10::Error for an empty range, or if there is nothing to draw from.
class RandomState : public torchbook::random::Mersenne {
 public:
  /// Throws c10::Error if the seed does not fit into 32 bits.
  explicit RandomState(std::int64_t seed);

  double rand() { return uniform_bits(); }
  double randn();
  double uniform(double low, double high) { return low + (high - low) * rand(); }
  double normal(double mean, double deviation);
  /// `high` is excluded.
  std::int64_t randint(std::int64_t low, std::int64_t high);

  at::Tensor rand(at::IntArrayRef sizes);
  at::Tensor randn(at::IntArrayRef sizes);
  at::Tensor uniform(double low, double high, at::IntArrayRef sizes);
  at::Tensor normal(double mean, double deviation, at::IntArrayRef sizes);
  at::Tensor randint(std::int64_t low, std::int64_t high, at::IntArrayRef sizes);

  at::Tensor permutation(std::int64_t count);
  /// Returns indices below `count`.
  at::Tensor choice(std::int64_t count, std::int64_t size, bool replace);

 private:
  std::uint32_t at_most(std::uint32_t most);
};

/// Returns the generator of the functions below.
torchbook::random::Shared<RandomState>& shared();

/// The functions of the module numpy.random; see RandomState.
inline void seed(std::int64_t seed) { shared().seed(seed); }
inline std::optional<State> state() { return shared().state(); }
inline void set_state(const State& state) {
  shared().use([&](RandomState& generator) { generator.set_state(state); });
}
inline double rand() {
  return shared().use([](RandomState& from) { return from.rand(); });
}
inline at::Tensor rand(at::IntArrayRef sizes) {
  return shared().use([&](RandomState& from) { return from.rand(sizes); });
}
inline double randn() {
  return shared().use([](RandomState& from) { return from.randn(); });
}
inline at::Tensor randn(at::IntArrayRef sizes) {
  return shared().use([&](RandomState& from) { return from.randn(sizes); });
}
inline double uniform(double low, double high) {
  return shared().use([&](RandomState& from) { return from.uniform(low, high); });
}
inline at::Tensor uniform(double low, double high, at::IntArrayRef sizes) {
  return shared().use([&](RandomState& from) { return from.uniform(low, high, sizes); });
}
inline double normal(double mean, double deviation) {
  return shared().use([&](RandomState& from) { return from.normal(mean, deviation); });
}
inline at::Tensor normal(double mean, double deviation, at::IntArrayRef sizes) {
  return shared().use([&](RandomState& from) { return from.normal(mean, deviation, sizes); });
}
inline std::int64_t randint(std::int64_t low, std::int64_t high) {
  return shared().use([&](RandomState& from) { return from.randint(low, high); });
}
inline at::Tensor randint(std::int64_t low, std::int64_t high, at::IntArrayRef sizes) {
  return shared().use([&](RandomState& from) { return from.randint(low, high, sizes); });
}
inline at::Tensor permutation(std::int64_t count) {
  return shared().use([&](RandomState& from) { return from.permutation(count); });
}
inline at::Tensor choice(std::int64_t count, std::int64_t size, bool replace) {
  return shared().use([&](RandomState& from) { return from.choice(count, size, replace); });
}

}  // namespace torchbook::np::random::inline v1
#pragma GCC visibility pop
