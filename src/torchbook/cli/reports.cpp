// Runs and judges the notebooks, and makes the reports that the options ask for.
#include <fmt/format.h>
#include <torchbook/cli/causes.h>
#include <torchbook/cli/compare.h>
#include <torchbook/cli/doctor.h>
#include <torchbook/cli/document.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/files.h>
#include <torchbook/cli/option_words.h>
#include <torchbook/cli/quote.h>
#include <torchbook/cli/reports.h>
#include <torchbook/cli/selection.h>
#include <torchbook/cli/step.h>
#include <torchbook/cli/terminal.h>
#include <torchbook/cli/verdicts.h>
#include <torchbook/golden/golden.h>
#include <torchbook/golden/recording.h>
#include <torchbook/golden/verdict.h>
#include <torchbook/notebook/fingerprint.h>
#include <torchbook/report/details.h>
#include <torchbook/report/programs/json.h>
#include <torchbook/report/programs/junit.h>
#include <torchbook/report/summary.h>
#include <torchbook/report/terminal/terminal.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <set>
#include <utility>

namespace torchbook::cli {
namespace {

/// A notebook before it runs, and its golden.
struct Prepared {
  const notebook::PortedNotebook* notebook = nullptr;
  std::optional<std::set<std::size_t>> positions{};
  notebook::Transcript outline{};
  golden::Golden golden{};
  std::optional<std::string> failure{};  // why there is no golden
};

/// Reads the golden and the selection of a notebook. Throws UsageError if a selected cell does not exist, or
/// if a golden given on the command line is broken or belongs to another notebook.
Prepared prepared(const notebook::PortedNotebook& notebook, const Options& options, bool several) {
  const bool named = !options.golden.empty();
  const std::string text = named ? read_file(options.golden) : std::string(notebook.golden);
  Prepared one{.notebook = &notebook, .outline = notebook::outline(notebook)};
  one.positions = selected_cells(options.cells, one.outline);
  try {
    one.golden = golden::parse_golden(text);
    golden::require_cells_of(one.outline, one.golden);
  } catch (const golden::GoldenError& error) {
    one.failure = error.in_file(named ? options.golden : notebook.golden_file);
    const std::string of = several ? fmt::format("{}: ", notebook.slug) : "";
    if (named) throw UsageError(of + *one.failure);
  }
  return one;
}

bool all_equal(const golden::JudgedTranscript& judged) {
  return std::all_of(judged.judgements.begin(), judged.judgements.end(), [](const auto& one) {
    return golden::passes(one.second.verdict, golden::Accept::equal);
  });
}

/// Runs a notebook and judges it by its golden. If they differ, PyTorch's recorded bits tell by how much.
golden::JudgedTranscript run_and_judge(Prepared one) {
  if (one.failure) {
    return {.transcript = std::move(one.outline), .judgements = {}, .failure = std::move(one.failure)};
  }
  auto judged = golden::judge(run(*one.notebook, one.positions), one.golden);
  if (all_equal(judged) || one.notebook->recording.empty()) return judged;
  golden::add_bits(one.golden, golden::parse_recording(one.notebook->recording));
  return golden::judge(std::move(judged.transcript), one.golden);
}

std::string again_command(const Options& options, std::string_view slug, bool several) {
  std::string command = options.again;
  if (several) command += fmt::format(" {}", slug);
  const auto add = [&](const char* option, std::string_view value) {
    if (!value.empty()) command += fmt::format(" {} {}", option, shell_quoted(value));
  };
  add("--golden", options.golden);
  if (options.accept != Options().accept) add("--accept", option_word(options.accept));
  add("--twins", options.compare.twins);
  add("--reference", reference_word(options.compare));
  if (!options.compare.keep_going) command += " --no-keep-going";
  add("--python", options.compare.python.value_or(""));
  if (options.compare.once) command += " --once";
  return command;
}

std::string text_report(const std::vector<golden::JudgedTranscript>& judged, const report::Summary& summary,
                        const notebook::Fingerprint& computed,
                        const std::optional<report::Explanation>& explanation, const Options& options,
                        bool several) {
  report::TerminalStyle style = terminal_style(options);
  style.accept = options.accept;
  std::string text = explanation ? report::explanation_text(*explanation) + '\n' : "";
  for (const auto& one : judged) {
    if (options.step) break;  // the user has already seen its cells
    text += options.action == Action::run ? report::transcript_text(one, style)
                                          : report::verdict_text(one, style);
    text += '\n';
  }
  for (const auto& one : judged) {
    text += report::difference_text(one, again_command(options, one.transcript.slug, several), style);
  }
  if (options.action != Action::run) text += "computed by " + report::fingerprint_line(computed) + '\n';
  const auto other = std::find_if(judged.begin(), judged.end(),
                                  [](const auto& one) { return one.compared_with.has_value(); });
  if (other != judged.end())
    text += "compared with " + report::fingerprint_line(*other->compared_with) + '\n';
  return text + summary.text() + '\n';
}

/// Runs and judges the notebooks as the options say.
std::vector<golden::JudgedTranscript> judged_runs(const std::vector<notebook::PortedNotebook>& notebooks,
                                                  const Options& options, bool several) {
  if (options.action == Action::compare) return compare(notebooks, options);
  std::vector<Prepared> all;  // all are prepared before the first one runs
  all.reserve(notebooks.size());
  for (const auto& notebook : notebooks) all.push_back(prepared(notebook, options, several));
  std::vector<golden::JudgedTranscript> judged;
  judged.reserve(notebooks.size());
  for (auto& one : all) judged.push_back(run_and_judge(std::move(one)));
  return judged;
}

Outcome report_runs(const std::vector<notebook::PortedNotebook>& notebooks, const Options& options,
                    bool several) {
  report::Summary summary;
  Outcome outcome;
  const auto judged = judged_runs(notebooks, options, several);
  for (const auto& one : judged) summary.add(one);
  outcome.errors = complaints(judged, several);
  outcome.code = exit_code(judged, options.accept);
  if (options.step) step(judged, options);
  const notebook::Fingerprint computed = notebook::fingerprint();
  const report::Sources sources = shown_sources(options);
  const auto explanation = explained(judged, computed, options);
  if (options.format == Format::text) {
    outcome.report = text_report(judged, summary, computed, explanation, options, several);
  } else if (options.format == Format::markdown) {
    outcome.report = markdown_document(judged, options);
  } else if (options.format == Format::ipynb) {
    outcome.files = ipynb_documents(judged, options);
  } else {
    outcome.report = several ? report::json_report(judged, sources, computed, explanation)
                             : report::json_report(judged.front(), sources, computed);
  }
  if (!options.junit.empty()) outcome.junit = report::junit_report(judged, options.accept, computed);
  return outcome;
}

Outcome report_outlines(const std::vector<notebook::PortedNotebook>& notebooks, const Options& options,
                        bool several) {
  std::vector<notebook::Transcript> outlines;
  for (const auto& notebook : notebooks) {
    outlines.push_back(notebook::outline(notebook));
    selected_cells(options.cells, outlines.back());  // reports a cell that does not exist
  }
  Outcome outcome;
  if (options.format == Format::json) {
    outcome.report = several ? report::json_outline(outlines) : report::json_outline(outlines.front());
    return outcome;
  }
  for (const auto& cells : outlines) {
    if (several) outcome.report += fmt::format("{}== {}\n", outcome.report.empty() ? "" : "\n", cells.slug);
    outcome.report += report::outline_text(cells);
  }
  return outcome;
}

Outcome report_notebooks(const std::vector<notebook::PortedNotebook>& notebooks, const Options& options) {
  std::vector<notebook::Transcript> outlines;
  outlines.reserve(notebooks.size());
  for (const auto& notebook : notebooks) outlines.push_back(notebook::outline(notebook));
  if (options.format == Format::json) return {.report = report::json_outline(outlines)};
  Outcome outcome;
  for (const auto& cells : outlines) {
    outcome.report +=
        fmt::format("{:<32}{:>3} cells  {}\n", cells.slug, cells.cells().size(), cells.document);
  }
  return outcome;
}

void refuse_junit_where_it_cannot_be(const Options& options) {
  const bool list = options.action == Action::list || options.action == Action::notebooks;
  if (list && !(options.junit.empty() && options.golden.empty())) {
    throw UsageError(fmt::format("a list runs no cell, so it does not go with {}",
                                 options.junit.empty() ? "--golden" : "--junit"));
  }
  if (options.junit.empty()) return;
  if (!options.output.empty() && same_path(options.output, options.junit)) {
    throw UsageError(fmt::format("--output and --junit are both {}; they need a file each", options.junit));
  }
}

Outcome report_doctor(const Options& options) {
  const Examination seen = examine();
  return {.report = options.format == Format::json ? doctor_json(seen) : doctor_text(seen)};
}

}  // namespace

Outcome carry_out(const Options& options, bool several) {
  if (options.action == Action::doctor) return report_doctor(options);
  const auto notebooks = selected_notebooks(options.slugs);
  const bool one_only = !options.cells.empty() || !options.golden.empty();
  if (one_only && notebooks.size() > 1) {
    throw UsageError(fmt::format("{} is for one notebook; name it, as in: {} {} …",
                                 options.cells.empty() ? "--golden" : "--cell", options.again,
                                 notebooks.front().slug));
  }
  refuse_junit_where_it_cannot_be(options);
  refuse_display_where_it_cannot_be(options);
  check_document_options(options, notebooks);
  if (options.action == Action::notebooks) return report_notebooks(notebooks, options);
  if (options.action == Action::list) return report_outlines(notebooks, options, several);
  return report_runs(notebooks, options, several);
}

}  // namespace torchbook::cli
