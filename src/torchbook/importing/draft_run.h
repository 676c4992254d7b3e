// Replaces the outputs of a notebook by those of a run.
#pragma once

#include <torchbook/importing/draft.h>

#include <string_view>

namespace torchbook::importing {

/// Replaces the golden's outputs by those of a run of the twin, and names PyTorch as their source.
/// A cell that raised gets an exception and a remark. `run` has the draft's cells. `torch` is the
/// release: `PyTorch 1.13.1`.
void take_run(Draft& draft, const golden::Golden& run, std::string_view torch);

}  // namespace torchbook::importing
