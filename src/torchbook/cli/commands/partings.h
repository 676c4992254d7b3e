// Asks the tool `part` for the operations at which cells part from their twins.
#pragma once

#include <torchbook/cli/shared/program.h>
#include <torchbook/golden/judge.h>

#include <string>

namespace torchbook::cli {

/// Adds to each cell that differs the reason, as `torchbook-part --partings` finds it in the traces of
/// the run (`here`) and of its twin. If no cell differs, finds whether operations do. Throws UsageError if
/// the tool is missing or a trace cannot be read.
void add_partings(golden::JudgedTranscript& judged, const std::string& here, const std::string& there);

}  // namespace torchbook::cli
