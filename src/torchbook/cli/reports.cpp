// Runs and judges the notebooks, and makes the reports that the options ask for.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/cli/causes.h>
#include <torchbook/cli/cell_selection.h>
#include <torchbook/cli/clashes.h>
#include <torchbook/cli/compare.h>
#include <torchbook/cli/doctor.h>
#include <torchbook/cli/document.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/goldens.h>
#include <torchbook/cli/option_words.h>
#include <torchbook/cli/part.h>
#include <torchbook/cli/python_golden.h>
#include <torchbook/cli/quote.h>
#include <torchbook/cli/reports.h>
#include <torchbook/cli/selection.h>
#include <torchbook/cli/step.h>
#include <torchbook/cli/terminal.h>
#include <torchbook/cli/verdicts.h>
#include <torchbook/golden/recording.h>
#include <torchbook/golden/verdict.h>
#include <torchbook/report/programs/json.h>
#include <torchbook/report/programs/junit.h>
#include <torchbook/report/terminal/terminal.h>
#include <torchbook/report/verdict_words.h>
#include <torchbook/trace/fingerprint.h>

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
  ChosenGolden chosen{};
  std::optional<std::string> failure{};  // why there is no golden
};

/// Reads the golden of a notebook. Throws UsageError if a golden given on the command line is broken or
/// belongs to another notebook.
Prepared prepared(const SelectedNotebook& selected, const Options& options, bool several) {
  const auto& notebook = selected.notebook;
  const bool named = !options.golden.empty();
  Prepared one{.notebook = &notebook, .positions = selected.positions};
  try {
    one.chosen = named ? named_golden(notebook, options.golden)
                       : built_in_golden(notebook, trace::fingerprint().torch);
  } catch (const UsageError& error) {
    one.failure = error.what();
    const std::string of = several ? fmt::format("{}: ", notebook.slug) : "";
    if (named) throw UsageError(of + *one.failure);
  }
  return one;
}

bool all_equal(const golden::JudgedTranscript& judged) {
  return std::all_of(judged.judgements.begin(), judged.judgements.end(),
                     [](const auto& one) { return golden::passes(one.second, golden::Accept::equal); });
}

/// Runs a notebook and judges it by its golden. If they differ, PyTorch's recorded bits tell by how much.
golden::JudgedTranscript run_and_judge(Prepared one) {
  if (one.failure) {
    return {
        .transcript = notebook::outline(*one.notebook), .judgements = {}, .failure = std::move(one.failure)};
  }
  auto& golden = one.chosen.golden;
  auto judged = golden::judge(run(*one.notebook, one.positions), golden);
  if (!all_equal(judged) && !one.notebook->recording.empty()) {
    golden::add_bits(golden, golden::parse_recording(one.notebook->recording));
    judged = golden::judge(std::move(judged.transcript), golden);
  }
  judged.golden_from = golden_from(one.chosen, *one.notebook);
  return judged;
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
  if (options.compare.trace) command += " --trace";
  return command;
}

std::string text_report(const std::vector<golden::JudgedTranscript>& judged, const report::Summary& summary,
                        const trace::Fingerprint& computed,
                        const std::optional<report::Explanation>& explanation, const Options& options,
                        bool several) {
  const report::TerminalStyle style = terminal_style(options);
  std::string text = explanation ? report::explanation_text(*explanation) + '\n' : "";
  for (const auto& one : judged) {
    if (options.step || options.quiet) break;  // with --step, the user has already seen its cells
    if (options.failed && one.judgements.empty() && !golden::threw(one) && !one.failure) continue;
    text += options.action == Action::run ? report::transcript_text(one, style)
                                          : report::verdict_text(one, style);
    text += '\n';
  }
  for (const auto& one : judged) {
    text += report::difference_text(one, again_command(options, one.transcript.slug, several), style);
  }
  if (options.quiet) return text + report::summary_text(summary) + '\n';
  if (options.action != Action::run) text += report::fingerprint_lines("computed by", computed);
  const auto other = std::find_if(judged.begin(), judged.end(),
                                  [](const auto& one) { return one.compared_with.has_value(); });
  if (other != judged.end()) text += report::fingerprint_lines("compared with", *other->compared_with);
  return text + report::summary_text(summary) + '\n';
}

