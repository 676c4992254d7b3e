// Runs, judges and reports.
#include <fmt/format.h>
#include <torchbook/cli/compare.h>
#include <torchbook/cli/document.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/files.h>
#include <torchbook/cli/program.h>
#include <torchbook/cli/quote.h>
#include <torchbook/cli/selection.h>
#include <torchbook/golden/golden.h>
#include <torchbook/golden/verdict.h>
#include <torchbook/report/json.h>
#include <torchbook/report/summary.h>
#include <torchbook/report/terminal.h>

#include <cstdio>
#include <exception>

namespace torchbook::cli {
namespace {

/// A report and the exit code that goes with it.
struct Outcome {
  std::string report;
  ExitCode code = exit_equal;
  std::string error{};              // for stderr
  std::vector<ReportFile> files{};  // what stands in files of their own, instead of a report
};

Golden golden_for(const PortedNotebook& notebook, const Options& options) {
  const std::string text = options.golden.empty() ? std::string(notebook.golden) : read_file(options.golden);
  try {
    return parse_golden(text);
  } catch (const GoldenError& error) {
    throw UsageError(fmt::format("golden {}: {}", options.golden, error.what()));
  }
}

JudgedTranscript run_and_judge(const PortedNotebook& notebook, const Options& options) {
  const Golden golden = golden_for(notebook, options);
  Transcript cells = outline(notebook);
  const auto positions = selected_cells(options.cells, cells);
  try {
    judge(std::move(cells), golden);  // before anything runs: does this golden belong to this notebook?
    return judge(run(notebook, positions), golden);
  } catch (const GoldenError& error) {
    throw UsageError(fmt::format("golden {}: {}", options.golden, error.what()));
  }
}

std::string again_command(const Options& options, std::string_view slug, bool several) {
  std::string command = options.again;
  if (several) command += fmt::format(" {}", slug);
  if (!options.golden.empty()) command += " --golden " + quoted(options.golden);
  return command;
}

std::string text_report(const std::vector<JudgedTranscript>& judged, const Summary& summary,
                        const Options& options, bool several) {
  const TerminalStyle style{.source = options.source != "none",
                            .colour = options.output.empty() && stdout_wants_colour()};
  std::string text;
  for (const auto& one : judged) {
    text += options.action == Action::run ? transcript_text(one, style) : verdict_text(one, style);
    text += '\n';
  }
  for (const auto& one : judged) {
    text += difference_text(one, again_command(options, one.transcript.slug, several), style);
  }
  return text + summary.text() + '\n';
}

/// The notebooks run and judged, by what the options say.
std::vector<JudgedTranscript> judged_runs(const std::vector<PortedNotebook>& notebooks,
                                          const Options& options, std::string& error) {
  if (options.action == Action::compare) {
    auto comparison = compare(notebooks, options);
    error = comparison.error;
    return std::move(comparison.judged);
  }
  std::vector<JudgedTranscript> judged;
  judged.reserve(notebooks.size());
  for (const auto& notebook : notebooks) judged.push_back(run_and_judge(notebook, options));
  return judged;
}

Outcome report_runs(const std::vector<PortedNotebook>& notebooks, const Options& options, bool several) {
  Summary summary;
  Outcome outcome;
  const auto judged = judged_runs(notebooks, options, outcome.error);
  for (const auto& one : judged) {
    summary.add(one);
    if (const auto error = one.transcript.error(); error && outcome.error.empty()) {
      outcome.error = fmt::format("{}: {}", one.transcript.slug, *error);
    }
  }
  outcome.code = !outcome.error.empty() ? exit_threw : summary.all_equal() ? exit_equal : exit_different;
  const bool with_source = options.source != "none";
  if (options.format == "text") {
    outcome.report = text_report(judged, summary, options, several);
  } else if (options.format == "markdown") {
    outcome.report = markdown_document(judged, options);
  } else if (options.format == "ipynb") {
    outcome.files = ipynb_documents(judged, options);
  } else {
    outcome.report = several ? json_report(judged, with_source) : json_report(judged.front(), with_source);
  }
  return outcome;
}

Outcome report_outlines(const std::vector<PortedNotebook>& notebooks, const Options& options, bool several) {
  std::vector<Transcript> outlines;
  for (const auto& notebook : notebooks) {
    outlines.push_back(outline(notebook));
    selected_cells(options.cells, outlines.back());  // a cell that is not there is an error here too
  }
  Outcome outcome;
  if (options.format == "json") {
    outcome.report = several ? json_outline(outlines) : json_outline(outlines.front());
    return outcome;
  }
  for (const auto& cells : outlines) {
    if (several) outcome.report += fmt::format("{}== {}\n", outcome.report.empty() ? "" : "\n", cells.slug);
    outcome.report += outline_text(cells);
  }
  return outcome;
}

Outcome report_notebooks(const std::vector<PortedNotebook>& notebooks, const Options& options) {
  std::vector<Transcript> outlines;
  outlines.reserve(notebooks.size());
  for (const auto& notebook : notebooks) outlines.push_back(outline(notebook));
  if (options.format == "json") return {.report = json_outline(outlines)};
  Outcome outcome;
  for (const auto& cells : outlines) {
    outcome.report +=
        fmt::format("{:<32}{:>3} cells  {}\n", cells.slug, cells.cells().size(), cells.document);
  }
  return outcome;
}

Outcome carry_out(const Options& options, bool several) {
  const auto notebooks = selected_notebooks(options.slugs);
  const bool one_only = !options.cells.empty() || !options.golden.empty();
  if (one_only && notebooks.size() > 1) {
    throw UsageError(fmt::format("{} is for one notebook; name it, as in: torchbook run {} …",
                                 options.cells.empty() ? "--golden" : "--cell", notebooks.front().slug));
  }
  check_document_options(options, notebooks);
  if (options.action == Action::notebooks) return report_notebooks(notebooks, options);
  if (options.action == Action::list) return report_outlines(notebooks, options, several);
  return report_runs(notebooks, options, several);
}

void write_report(const std::string& report, const std::string& path) {
  if (path.empty()) {
    write_stdout(report);
  } else {
    write_file(path, report);
  }
}

int answer_request(const Request& request, const std::string& name, bool several) {
  if (const auto* answer = std::get_if<Answer>(&request)) {
    write_stdout(answer->text);
    return exit_equal;
  }
  const auto& options = std::get<Options>(request);
  const Outcome outcome = carry_out(options, several);
  for (const auto& file : outcome.files) write_report(file.text, file.path);
  if (outcome.files.empty()) write_report(outcome.report, options.output);
  if (!outcome.error.empty()) fmt::print(stderr, "{}: {}\n", name, outcome.error);
  return outcome.code;
}

}  // namespace

int program_main(const std::string& name, bool several, const std::function<Request()>& parse) {
  try {
    return answer_request(parse(), name, several);
  } catch (const UsageError& error) {
    fmt::print(stderr, "{}: {}\n", name, error.what());
    return exit_usage;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: outside a cell: {}\n", name, error.what());
    return exit_threw;
  }
}

}  // namespace torchbook::cli
