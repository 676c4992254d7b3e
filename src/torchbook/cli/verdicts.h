// What judged runs mean for the shell: an exit code, and lines on stderr.
#pragma once

#include <torchbook/cli/exit.h>
#include <torchbook/golden/verdict.h>

#include <span>
#include <string>
#include <vector>

namespace torchbook::cli {

/// Returns 3 if a cell threw, else 2 if a notebook could not be judged, else 1 if a cell does not pass, else
/// 0.
ExitCode exit_code(std::span<const golden::JudgedTranscript> judged, golden::Accept accept);

/// Returns a line for everything that threw and for each notebook that could not be judged. `several`: of the
/// program that holds every notebook; the lines name the notebook there.
std::vector<std::string> complaints(std::span<const golden::JudgedTranscript> judged, bool several);

}  // namespace torchbook::cli
