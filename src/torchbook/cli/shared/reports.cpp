// Makes the reports on runs, and writes them to where the options say.
#include <fmt/format.h>
#include <torchbook/cli/shared/reports.h>
#include <torchbook/cli/shared/terminal.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/notebook/fingerprint.h>
#include <torchbook/report/documents/ipynb.h>
#include <torchbook/report/programs/json.h>
#include <torchbook/report/programs/junit.h>
#include <torchbook/report/quoted.h>
#include <torchbook/report/summary.h>
#include <torchbook/report/terminal/terminal.h>
#include <torchbook/report/terminal/text.h>
#include <torchbook/report/verdict_words.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace torchbook::cli {
namespace {

namespace fs = std::filesystem;

bool is_folder(const std::string& path) {
  std::error_code unreadable;  // writing it says why
  return fs::is_directory(path, unreadable);
}

void make_output_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!error && !is_folder(path)) error = std::make_error_code(std::errc::not_a_directory);
  if (error) throw UsageError(fmt::format("cannot write into the folder {}: {}", path, error.message()));
}

/// A report and the path of its file. The path is empty for stdout.
struct ReportFile {
  std::string path;
  std::string text;
};

/// Throws UsageError if the options name a document that cannot be made of these notebooks. The message says
/// what would be right.
void refuse_impossible_ipynb(const ReportOptions& options, const std::vector<SelectedNotebook>& notebooks,
                             const SameCommand& again) {
  if (options.source == report::Sources::none) {
    throw UsageError("--format ipynb needs code, so --source must be cpp or python");
  }
  if (notebooks.size() > 1 && options.output.to_stdout()) {
    throw UsageError(fmt::format(
        "--format ipynb writes a file for each notebook: name one, as in: {} --format ipynb, or a "
        "folder for all with --output DIR",
        again(notebooks.front().notebook.slug)));
  }
  if (!report::shows_python(options.source)) return;
  for (const auto& [notebook, positions] : notebooks) {
    if (!notebook.twin_file.empty()) continue;
    throw UsageError(
        fmt::format("--source {}: {} has no PyTorch twin", option_word(options.source), notebook.slug));
  }
}

/// Returns a Jupyter notebook for each run. A single one goes to stdout or to the file `--output`. If that is
/// a folder, or if there are several, they go into it as SLUG.ipynb. Makes the folder if it does not exist.
std::vector<ReportFile> ipynb_documents(const std::vector<golden::JudgedTranscript>& judged,
                                        const ReportOptions& options) {
  const auto& output = options.output.file;
  const bool in_folder = judged.size() > 1 || is_folder(output);
  if (in_folder) make_output_folder(output);
  const auto language =
      report::shows_python(options.source) ? report::NotebookLanguage::python : report::NotebookLanguage::cpp;
  std::vector<ReportFile> files;
  for (const auto& one : judged) {
    const auto path = in_folder ? (fs::path(output) / (one.transcript.slug + ".ipynb")).string() : output;
    files.push_back({path, report::ipynb_report(one, language)});
  }
  return files;
}

/// Returns what explains other bits; what nothing explains is red.
std::string explanation_of(const report::Explanation& explanation, bool colour) {
  constexpr std::string_view red = "31";
  const auto text = report::explanation_text(explanation);
  const auto end = text.find('\n');
  return report::coloured(text.substr(0, end), red, colour && explanation.is_fault()) + text.substr(end) +
         '\n';
}

/// Returns what names the operation at which a notebook differs. Returns an empty text if nothing does or it
/// has no twin.
std::string trace_advice(const golden::JudgedTranscript& judged, const JudgedRuns& runs,
                         golden::Accept accept) {
  const auto cells = judged.transcript.cells();
  const bool differs = std::any_of(cells.begin(), cells.end(), [&](const notebook::Cell* cell) {
    const auto* judgement = golden::judgement_of(judged.judgements, *cell);
    if (judgement == nullptr || golden::passes(*judgement, accept) || cell->twin.empty()) return false;
    const auto& row = golden::row_of(judgement->verdict);
    return row.has_reasons && row.ran;
  });
  if (!runs.trace || !differs) return {};
  return fmt::format("  `{}` names the operation\n", report::pictured(runs.trace(judged.transcript.slug)));
}

