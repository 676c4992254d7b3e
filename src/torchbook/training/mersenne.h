// The generator of Python's module random and of numpy.random.
#pragma once

#include <optional>
#include <random>
#include <sstream>
#include <string>

namespace torchbook::notebook {

/// MT19937, and the second of two normal numbers that were drawn together.
struct Mersenne {
  std::mt19937 engine{};
  std::optional<double> next_normal{};
  bool is_seeded = false;  ///< otherwise its state is not one of Python's

  /// Returns its words and the place among them, with spaces; empty if it is not seeded.
  std::string state() const {
    std::ostringstream text;
    if (is_seeded) text << engine;
    return text.str();
  }

  /// Returns a float in [0, 1) with 53 random bits.
  double uniform() {
    const auto upper = static_cast<double>(engine() >> 5);
    const auto lower = static_cast<double>(engine() >> 6);
    return (upper * 67108864.0 + lower) * (1.0 / 9007199254740992.0);  // 2^26 and 2^53
  }
};

}  // namespace torchbook::notebook
