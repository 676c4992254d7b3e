// Keeps what is read and what is written apart.
#pragma once

#include <torchbook/cli/options.h>
#include <torchbook/notebook/ported_notebook.h>

#include <vector>

namespace torchbook::cli {

/// Throws UsageError if a file that the options name for writing is also read, or would be written twice.
/// Stdin and stdout count as what they are redirected to.
void refuse_clashes(const Options& options, const std::vector<notebook::PortedNotebook>& notebooks);

}  // namespace torchbook::cli
