// Python's time.time() and time.perf_counter().
#pragma once

#include <chrono>

namespace torchbook {

/// Returns the seconds of a monotonic clock. Only the difference between two calls is meaningful.
inline double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace torchbook
