// Reads a twin: the PyTorch counterpart of a port, a Python file in the percent format.
#pragma once

#include <torchbook/notebook/cells/axis.h>
#include <torchbook/notebook/cells/text_error.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::notebook {

/// A cell of a twin, or a restored state of it.
struct TwinCell {
  bool restored = false;
  std::string label;              ///< what its heading names; empty for a restored state
  std::string source;             ///< its Python text, without empty lines at its end
  std::size_t line = 0;           ///< the line of the first character of `source`, from 1
  std::vector<NamedAxis> axes{};  ///< what its comments name, in order
};

/// Reads a twin, in linear time. A line `# axis inputs 0: Your, journey` names the entries of a dimension.
/// A line `# %% [label]` begins a cell, `# %% [restored] …` a
/// restored state, and `# %% [markdown]` a text, which is skipped. Inside a multi-line string, such
/// a line is part of the string. Throws TextError for any other line that begins with `# %%`, and
/// for code outside of cells.
std::vector<TwinCell> parse_twin(std::string_view text);

}  // namespace torchbook::notebook
