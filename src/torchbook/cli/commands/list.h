// Lists the cells of notebooks.
#pragma once

#include <torchbook/cli/shared/options.h>
#include <torchbook/cli/shared/program.h>

#include <string>
#include <vector>

namespace torchbook::cli {

/// Writes a line for each cell of the notebooks, and runs none. Returns the exit code.
int list_cells(const std::vector<std::string>& slugs, const Output& output, const Program& program);

}  // namespace torchbook::cli
