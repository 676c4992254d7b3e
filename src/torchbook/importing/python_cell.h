// Undoes what Jupyter undoes before Python reads a cell.
#pragma once

#include <string>
#include <string_view>

namespace torchbook::importing {

/// Returns the Python of a cell as Jupyter hands it on: lines end in `\n` only, empty lines above the first
/// one are removed, the indentation of the first line is removed from all lines, and so are prompts (`>>> `,
/// `... `, `In [1]: `). Takes linear time.
std::string python_cell(std::string_view source);

}  // namespace torchbook::importing
