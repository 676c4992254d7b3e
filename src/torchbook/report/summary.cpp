// Counts verdicts.
#include <torchbook/report/summary.h>

namespace torchbook::report {

void Outputs::add(const golden::Judgement& judgement) {
  ++all;
  if (golden::is_expected(judgement)) {
    ++expected;
  } else if (judgement.verdict == golden::Verdict::equal) {
    ++equal;
  } else if (judgement.verdict == golden::Verdict::equal_as_printed) {
    ++as_printed;
  }
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
      continue;
    }
    (golden::is_expected(*judgement) ? expected : unexpected).insert(judgement->verdict);
    if (!judgement->carried.empty()) ++carried;
    if (golden::has_untrue_exception(*judgement)) ++untrue;
    if (golden::has_counted_output(*judgement)) outputs.add(*judgement);
  }
}

}  // namespace torchbook::report
