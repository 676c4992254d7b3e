// Writes the reports on runs, and derives exit codes and error lines from them.
#pragma once

#include <torchbook/cli/shared/options.h>
#include <torchbook/cli/shared/program.h>
#include <torchbook/cli/shared/selection.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/golden/judge.h>
#include <torchbook/report/explanation.h>

#include <optional>
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

/// Judged runs, and what a report says about all of them.
struct JudgedRuns {
  std::vector<golden::JudgedTranscript> all;
  SameCommand again;                                 ///< shows one of them
  std::optional<report::Explanation> explanation{};  ///< why bits differ
  SameCommand trace{};  ///< names the operation at which one of them differs; empty if no command does
};

/// Throws UsageError if the options ask for a report that cannot be made of these notebooks. The message says
/// what would be right.
void refuse_impossible_report(const ReportOptions& options, const std::vector<SelectedNotebook>& notebooks,
                              const SameCommand& again);

/// Writes what the options ask for, and complaints to stderr. Returns the exit code.
int report_runs(JudgedRuns runs, const ReportOptions& options, const Program& program);

}  // namespace torchbook::cli
