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
    add(*judgement);
  }
}

void Summary::add(const golden::Judgement& judgement) {
  const bool expected = golden::is_expected(judgement);
  if (golden::has_untrue_exception(judgement)) ++untrue_;
  switch (judgement.verdict) {
    case golden::Verdict::equal:
      ++equal_;
      break;
    case golden::Verdict::equal_as_printed:
      ++(expected ? as_printed_as_expected_ : equal_as_printed_);
      break;
    case golden::Verdict::different:
      ++(expected ? different_as_expected_ : different_);
      break;
    case golden::Verdict::not_compared:
      ++not_compared_;
      break;
    case golden::Verdict::not_ported:
      ++(expected ? not_ported_as_expected_ : not_ported_);
      if (!judgement.golden_has_output) return;
      break;
    case golden::Verdict::threw:
      ++threw_;
      return;
    case golden::Verdict::no_output:
      return;
  }
  ++outputs_;
}

std::string Summary::text() const {
  std::string text = fmt::format("{}, {}, {}: {} equal", counted(notebooks_, "notebook"),
                                 counted(cells_, "cell"), counted(outputs_, "output"), equal_);
  const auto add = [&](std::size_t count, std::string_view words) {
    if (count != 0) text += fmt::format(", {} {}", count, words);
  };
  add(equal_as_printed_, "equal as printed");
  add(different_, "different");
  add(as_printed_as_expected_, "equal as printed as expected");
  add(different_as_expected_, different_as_expected_ == 1 ? "differs as expected" : "differ as expected");
  add(not_compared_, "not compared");
  add(not_ported_as_expected_, "not ported as expected");
  add(not_ported_, "not ported");
  if (untrue_ != 0) text += fmt::format(", {} no longer true", counted(untrue_, "exception"));
  add(threw_, "threw");
  if (not_run_ != 0) text += fmt::format(", {} not run", counted(not_run_, "cell"));
  if (not_judged_ != 0) text += fmt::format(", {} not judged", counted(not_judged_, "notebook"));
  return text;
}

}  // namespace torchbook::report
