// Resets the state of the process that one notebook may change and the next one must not see.
#pragma once

#include <torchbook/pyrepr/options.h>

namespace torchbook::notebook {

/// Resets print options, default dtype, grad mode, deterministic mode, precision of float32 products,
/// flushing of denormal numbers, number of threads, and the generator with its default seed. All are as in a
/// process that has run nothing, both when this object is made and when it is destroyed. run_twins.py does
/// the same for twins: it runs each in a process of its own.
class FreshState {
 public:
  FreshState();
  ~FreshState();
  FreshState(const FreshState&) = delete;
  FreshState& operator=(const FreshState&) = delete;
};

}  // namespace torchbook::notebook
