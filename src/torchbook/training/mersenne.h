// The generator of Python's module random and of numpy.random.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <random>
#include <vector>

#pragma GCC visibility push(default)
namespace torchbook::random::inline v1 {

/// The state of MT19937, as Python's `random.getstate()` and `np.random.get_state()` have it.
struct State {
  std::vector<std::uint32_t> words{};   ///< 624 of them
  std::size_t place = 0;                ///< how many of the words are used
  std::optional<double> next_normal{};  ///< the second of two normal numbers that were drawn together
};

/// MT19937, and the second of two normal numbers that were drawn together.
class Mersenne {
 public:
  explicit Mersenne(const std::mt19937& engine) : engine_(engine) {}
  State state() const;
  /// Throws std::invalid_argument if it has not 624 words, or not at most 624 of them are used.
  void set_state(const State& state);

 protected:
  ~Mersenne() = default;
  std::uint32_t bits() { return static_cast<std::uint32_t>(engine_()); }
  /// Returns a float in [0, 1) with 53 random bits.
  double uniform_bits();

  std::mt19937 engine_;
  std::optional<double> next_normal_{};
};

/// The generator of a module, which several threads may use, one after another.
template <class Generator>
class Shared {
 public:
  /// Calls `use` with the generator. As in Python, its seed is random unless seed() was called.
  template <class Use>
  auto use(const Use& use) {
    const std::lock_guard lock(mutex_);
    if (!generator_) generator_.emplace(static_cast<std::int64_t>(std::random_device()()));
    return use(*generator_);
  }
  void seed(std::int64_t seed) {
    const std::lock_guard lock(mutex_);
    generator_.emplace(seed);
  }
  /// Returns nullopt if it was not seeded and nothing was drawn.
  std::optional<State> state() {
    const std::lock_guard lock(mutex_);
    return generator_ ? std::optional(generator_->state()) : std::nullopt;
  }

 private:
  std::mutex mutex_{};
  std::optional<Generator> generator_{};
};

}  // namespace torchbook::random::inline v1
#pragma GCC visibility pop
