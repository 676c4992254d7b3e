// Adds the options of commands to a command line: those that several commands share, and those of one.
#pragma once

#include <torchbook/cli/options.h>

#include <initializer_list>
#include <string>

namespace CLI {
class App;
}

namespace torchbook::cli {

/// Flags that decide the action. Other options say how it is done.
struct Flags {
  bool list = false;
  bool check = false;
};

/// Adds the options of what can show transcripts.
void add_all_options(CLI::App& app, Options& options, Flags& flags);

/// Adds the options of what shows verdicts, as a report in one of `formats`.
void add_check_options(CLI::App& app, Options& options, Flags& flags, std::initializer_list<Format> formats);

/// Adds the options that say which Python runs twins. `timeout` describes its time limit.
void add_python_options(CLI::App& app, CompareOptions& compare, const std::string& timeout);

/// Adds the option that finds the operations at which cells differ.
void add_trace_option(CLI::App& app, CompareOptions& compare);

/// Adds the options of `compare`.
void add_compare_options(CLI::App& app, Options& options);

/// Adds the options of `golden`.
void add_golden_options(CLI::App& app, Options& options);

/// Adds the options that say in which form, and where, a report is written.
void add_output_options(CLI::App& app, Options& options);

/// Adds the options of `part`.
void add_part_options(CLI::App& app, Options& options);

}  // namespace torchbook::cli
