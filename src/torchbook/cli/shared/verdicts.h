// Computes the exit code and the error lines of judged runs.
#pragma once

#include <torchbook/cli/system/exit.h>
#include <torchbook/golden/verdict.h>

#include <span>
#include <string>
#include <vector>

namespace torchbook::cli {

/// Returns 3 if a cell threw, otherwise 2 if a notebook could not be judged, otherwise 1 if a cell does not
/// pass, otherwise 0.
ExitCode exit_code(std::span<const golden::JudgedTranscript> judged, golden::Accept accept);

/// Returns a line for each exception and for each notebook that could not be judged. If `several`
/// is true, the lines name the notebook.
std::vector<std::string> complaints(std::span<const golden::JudgedTranscript> judged, bool several);

}  // namespace torchbook::cli
