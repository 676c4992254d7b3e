// Draws random numbers as Python's module random does.
#pragma once

#include <torchbook/training/mersenne.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)
namespace torchbook::random::inline v1 {

/// Python's `random.Random(seed)`, for a seed that is an int. Its functions are Python's; they throw
/// std::invalid_argument for an empty range, or if there is nothing to draw from.
class Random : public Mersenne {
 public:
  explicit Random(std::int64_t seed);

  /// Returns a float in [0, 1).
  double random() { return uniform_bits(); }
  double uniform(double from, double to) { return from + (to - from) * random(); }
  double gauss(double mean = 0, double deviation = 1);
  /// Returns an int in [0, end).
  std::int64_t randbelow(std::int64_t end);
  /// Returns an int in [first, last].
  std::int64_t randint(std::int64_t first, std::int64_t last) { return first + randbelow(last - first + 1); }
  /// Returns an int in [start, end).
  std::int64_t randrange(std::int64_t start, std::int64_t end) { return start + randbelow(end - start); }
  std::int64_t randrange(std::int64_t end) { return randbelow(end); }

  template <class T>
  T choice(const std::vector<T>& values) {
    return values[static_cast<std::size_t>(randbelow(static_cast<std::int64_t>(values.size())))];
  }
  template <class T>
  std::vector<T> choices(const std::vector<T>& values, std::int64_t count = 1) {
    if (values.empty()) throw std::invalid_argument("there is nothing to choose from");
    std::vector<T> result;
    for (; count > 0; --count)
      result.push_back(values[static_cast<std::size_t>(random() * static_cast<double>(values.size()))]);
    return result;
  }
  template <class T>
  void shuffle(std::vector<T>& values) {
    using std::swap;
    for (std::size_t i = values.size(); i-- > 1;)
      swap(values[i], values[static_cast<std::size_t>(randbelow(static_cast<std::int64_t>(i) + 1))]);
  }
  /// Returns the indices that Python's `sample(values, count)` takes from `size` values.
  std::vector<std::size_t> sample_indices(std::size_t size, std::int64_t count);
  template <class T>
  std::vector<T> sample(const std::vector<T>& values, std::int64_t count) {
    std::vector<T> result;
    for (const auto place : sample_indices(values.size(), count)) result.push_back(values[place]);
    return result;
  }
};

/// Returns the generator of the functions below.
Shared<Random>& shared();

/// The functions of the module random.
inline void seed(std::int64_t seed) { shared().seed(seed); }
inline std::optional<State> state() { return shared().state(); }
inline void set_state(const State& state) {
  shared().use([&](Random& generator) { generator.set_state(state); });
}
inline double random() {
  return shared().use([](Random& from) { return from.random(); });
}
inline double uniform(double first, double last) {
  return shared().use([&](Random& from) { return from.uniform(first, last); });
}
inline double gauss(double mean = 0, double deviation = 1) {
  return shared().use([&](Random& from) { return from.gauss(mean, deviation); });
}
inline std::int64_t randint(std::int64_t first, std::int64_t last) {
  return shared().use([&](Random& from) { return from.randint(first, last); });
}
inline std::int64_t randrange(std::int64_t start, std::int64_t end) {
  return shared().use([&](Random& from) { return from.randrange(start, end); });
}
inline std::int64_t randrange(std::int64_t end) { return randrange(0, end); }
template <class T>
T choice(const std::vector<T>& values) {
  return shared().use([&](Random& from) { return from.choice(values); });
}
template <class T>
std::vector<T> choices(const std::vector<T>& values, std::int64_t count = 1) {
  return shared().use([&](Random& from) { return from.choices(values, count); });
}
template <class T>
void shuffle(std::vector<T>& values) {
  shared().use([&](Random& from) { from.shuffle(values); });
}
template <class T>
std::vector<T> sample(const std::vector<T>& values, std::int64_t count) {
  return shared().use([&](Random& from) { return from.sample(values, count); });
}

}  // namespace torchbook::random::inline v1
#pragma GCC visibility pop
