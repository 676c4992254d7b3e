// Implements `torchbook part`: reads two traces and tells where they part.
#pragma once

#include <torchbook/cli/options.h>
#include <torchbook/cli/reports.h>

namespace torchbook::cli {

/// Compares the two traces that the options name. The exit code is 1 if they differ in a bit. Throws
/// UsageError if one cannot be read.
Outcome part_traces(const Options& options);

}  // namespace torchbook::cli
