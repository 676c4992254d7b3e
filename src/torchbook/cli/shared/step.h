// Implements `--step`, which shows runs cell by cell.
#pragma once

#include <torchbook/cli/shared/options.h>
#include <torchbook/golden/judge.h>

#include <vector>

namespace torchbook::cli {

/// Shows the cells of the runs on the terminal, one at a time, by key, until the user quits. Throws
/// Interrupted if a signal ends it.
void step(const std::vector<golden::JudgedTranscript>& judged, const ReportOptions& options);

}  // namespace torchbook::cli
