// Draws random numbers as Python's module random does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace torchbook::random {

/// Python's `random.seed(seed)` of an int. Every port calls it before it draws, because Python
/// starts from another state in each run.
void seed(std::int64_t seed);

/// Returns the state of the generator as a text; empty if it was not seeded.
std::string state();

/// Python's `random.random()`: a float in [0, 1).
double random();

/// Returns an int in [0, end). Throws std::invalid_argument if `end` is not positive.
std::int64_t below(std::int64_t end);

/// Python's `random.gauss(mean, deviation)`.
double gauss(double mean = 0, double deviation = 1);

/// Python's `random.randint(first, last)`: an int in [first, last].
inline std::int64_t randint(std::int64_t first, std::int64_t last) { return first + below(last - first + 1); }

/// Python's `random.randrange(start, end)`: an int in [start, end).
inline std::int64_t randrange(std::int64_t start, std::int64_t end) { return start + below(end - start); }
inline std::int64_t randrange(std::int64_t end) { return below(end); }

/// Python's `random.uniform(from, to)`.
inline double uniform(double from, double to) { return from + (to - from) * random(); }

/// Python's `random.choice(values)`. Throws std::invalid_argument if there is none.
template <class T>
T choice(const std::vector<T>& values) {
  return values[static_cast<std::size_t>(below(static_cast<std::int64_t>(values.size())))];
}

/// Python's `random.choices(values, k=count)`.
template <class T>
std::vector<T> choices(const std::vector<T>& values, std::int64_t count = 1) {
  std::vector<T> result;
  for (; count > 0; --count)
    result.push_back(values.at(static_cast<std::size_t>(random() * static_cast<double>(values.size()))));
  return result;
}

/// Python's `random.shuffle(values)`.
template <class T>
void shuffle(std::vector<T>& values) {
  for (std::size_t i = values.size(); i-- > 1;) {
    const T value = values[i];
    const auto other = static_cast<std::size_t>(below(static_cast<std::int64_t>(i) + 1));
    values[i] = values[other];
    values[other] = value;
  }
}

/// Returns the indices that `random.sample(values, count)` takes from `size` values. Throws
/// std::invalid_argument if there are fewer values than `count`, or if `count` is negative.
std::vector<std::size_t> sampled(std::size_t size, std::int64_t count);

/// Python's `random.sample(values, count)`.
template <class T>
std::vector<T> sample(const std::vector<T>& values, std::int64_t count) {
  std::vector<T> result;
  for (const auto place : sampled(values.size(), count)) result.push_back(values[place]);
  return result;
}

}  // namespace torchbook::random
