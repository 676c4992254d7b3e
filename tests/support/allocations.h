// Counts the memory that code asks for, for tests that readers and writers are linear.
#pragma once

#include <cstddef>

namespace torchbook::test {

/// Returns how many bytes the program has asked for with `new` so far, whether or not they were freed. A text
/// that is copied again and again counts each time. Returns 0 under the sanitizers, which count themselves.
std::size_t bytes_asked_for();

/// Returns how many bytes `work` asks for.
template <class Work>
std::size_t bytes_asked_by(const Work& work) {
  const auto before = bytes_asked_for();
  work();
  return bytes_asked_for() - before;
}

}  // namespace torchbook::test