/// Runs and judges the notebooks as the options say.
std::vector<golden::JudgedTranscript> judged_runs(const std::vector<SelectedNotebook>& notebooks,
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

/// Leaves only the cells that do not pass, as if the user had named them.
void keep_failed(golden::JudgedTranscript& judged, golden::Accept accept) {
  for (auto& item : judged.transcript.items) {
    auto* cell = std::get_if<notebook::Cell>(&item);
    if (cell == nullptr || !cell->selected) continue;
    const auto* judgement = golden::judgement_of(judged.judgements, *cell);
    cell->selected = judgement != nullptr && !golden::passes(*judgement, accept);
    if (!cell->selected) judged.judgements.erase(cell->position);
  }
}

Outcome report_runs(const std::vector<SelectedNotebook>& notebooks, const Options& options, bool several) {
  report::Summary summary;
  Outcome outcome;
  auto judged = judged_runs(notebooks, options, several);
  for (const auto& one : judged) summary.add(one);
  outcome.errors = complaints(judged, several);
  outcome.code = exit_code(judged, options.accept);
  const trace::Fingerprint computed = trace::fingerprint();
  const report::CellContent content(shown_sources(options), options.times);
  const auto explanation = explained(judged, computed, options);
  if (!options.junit.empty()) outcome.junit = report::junit_report(judged, options.accept, computed);
  if (options.failed) {
    for (auto& one : judged) keep_failed(one, options.accept);
  }
  if (options.step) step(judged, options);
  if (options.format == Format::text) {
    outcome.report = text_report(judged, summary, computed, explanation, options, several);
  } else if (options.format == Format::markdown) {
    outcome.report = markdown_document(judged, options);
  } else if (options.format == Format::ipynb) {
    outcome.files = ipynb_documents(judged, options);
  } else {
    outcome.report = several ? report::json_report(judged, content, computed, explanation)
                             : report::json_report(judged.front(), content, computed);
  }
  return outcome;
}

Outcome report_outlines(const std::vector<notebook::PortedNotebook>& notebooks, const Options& options,
                        bool several) {
  std::vector<notebook::Transcript> outlines;
  outlines.reserve(notebooks.size());
  for (const auto& notebook : notebooks) outlines.push_back(notebook::outline(notebook));
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

Outcome report_doctor(const Options& options) {
  const Examination seen = examine();
  return {.report = options.format == Format::json ? doctor_json(seen) : doctor_text(seen)};
}

/// Throws UsageError if there are several notebooks. `what` is for one.
void require_one(const std::vector<std::string_view>& slugs, std::string_view what) {
  if (slugs.size() < 2) return;
  throw UsageError(fmt::format("{} is for one notebook; name it: {}", what, fmt::join(slugs, ", ")));
}

template <class Notebooks, class SlugOf>
std::vector<std::string_view> slugs_of(const Notebooks& notebooks, const SlugOf& slug_of) {
  std::vector<std::string_view> slugs;
  slugs.reserve(std::size(notebooks));
  for (const auto& one : notebooks) slugs.push_back(slug_of(one));
  return slugs;
}

Outcome report_golden(const notebook::PortedNotebook& notebook, const Options& options) {
  auto golden = python_golden(notebook, options.compare);
  const bool raised = !golden.raised.empty();
  return {.report = std::move(golden.text),
          .code = raised ? exit_threw : exit_equal,
          .errors = std::move(golden.raised),
          .made = !raised};
}

}  // namespace

Outcome carry_out(const Options& options, bool several) {
  if (options.action == Action::doctor) return report_doctor(options);
  if (options.action == Action::part) return part_traces(options);
  const auto notebooks = selected_notebooks(options.slugs);
  refuse_clashes(options, notebooks);
  if (options.action == Action::notebooks) return report_notebooks(notebooks, options);
  if (options.action == Action::golden) {
    require_one(slugs_of(notebooks, [](const auto& one) { return one.slug; }), "golden");
    return report_golden(notebooks.front(), options);
  }
  const auto selected = select_cells(notebooks, options.cells);
  if (!options.golden.empty()) {
    require_one(slugs_of(selected, [](const auto& one) { return one.notebook.slug; }), "--golden");
  }
  if (options.step) require_terminal_for_steps();
  check_document_options(options, selected);
  if (options.action == Action::list) return report_outlines(notebooks, options, several);
  return report_runs(selected, options, several);
}

}  // namespace torchbook::cli
