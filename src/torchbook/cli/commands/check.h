// Runs notebooks and judges them by their goldens.
#pragma once

#include <torchbook/cli/shared/options.h>
#include <torchbook/cli/shared/program.h>
#include <torchbook/cli/shared/selection.h>

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace torchbook::cli {

/// The options of `check` and `run`.
struct CheckOptions {
  ReportOptions report{};
  std::string golden{};      ///< a file, or `-` for stdin; empty: the built-in one
  std::string exceptions{};  ///< a file of exceptions; mostly empty
  std::string
      operators{};  ///< of `check`: the trace of a program whose operators are looked for; mostly empty
};

/// Adds the options that both commands have.
void add_check_options(CLI::App& app, CheckOptions& options, std::initializer_list<Format> formats);

/// Runs the notebooks, judges them, and writes the reports. Returns the exit code. `command` is the
/// command that the messages suggest to repeat the run.
int check(const CheckOptions& options, const Program& program, const std::string& command);

/// Tells which operators of ATen the trace in a file has that the notebooks do not call. Throws UsageError if
/// the file is no trace.
int tell_operators(std::span<const notebook::PortedNotebook> notebooks, const std::string& file,
                   const Output& output, const Program& program);

}  // namespace torchbook::cli
