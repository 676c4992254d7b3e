// Counts verdicts.
#include <fmt/format.h>
#include <torchbook/report/summary.h>
#include <torchbook/report/words.h>

namespace torchbook::report {

void Summary::add(const golden::JudgedTranscript& judged) {
  ++notebooks_;
  if (judged.failure) {
    ++not_judged_;
    return;
  }
  for (const notebook::Cell* cell : judged.transcript.cells()) {
    if (!cell->selected) continue;
    ++cells_;
    const auto* judgement = golden::judgement_of(judged.judgements, *cell);
    if (judgement == nullptr) {
      ++not_run_;
      continue;
    }
    switch (judgement->verdict) {
      case golden::Verdict::equal:
        ++equal_;
        ++outputs_;
        break;
      case golden::Verdict::equal_as_printed:
        ++equal_as_printed_;
        ++outputs_;
        break;
      case golden::Verdict::different:
        ++different_;
        ++outputs_;
        break;
      case golden::Verdict::not_ported:
        ++not_ported_;
        if (judgement->golden_has_output) ++outputs_;
        break;
      case golden::Verdict::threw:
        ++threw_;
        break;
      case golden::Verdict::no_output:
        break;
    }
  }
}

std::string Summary::text() const {
  std::string text = fmt::format("{}, {}, {}: {} equal", counted(notebooks_, "notebook"),
                                 counted(cells_, "cell"), counted(outputs_, "output"), equal_);
  if (equal_as_printed_ != 0) text += fmt::format(", {} equal as printed", equal_as_printed_);
  if (different_ != 0) text += fmt::format(", {} different", different_);
  if (not_ported_ != 0) text += fmt::format(", {} not ported", not_ported_);
  if (threw_ != 0) text += fmt::format(", {} threw", threw_);
  if (not_run_ != 0) text += fmt::format(", {} not run", counted(not_run_, "cell"));
  if (not_judged_ != 0) text += fmt::format(", {} not judged", counted(not_judged_, "notebook"));
  return text;
}

}  // namespace torchbook::report
