#include <tools/seed/rng/mt19937.h>

#include <algorithm>

namespace torchbook::rng {

Mt19937::Mt19937(std::uint32_t seed) {
  state_[0] = seed;
  for (std::uint32_t i = 1; i < block_size; ++i)
    state_[i] = seeding_factor * (state_[i - 1] ^ state_[i - 1] >> 30) + i;
}

void Mt19937::make_block() {
  for (std::uint32_t i = 0; i < block_size; ++i) {
    state_[i] = state_[(i + middle) % block_size] ^ twist(state_[i], state_[(i + 1) % block_size]);
  }
  next_ = 0;
}

void Mt19937::discard(std::uint64_t draws) {
  while (draws > 0) {
    if (next_ == block_size) make_block();
    const auto step = static_cast<std::uint32_t>(std::min<std::uint64_t>(draws, block_size - next_));
    next_ += step;
    draws -= step;
  }
}

}  // namespace torchbook::rng
