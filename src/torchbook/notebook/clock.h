// Python's time.time() and time.perf_counter().
#pragma once

#include <chrono>

namespace torchbook {

/// Returns the seconds on a clock that never goes back. Only the difference of two calls means something.
inline double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace torchbook