/// Returns the counts, and a line for each notebook whose outputs are equal though its operations differ.
std::string ending(const JudgedRuns& runs, const report::Summary& summary) {
  auto text = report::summary_text(summary) + '\n';
  for (const auto& one : runs.all) {
    if (one.unshown.empty()) continue;
    text += fmt::format("{}: outputs are equal, but {}\n", one.transcript.slug, one.unshown);
  }
  return text;
}

std::string text_report(const JudgedRuns& runs, const report::Summary& summary,
                        const notebook::Fingerprint& computed, const ReportOptions& options) {
  const report::TerminalStyle style = terminal_style(options);
  std::string text = runs.explanation ? explanation_of(*runs.explanation, style.colour) : "";
  for (const auto& one : runs.all) {
    if (options.quiet) break;
    if (options.failed && one.judgements.empty() && !golden::threw(one) && !one.failure) continue;
    text += options.transcripts ? report::transcript_text(one, style) : report::verdict_text(one, style);
    text += '\n';
  }
  for (const auto& one : runs.all) {
    text += report::difference_text(one, runs.again(one.transcript.slug), style);
    text += trace_advice(one, runs, options.accept);
  }
  if (options.quiet) return text + ending(runs, summary);
  if (!options.transcripts) text += report::fingerprint_lines("computed by", computed);
  const auto other = std::find_if(runs.all.begin(), runs.all.end(),
                                  [](const auto& one) { return one.compared_with.has_value(); });
  if (other != runs.all.end()) text += report::fingerprint_lines("compared with", *other->compared_with);
  return text + ending(runs, summary);
}

std::string json_report(const JudgedRuns& runs, const notebook::Fingerprint& computed,
                        const ReportOptions& options, bool several) {
  const report::CellContent content(options.source, options.times);
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

ExitCode exit_code(std::span<const golden::JudgedTranscript> judged, golden::Accept accept) {
  if (std::any_of(judged.begin(), judged.end(), [](const auto& one) { return golden::threw(one); }))
    return exit_threw;
  if (std::any_of(judged.begin(), judged.end(), [](const auto& one) { return one.failure.has_value(); })) {
    return exit_usage;
  }
  const bool pass =
      std::all_of(judged.begin(), judged.end(), [&](const auto& one) { return golden::passes(one, accept); });
  return pass ? exit_equal : exit_different;
}

std::vector<std::string> complaints(std::span<const golden::JudgedTranscript> judged, bool several) {
  std::vector<std::string> lines;
  for (const auto& one : judged) {
    const std::string notebook = several ? one.transcript.slug + ": " : "";
    if (one.failure) lines.push_back(notebook + report::shortened(*one.failure));
    for (const auto& error : report::thrown(one)) lines.push_back(notebook + report::shortened(error));
  }
  return lines;
}

void refuse_impossible_report(const ReportOptions& options, const std::vector<SelectedNotebook>& notebooks,
                              const SameCommand& again) {
  if (options.output.format == Format::ipynb) refuse_impossible_ipynb(options, notebooks, again);
}

int report_runs(JudgedRuns runs, const ReportOptions& options, const Program& program) {
  report::Summary summary;
  for (const auto& one : runs.all) summary.add(one);
  const auto errors = complaints(runs.all, program.several);
  const int code = exit_code(runs.all, options.accept);
  const notebook::Fingerprint computed = notebook::fingerprint();
  const auto junit = options.junit.empty() ? "" : report::junit_report(runs.all, options.accept, computed);
  if (options.failed) {
    for (auto& one : runs.all) keep_failed(one, options.accept);
  }
  std::vector<ReportFile> reports;
  const auto format = options.output.format;
  if (format == Format::text) {
    reports.push_back({options.output.file, text_report(runs, summary, computed, options)});
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
