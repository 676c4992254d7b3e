// Reads the JSON report of a notebook's executable.
#include <fmt/format.h>
#include <tools/import/command/port_check.h>
#include <torchbook/cli/system/child.h>
#include <torchbook/cli/system/cleanup.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/golden/json_text.h>
#include <torchbook/golden/judge.h>
#include <torchbook/notebook/parse_integer.h>
#include <torchbook/report/quoted.h>
#include <torchbook/report/summary.h>
#include <torchbook/report/verdict_words.h>

#include <algorithm>

namespace torchbook::cli {
namespace {

using golden::Json;
using golden::JsonObject;
using golden::Judgement;
using golden::Verdict;

Verdict verdict_of(const JsonObject& cell) {
  const auto* const row = golden::verdict_named(cell.text("verdict"));
  if (row == nullptr) cell.fail("its verdict is not known");
  return row->verdict;
}

golden::Exception exception_of(const JsonObject& json) {
  const auto kind = golden::kind_named(json.text("kind"));
  if (!kind) json.fail("its kind is not known");
  golden::Exception exception;
  exception.kind = *kind;
  exception.reason = json.text("reason");
  exception.place = json.text("place");
  return exception;
}

/// Reads the judgement of a cell. If the text differs, the difference is present but empty.
Judgement judgement_in(const Json& json, const golden::GoldenCell& known) {
  const JsonObject cell(json, fmt::format("cell @{}", known.position));
  Judgement judgement{.verdict = verdict_of(cell), .golden_has_output = known.has_output()};
  judgement.not_ported = cell.text_if_any("not_ported");
  if (const auto carried = json.find("carried"); carried != json.end() && carried->is_array()) {
    for (const auto& name : *carried)
      judgement.carried.push_back(name.is_string() ? name.get<std::string>() : "");
  }
  const auto difference = json.find("difference");
  const bool differs = difference != json.end() && difference->is_object();
  if (differs && !JsonObject(*difference, cell.place()).field("text").is_null())
    judgement.difference.emplace();
  if (const auto found = json.find("exception"); found != json.end()) {
    const JsonObject exception(*found, cell.place());
    judgement.exception = exception_of(exception);
    judgement.exception_holds = exception.truth_or("holds", false);
  }
  return judgement;
}

std::string sides(const std::string& golden, const std::string& here) {
  return fmt::format("golden {}, here {}", golden, here);
}

/// Returns the first difference of a cell in one line: `golden 4.6668, here 4.6667`.
std::string difference_in(const Json& json) {
  const JsonObject difference(json, "");
  if (const auto error = difference.text_or_null("error")) return report::shortened(*error);
  if (const auto& values = difference.list("values"); !values.empty()) {
    const JsonObject first(values[0], "");
    if (const auto mismatch = first.text_or_null("mismatch")) return report::shortened(*mismatch);
    return sides(report::shortened(first.text("golden")), report::shortened(first.text("here")));
  }
  if (difference.field("text").is_null()) return {};
  const JsonObject text(difference.field("text"), "");
  const auto quoted =
      report::quoted_lines({.where = "stdout",
                            .column = static_cast<std::size_t>(text.number("column", INT32_MAX)),
                            .golden = text.text_or_null("golden"),
                            .actual = text.text_or_null("here")});
  return sides(quoted.golden, quoted.actual);
}

/// Returns difference_in() of a cell, or an empty text if it has no difference.
std::string difference_of(const Json& cell) {
  const auto found = cell.find("difference");
  return found == cell.end() || !found->is_object() ? "" : difference_in(*found);
}

/// Returns the report line of a cell. It is empty if the cell is equal or shows nothing, and if it is not
/// ported: its reasons are told apart.
std::string line_on(const golden::GoldenCell& cell, const Judgement& judgement, const Json& json,
                    bool tells_reasons) {
  const bool equal = golden::row_of(judgement.verdict).passes_with == golden::Accept::equal;
  const bool told_apart = judgement.verdict == Verdict::not_ported && !tells_reasons && !judgement.exception;
  if ((equal || told_apart) && !golden::has_untrue_exception(judgement)) return {};
  const auto what = golden::is_expected(judgement) ? "" : difference_of(json);
  return fmt::format("  @{} In [{}] {}{}{}\n", cell.position, cell.label, report::relation(judgement),
                     what.empty() ? "" : ": ", what);
}

/// Returns the exit code of a draft: a cell that is not ported is no failure.
ExitCode code_of(const golden::JudgedTranscript& judged) {
  if (judged.failure) return exit_usage;
  const auto& judgements = judged.judgements;
  const auto has = [&](const auto& what) { return std::any_of(judgements.begin(), judgements.end(), what); };
  if (has([](const auto& one) { return one.second.verdict == Verdict::threw; })) return exit_threw;
  const bool differs = has([](const auto& one) {
    return one.second.verdict != Verdict::not_ported && !golden::passes(one.second, golden::Accept::equal);
  });
  return differs || judgements.size() < judged.transcript.items.size() ? exit_different : exit_equal;
}

/// Returns the position of the cell that ran when SIGTERM ended a program; 0 if it does not say that.
std::size_t running_cell_in(std::string_view said) {
  const auto at = said.rfind(running_cell);
  if (at == said.npos) return 0;
  const auto number = said.substr(at + running_cell.size());
  return notebook::parse_integer<std::size_t>(number.substr(0, number.find('\n'))).value_or(0);
}

/// Reads a report. Throws GoldenError if it is none of this notebook.
CheckedPort checked(const std::string& answer, const std::string& program, const golden::Golden& golden,
                    bool tells_reasons) {
  const Json json = golden::parse_json(answer);
  const JsonObject notebook(json, "");
  if (const auto failure = notebook.text_if_any("failure")) return {.why_not = report::shortened(*failure)};
  golden::JudgedTranscript judged;
  for (const auto& cell : golden.cells) {
    notebook::Cell ran;
    ran.position = cell.position;
    judged.transcript.items.emplace_back(std::move(ran));
  }
  CheckedPort result;
  for (const auto& cell : notebook.list("cells")) {
    const auto most = static_cast<std::int64_t>(golden.cells.size());
    const auto position = JsonObject(cell, "a cell").number("position", most);
    if (position < 1) notebook.fail("it has other cells");
    const auto& known = golden.cells[static_cast<std::size_t>(position - 1)];
    const auto judgement = judgement_in(cell, known);
    result.report += line_on(known, judgement, cell, tells_reasons);
    if (judgement.verdict == Verdict::threw) result.thrown[known.position] = difference_of(cell);
    judged.judgements.emplace(known.position, judgement);
  }
  report::Summary summary;
  summary.add(judged);
  result.code = code_of(judged);
  result.report += report::summary_text(summary) + '\n';
  if (result.code != exit_equal) result.report += fmt::format("more: {} --failed\n", program);
  return result;
}

}  // namespace

CheckedPort check_port(const std::string& program, const golden::Golden& golden, int seconds,
                       bool tells_reasons) {
  // The shell would search PATH for a name without a slash.
  const auto file = program.find('/') == program.npos ? "./" + program : program;
  // Makes the kernel kill the port, and no other program, if memory runs out.
  constexpr const char* start = "{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null; exec \"$0\" \"$@\"";
  Child child({"sh", "-c", start, file, "--format", "json", "--source", "none", "--output", "/dev/fd/3"}, "");
  const auto ended = child.wait(std::chrono::seconds(seconds), [&](std::chrono::seconds passed) {
    tell_waiting(passed, file + " to run the notebook");
  });
  if (ended.timed_out) {
    return {
        .code = exit_different,
        .why_not = fmt::format("{} did not end within {} s (--timeout sets another limit)", file, seconds),
        .endless = running_cell_in(ended.said)};
  }
  if (ended.too_much) {
    return {.code = exit_different,
            .why_not = fmt::format("{} wrote more than {} MiB", file, Child::most_bytes >> 20)};
  }
  try {
    return checked(ended.answer, file, golden, tells_reasons);
  } catch (const golden::GoldenError&) {
    return {.code = exit_threw, .why_not = fmt::format("{} {}", file, how_it_ended(ended))};
  }
}

}  // namespace torchbook::cli
