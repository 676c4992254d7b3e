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
#include <filesystem>

namespace torchbook::cli {
namespace {

using golden::field;
using golden::Json;
using golden::Judgement;
using golden::part_of;
using golden::text_if_any;
using golden::Verdict;

Verdict verdict_of(const Json& cell) {
  const auto* const row = golden::verdict_named(field<std::string>(cell, "verdict"));
  if (row == nullptr) throw golden::GoldenError(0, "its verdict is unknown");
  return row->verdict;
}

golden::Exception exception_of(const Json& json) {
  const auto kind = golden::kind_named(field<std::string>(json, "kind"));
  if (!kind) throw golden::GoldenError(0, "its kind is unknown");
  golden::Exception exception;
  exception.kind = *kind;
  exception.reason = field<std::string>(json, "reason");
  exception.place = field<std::string>(json, "place");
  return exception;
}

/// Reads the judgement of a cell. If the text differs, the difference is present but empty.
Judgement judgement_in(const Json& json, const golden::GoldenCell& known) {
  Judgement judgement{.verdict = verdict_of(json), .golden_has_output = known.has_output()};
  judgement.not_ported = text_if_any(json, "not_ported");
  judgement.carried = golden::field_or(json, "carried", judgement.carried);
  const auto difference = json.find("difference");
  const bool differs = difference != json.end() && difference->is_object();
  if (differs && !part_of(*difference, "text").is_null()) judgement.difference.emplace();
  if (const auto found = json.find("exception"); found != json.end()) {
    judgement.exception = exception_of(*found);
    judgement.exception_holds = golden::field_or(*found, "holds", false);
  }
  return judgement;
}

/// Describes a difference between golden and C++; `where` has the line, or is empty.
using Sides = std::string (*)(const std::string& where, const std::string& golden, const std::string& here);

std::string golden_and_here(const std::string& /*where*/, const std::string& golden,
                            const std::string& here) {
  return fmt::format("golden {}, here {}", golden, here);
}

std::string sentence(const std::string& where, const std::string& golden, const std::string& here) {
  if (where.empty()) return fmt::format("it shows {} in Python and {} in C++", golden, here);
  return fmt::format("{} is \"{}\" in Python and \"{}\" in C++", where, golden, here);
}

/// Returns the first difference of a cell in one line: `golden 4.6668, here 4.6667`.
std::string difference_in(const Json& difference, Sides sides) {
  if (const auto error = text_if_any(difference, "error")) return report::shortened(*error);
  if (const auto& values = part_of(difference, "values"); !values.empty()) {
    const Json& first = values.front();
    if (const auto mismatch = text_if_any(first, "mismatch")) return report::shortened(*mismatch);
    return sides("", report::shortened(field<std::string>(first, "golden")),
                 report::shortened(field<std::string>(first, "here")));
  }
  const Json& text = part_of(difference, "text");
  if (text.is_null()) return {};
  const auto quoted = report::quoted_lines({.where = "stdout",
                                            .column = field<std::size_t>(text, "column"),
                                            .golden = text_if_any(text, "golden"),
                                            .actual = text_if_any(text, "here")});
  const auto where = fmt::format("line {} of what it {}", field<std::size_t>(text, "line"),
                                 field<std::string>(text, "output") == "stdout" ? "prints" : "displays");
  return sides(where, quoted.golden, quoted.actual);
}

/// Returns difference_in() of a cell, or an empty text if it has no difference.
std::string difference_of(const Json& cell, Sides sides) {
  const auto found = cell.find("difference");
  return found == cell.end() || !found->is_object() ? "" : difference_in(*found, sides);
}

/// Returns the report line of a cell. Empty for a cell that is equal, shows nothing, or is not ported: the
/// reasons of the latter are reported separately.
std::string line_on(const golden::GoldenCell& cell, const Judgement& judgement, const Json& json,
                    bool tells_reasons) {
  const bool equal = golden::row_of(judgement.verdict).passes_with == golden::Accept::equal;
  const bool told_apart = judgement.verdict == Verdict::not_ported && !tells_reasons && !judgement.exception;
  if ((equal || told_apart) && !golden::has_untrue_exception(judgement)) return {};
  const auto what = golden::is_expected(judgement) ? "" : difference_of(json, golden_and_here);
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

/// Returns the position of the cell that ran when SIGTERM ended a program; 0 if its output does not say so.
std::size_t running_cell_in(std::string_view said) {
  const auto at = said.rfind(running_cell);
  if (at == said.npos) return 0;
  const auto number = said.substr(at + running_cell.size());
  return notebook::parse_integer<std::size_t>(number.substr(0, number.find('\n'))).value_or(0);
}

/// Reads a report. Throws GoldenError if it is not one of this notebook.
CheckedPort checked(const std::string& answer, const std::string& program, const golden::Golden& golden,
                    bool tells_reasons) {
  const Json json = golden::parse_json(answer);
  if (const auto failure = text_if_any(json, "failure")) return {.why_not = report::shortened(*failure)};
  golden::JudgedTranscript judged;
  for (const auto& cell : golden.cells) {
    notebook::Cell ran;
    ran.position = cell.position;
    judged.transcript.items.emplace_back(std::move(ran));
  }
  CheckedPort result;
  std::size_t left = 0;  // the first cell that is neither ported nor excepted
  for (const auto& cell : part_of(json, "cells")) {
    const auto position = field<std::size_t>(cell, "position");
    if (position < 1 || position > golden.cells.size()) throw golden::GoldenError(0, "it has other cells");
    const auto& known = golden.cells[position - 1];
    const auto judgement = judgement_in(cell, known);
    result.report += line_on(known, judgement, cell, tells_reasons);
    const bool passes = golden::passes(judgement, golden::Accept::equal);
    if (judgement.verdict == Verdict::threw) {
      result.thrown[known.position] = difference_of(cell, sentence);
    } else if (judgement.verdict == Verdict::not_ported) {
      if (left == 0 && !passes) left = position;
    } else if (!passes) {
      result.different[known.position] = difference_of(cell, sentence);
    }
    judged.judgements.emplace(known.position, judgement);
  }
  report::Summary summary;
  summary.add(judged);
  result.code = code_of(judged);
  result.report += report::summary_text(summary) + '\n';
  if (result.code != exit_equal) result.report += fmt::format("more: {} --failed\n", program);
  if (left > 0 && !tells_reasons)
    result.report += fmt::format(
        "next: write the C++ of what is not ported in {}.cpp, or add \"@{} not ported: WHY\" and the like to "
        "{}.exceptions; until then, --check and ctest fail\n",
        golden.slug, left, golden.slug);
  return result;
}

}  // namespace

CheckedPort check_port(const std::string& program, const golden::Golden& golden, int seconds,
                       bool tells_reasons, const std::string& folder, const std::string& proof) {
  // The shell would search PATH for a name without a slash.
  const auto file = program.find('/') == program.npos ? "./" + program : program;
  const auto here = std::filesystem::absolute(file).string();
  // Makes the kernel kill the port, and no other program, if memory runs out.
  constexpr const char* start =
      "{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null; cd \"$1\" && shift && exec \"$0\" \"$@\"";
  Child child({"env", fmt::format("TORCHBOOK_PROOF={}", proof), "sh", "-c", start, here, folder, "--format",
               "json", "--source", "none", "--output", "/dev/fd/3"},
              "");
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
