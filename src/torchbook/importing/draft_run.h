// Gives a notebook that was run the outputs of that run.
#pragma once

#include <torchbook/importing/draft.h>

#include <string_view>

namespace torchbook::importing {

/// Takes what PyTorch gave for the draft's twin: the golden becomes that, and says so. A cell that raised
/// gets an exception, and is listed. `run` has the draft's cells, `torch` is the PyTorch: `PyTorch 1.13.1`.
void take_run(Draft& draft, const golden::Golden& run, std::string_view torch);

}  // namespace torchbook::importing
