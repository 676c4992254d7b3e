// The options that several commands share, and their values.
#pragma once

#include <torchbook/golden/judge.h>
#include <torchbook/report/shown.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace torchbook::cli {

/// The form of a report.
enum class Format { text, json, ipynb };

/// When a text report is coloured.
enum class Colour {
  automatic,  ///< on a terminal that is not dumb, unless NO_COLOR is set
  always,
  never,
};

/// The format and the destination of a report.
struct Output {
  Format format = Format::text;
  std::string file;  ///< empty, or `-`: stdout

  bool to_stdout() const { return file.empty() || file == "-"; }
};

/// The content and the destination of a report on runs.
struct ReportOptions {
  std::vector<std::string> slugs;  ///< slugs or their beginnings; empty: every notebook
  std::vector<std::string> cells;  ///< the values of `--cell`; empty: every cell
  Output output;
  report::Sources source = report::Sources::cpp;
  bool transcripts = false;  ///< whether to show outputs, and not only verdicts
  bool heatmap = false;      ///< whether to draw the tensors of a transcript
  bool quiet = false;        ///< whether to show only failures and the summary
  bool failed = false;       ///< whether to show only cells that do not pass
  bool times = false;        ///< whether to show how long each cell took
  Colour colour = Colour::automatic;
  golden::Accept accept = golden::Accept::equal;
  std::string junit;     ///< a file for the JUnit report, or `-` for stdout; empty: none
  bool isolate = false;  ///< whether to report a cell that crashes

  bool isolates() const { return isolate || !junit.empty(); }
};

/// The Python that runs the twins, unless `--python` names another.
inline constexpr const char* default_python = "/usr/bin/python3";

/// Which Python runs twins, and how long it may take.
struct PythonOptions {
  std::optional<std::string> named;  ///< by `--python`
  int timeout = 300;                 ///< in seconds
  std::string twins;                 ///< a folder of other twins; empty: the built-in ones

  std::string python() const { return named.value_or(default_python); }
};

/// Return the words for values of `--format`, `--source`, `--color` and `--accept`.
std::string_view option_word(Format format);
std::string_view option_word(report::Sources sources);
std::string_view option_word(Colour colour);
std::string option_word(golden::Accept accept);

/// Adds a command whose help ends with `exit_codes`.
CLI::App& add_command(CLI::App& app, const std::string& name, const std::string& description,
                      const std::string& exit_codes);

/// The exit codes of commands that judge cells.
inline constexpr const char* exit_codes_of_runs =
    "Exit codes: 0 every cell passes, 1 something differs or is not ported,\n"
    "2 wrong usage, missing or broken input, or unwritable output, 3 a cell threw.";

/// Adds the names of notebooks.
void add_slugs(CLI::App& app, std::vector<std::string>& slugs);

/// Adds `--format` and `--output`.
void add_output_options(CLI::App& app, Output& output, const std::string& description,
                        std::initializer_list<Format> formats);

/// Adds `--format`, which is text or JSON, and `--output`.
void add_output_options(CLI::App& app, Output& output);

/// Adds `--color`.
void add_colour_option(CLI::App& app, Colour& colour);

/// Adds the options that choose cells, and how much a report for people says of them.
void add_cell_options(CLI::App& app, ReportOptions& options);

/// Adds `--source`.
void add_source_option(CLI::App& app, ReportOptions& options);

/// Adds `--exceptions FILE`.
void add_exceptions_option(CLI::App& app, std::string& file);

/// Adds the options `--accept`, `--junit` and `--isolate`.
void add_verdict_options(CLI::App& app, ReportOptions& options, bool explains = false);

/// Adds `--python` and `--timeout`. `timeout` describes the time limit.
void add_python_options(CLI::App& app, PythonOptions& python, const std::string& timeout);

/// Adds `--python`, `--timeout` and `--twins`.
void add_twin_options(CLI::App& app, PythonOptions& python, const std::string& timeout);

/// Adds the option that finds the operations at which cells differ.
void add_trace_option(CLI::App& app, bool& trace);

/// Lets an option exclude others: only one of them may be on the command line.
void exclude(CLI::App& app, const std::string& option, std::initializer_list<const char*> others);

/// Throws UsageError if an option of `names` is on the command line, because it has no effect in
/// this format.
void refuse_in(Format format, const CLI::App& app, std::initializer_list<const char*> names);

/// Throws UsageError if a report cannot be written where the options say, or the JUnit report and the other
/// one are both to go to stdout. To be called before anything runs.
void refuse_impossible_files(const ReportOptions& options);

/// A file, and the option that names it.
struct NamedFile {
  const char* option;
  std::string path;  ///< empty, or `-`: none
};

/// Throws UsageError if a file would be both written and read, or written twice.
void refuse_clashes(const std::vector<NamedFile>& written, const std::vector<NamedFile>& read);

}  // namespace torchbook::cli
