// Makes the reports that the options ask for.
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
  std::vector<std::string> errors{};  ///< lines for stderr
  std::string junit{};                ///< the report for `--junit`
  std::vector<ReportFile> files{};    ///< reports in files of their own, written instead of `report`
  bool made = true;                   ///< if not, nothing is written but the errors
};

/// Runs and judges what the options ask for, and makes the reports. Writes nothing yet. `several` says
/// whether the program holds every notebook. Throws UsageError.
Outcome carry_out(const Options& options, bool several);

}  // namespace torchbook::cli
