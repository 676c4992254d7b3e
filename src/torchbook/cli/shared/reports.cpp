// Makes the reports on runs, and writes them to where the options say.
#include <fmt/format.h>
#include <torchbook/cli/shared/document.h>
#include <torchbook/cli/shared/reports.h>
#include <torchbook/cli/shared/step.h>
#include <torchbook/cli/shared/terminal.h>
#include <torchbook/cli/shared/verdicts.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/report/documents/markdown.h>
#include <torchbook/report/programs/json.h>
#include <torchbook/report/programs/junit.h>
#include <torchbook/report/terminal/terminal.h>
#include <torchbook/report/verdict_words.h>
#include <torchbook/trace/fingerprint.h>

#include <algorithm>
#include <utility>

namespace torchbook::cli {
namespace {

std::string text_report(const JudgedRuns& runs, const report::Summary& summary,
                        const trace::Fingerprint& computed, const ReportOptions& options) {
  const report::TerminalStyle style = terminal_style(options);
  std::string text = runs.explanation ? report::explanation_text(*runs.explanation) + '\n' : "";
  for (const auto& one : runs.all) {
    if (options.step || options.quiet) break;  // with --step, the user has already seen its cells
    if (options.failed && one.judgements.empty() && !golden::threw(one) && !one.failure) continue;
    text += options.transcripts ? report::transcript_text(one, style) : report::verdict_text(one, style);
    text += '\n';
  }
  for (const auto& one : runs.all) {
    text += report::difference_text(one, runs.again.of(one.transcript.slug), style);
  }
  if (options.quiet) return text + report::summary_text(summary) + '\n';
  if (!options.transcripts) text += report::fingerprint_lines("computed by", computed);
  const auto other = std::find_if(runs.all.begin(), runs.all.end(),
                                  [](const auto& one) { return one.compared_with.has_value(); });
  if (other != runs.all.end()) text += report::fingerprint_lines("compared with", *other->compared_with);
  return text + report::summary_text(summary) + '\n';
}

std::string json_report(const JudgedRuns& runs, const trace::Fingerprint& computed,
                        const ReportOptions& options, bool several) {
  const report::CellContent content(shown_sources(options), options.times);
  return several ? report::json_report(runs.all, content, computed, runs.explanation)
                 : report::json_report(runs.all.front(), content, computed);
}

/// Deselects the cells that pass, as if the user had named only the others.
void keep_failed(golden::JudgedTranscript& judged, golden::Accept accept) {
  for (auto& item : judged.transcript.items) {
    auto* cell = std::get_if<notebook::Cell>(&item);
    if (cell == nullptr || !cell->selected) continue;
    const auto* judgement = golden::judgement_of(judged.judgements, *cell);
    cell->selected = judgement != nullptr && !golden::passes(*judgement, accept);
    if (!cell->selected) judged.judgements.erase(cell->position);
  }
}

}  // namespace

void write_report(const std::string& report, const std::string& path) {
  if (path.empty() || path == "-") {
    write_stdout(report);
  } else {
    write_file(path, report);
  }
}

void refuse_impossible_report(const ReportOptions& options, const std::vector<SelectedNotebook>& notebooks,
                              const SameCommand& again) {
  if (options.step) require_terminal_for_steps();
  if (options.output.format == Format::ipynb) refuse_impossible_ipynb(options, notebooks, again);
}

int report_runs(JudgedRuns runs, const ReportOptions& options, const Program& program) {
  report::Summary summary;
  for (const auto& one : runs.all) summary.add(one);
  const auto errors = complaints(runs.all, program.several);
  const int code = exit_code(runs.all, options.accept);
  const trace::Fingerprint computed = trace::fingerprint();
  const auto junit = options.junit.empty() ? "" : report::junit_report(runs.all, options.accept, computed);
  if (options.failed) {
    for (auto& one : runs.all) keep_failed(one, options.accept);
  }
  if (options.step) step(runs.all, options);
  std::vector<ReportFile> reports;
  const auto format = options.output.format;
  if (format == Format::text) {
    reports.push_back({options.output.file, text_report(runs, summary, computed, options)});
  } else if (format == Format::markdown) {
    reports.push_back({options.output.file, report::markdown_report(runs.all, shown_sources(options))});
  } else if (format == Format::ipynb) {
    reports = ipynb_documents(runs.all, options);
  } else {
    reports.push_back({options.output.file, json_report(runs, computed, options, program.several)});
  }
  if (!options.junit.empty()) write_report(junit, options.junit);
  for (const auto& each : reports) write_report(each.text, each.path);
  say(program, errors);
  return code;
}

}  // namespace torchbook::cli
