// Asks LibTorch itself whether a state gives a printed tensor.
#pragma once

#include <torchbook/rng/scan.h>
#include <torchbook/seeds/call_text.h>
#include <torchbook/seeds/known_draws.h>

namespace torchbook::seeds {

/// Returns whether LibTorch, from the state on, gives a tensor with all elements that are shown. If the text
/// is that of a whole tensor, the text must be the same, too, apart from spaces.
bool gives(const TensorCall& call, const rng::State& state, const ShownElements& shown);

}  // namespace torchbook::seeds
