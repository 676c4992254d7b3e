// Applies the clean-up that Jupyter does before Python reads a cell.
#pragma once

#include <string>
#include <string_view>

namespace torchbook::importing {

/// Returns a cell's Python as Jupyter passes it to Python. Lines end in `\n`. Removes leading empty
/// lines, the first line's indentation from all lines, and prompts (`>>> `, `... `, `In [1]: `).
/// Takes linear time.
std::string python_cell(std::string_view source);

}  // namespace torchbook::importing
