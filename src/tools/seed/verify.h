// Checks with LibTorch itself whether a state produces a printed tensor.
#pragma once

#include <tools/seed/known_draws.h>
#include <tools/seed/rng/scan.h>
#include <tools/seed/tensor_call.h>

namespace torchbook::seeds {

/// Returns whether LibTorch, starting from the state, draws a tensor with all shown elements. If a
/// whole tensor is printed, the text must match as well, apart from spaces, requires_grad and
/// grad_fn.
bool reproduces(const TensorCall& call, const rng::State& state, const ShownElements& shown);

}  // namespace torchbook::seeds
