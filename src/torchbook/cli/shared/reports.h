// Writes the reports on runs.
#pragma once

#include <torchbook/cli/shared/options.h>
#include <torchbook/cli/shared/program.h>
#include <torchbook/cli/shared/selection.h>
#include <torchbook/golden/verdict.h>
#include <torchbook/report/explanation.h>

#include <optional>
#include <string>
#include <vector>

namespace torchbook::cli {

/// Judged runs, and what a report says about all of them.
struct JudgedRuns {
  std::vector<golden::JudgedTranscript> all;
  SameCommand again;                                 ///< shows one of them
  std::optional<report::Explanation> explanation{};  ///< why bits differ
};

/// Throws UsageError if the options ask for a report that cannot be made of these notebooks. The message says
/// what would be right.
void refuse_impossible_report(const ReportOptions& options, const std::vector<SelectedNotebook>& notebooks,
                              const SameCommand& again);

/// Writes what the options ask for, and complaints to stderr. Returns the exit code.
int report_runs(JudgedRuns runs, const ReportOptions& options, const Program& program);

/// Writes a report to the file of `--output`, or to stdout.
void write_report(const std::string& report, const std::string& path);

}  // namespace torchbook::cli
