// The state of the process that a notebook may change and the next one must not see.
#pragma once

#include <torchbook/pyrepr/options.h>

namespace torchbook::notebook {

/// Puts this state as it is in a process that has run nothing: print options, default dtype, grad mode,
/// deterministic mode, precision of float32 products, flushing of denormal numbers, number of threads, and
/// the generator with its default seed. It is as the process began with when this object is made, and again
/// when it is gone. run_twins.py gives each twin the same by running it in a process of its own.
class FreshState {
 public:
  FreshState();
  ~FreshState();
  FreshState(const FreshState&) = delete;
  FreshState& operator=(const FreshState&) = delete;
};

}  // namespace torchbook::notebook
