// The PyTorch counterpart of a port, cell by cell.
#pragma once

#include <torchbook/notebook/transcript.h>

#include <string_view>

namespace torchbook::notebook {

/// Gives each cell and each restored state of a transcript the text of its counterpart in the twin, a Python
/// file in the percent format: a line `# %% [label]` starts a cell, `# %% [restored] …` a restored state, and
/// cells stand in the order of the port's. Nothing is given where the twin is empty. Throws
/// std::invalid_argument where its cells are not those of the port.
void attach_twin(Transcript& transcript, std::string_view twin);

}  // namespace torchbook::notebook
