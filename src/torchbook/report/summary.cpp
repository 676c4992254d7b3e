#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/report/summary.h>
#include <torchbook/report/words.h>

#include <vector>

namespace torchbook::report {

using golden::Verdict;

void Outputs::add(const golden::Judgement& judgement) {
  ++all;
  if (golden::is_expected(judgement)) {
    ++expected;
  } else if (judgement.verdict == Verdict::equal) {
    ++equal;
  } else if (judgement.verdict == Verdict::equal_as_printed) {
    ++as_printed;
  }
}

void CellCounts::add(const golden::Judgement& judgement) {
  verdicts.insert(judgement.verdict);
  if (!judgement.carried.empty()) ++carried;
}

void Summary::add(const golden::JudgedTranscript& judged) {
  ++notebooks;
  if (judged.failure) {
    ++not_judged;
    return;
  }
  for (const notebook::Cell* cell : judged.transcript.cells()) {
    if (!cell->selected) continue;
    ++cells;
    const auto* judgement = golden::judgement_of(judged.judgements, *cell);
    if (judgement == nullptr) {
      ++not_run;
      if (cell->has_output()) ++outputs.all;
      continue;
    }
    (golden::is_expected(*judgement) ? expected : unexpected).add(*judgement);
    if (golden::has_untrue_exception(*judgement)) ++untrue;
    const bool raised = judgement->raised && cell->has_output();  // so the twin has none
    if (raised || golden::has_counted_output(*judgement)) outputs.add(*judgement);
  }
}

std::string outputs_text(const Outputs& outputs, std::size_t of, std::string_view against) {
  if (outputs.equal == of)
    return of == 1 ? fmt::format("the one output equals {}", against)
                   : fmt::format("all {} outputs equal {}", of, against);
  auto text = fmt::format("{} of {} outputs equal {}", outputs.equal, of, against);
  if (outputs.as_printed != 0)
    text += fmt::format(", {} agree{} as printed", outputs.as_printed, outputs.as_printed == 1 ? "s" : "");
  if (outputs.expected != 0)
    text += fmt::format(", {} as expected {} not", outputs.expected, outputs.expected == 1 ? "does" : "do");
  return text;
}

/// Returns the counts that are not 0: `1 equal as printed`, `2 different`.
static std::vector<std::string> counts_of(const CellCounts& cells) {
  std::vector<std::string> counts;
  for (const auto& row : golden::verdicts) {
    const auto count = cells.with(row.verdict);
    if (count == 0 || !row.counted) continue;
    counts.push_back(fmt::format("{} {}", count, golden::spaced_name(row)));
    if (row.verdict == Verdict::not_ported && cells.carried != 0)
      counts.back() += fmt::format(" ({} with values carried from Python)", cells.carried);
  }
  return counts;
}

std::string summary_text(const Summary& summary) {
  auto counts = counts_of(summary.unexpected);
  if (summary.unexpected.with(Verdict::equal) == 0) counts.insert(counts.begin(), "0 equal");
  const auto add = [&](std::size_t count, std::string_view noun, std::string_view what) {
    if (count != 0) counts.push_back(fmt::format("{} {}", counted(count, noun), what));
  };
  add(summary.untrue, "exception", "no longer true");
  add(summary.not_run, "cell", "not run");
  add(summary.not_judged, "notebook", "not judged");
  const auto expected = counts_of(summary.expected);
  return fmt::format("{}, {}, {}: {}{}{}", counted(summary.notebooks, "notebook"),
                     counted(summary.cells, "cell"), report::counted(summary.outputs.all, "output"),
                     fmt::join(counts, ", "),
                     expected.empty() ? "" : "; as expected: ", fmt::join(expected, ", "));
}

}  // namespace torchbook::report
