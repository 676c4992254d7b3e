// What the options ask for, as reports.
#pragma once

#include <torchbook/cli/document.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/options.h>

#include <string>
#include <vector>

namespace torchbook::cli {

/// A report and the exit code that goes with it.
struct Outcome {
  std::string report;
  ExitCode code = exit_equal;
  std::vector<std::string> errors{};  ///< for stderr, a line each
  std::string junit{};                ///< the report for --junit
  std::vector<ReportFile> files{};    ///< what stands in files of their own, instead of a report
};

/// Runs and judges what the options ask for, and makes the reports; nothing is written yet. `several`: of the
/// program that holds every notebook. Throws UsageError.
Outcome carry_out(const Options& options, bool several);

}  // namespace torchbook::cli
