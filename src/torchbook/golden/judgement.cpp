// Decides from a judgement whether its cell passes.
#include <torchbook/golden/judgement.h>

namespace torchbook::golden {

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::equal:
      return "equal";
    case Verdict::equal_as_printed:
      return "equal-as-printed";
    case Verdict::different:
      return "different";
    case Verdict::not_compared:
      return "not-compared";
    case Verdict::not_ported:
      return "not-ported";
    case Verdict::threw:
      return "threw";
    case Verdict::no_output:
      break;
  }
  return "no-output";
}

bool is_expected(const Judgement& judgement) { return judgement.exception && judgement.exception_holds; }

bool has_untrue_exception(const Judgement& judgement) {
  const bool undecided = judgement.verdict == Verdict::threw || judgement.verdict == Verdict::not_ported;
  return judgement.exception && !judgement.exception_holds && !undecided;
}

bool passes(const Judgement& judgement, Accept accept) {
  if (judgement.exception) return judgement.exception_holds;
  return judgement.verdict == Verdict::equal || judgement.verdict == Verdict::no_output ||
         (judgement.verdict == Verdict::equal_as_printed && accept == Accept::printed);
}

bool has_reasons(const Judgement& judgement) {
  return judgement.verdict == Verdict::different || judgement.verdict == Verdict::equal_as_printed ||
         judgement.verdict == Verdict::threw;
}

bool has_counted_output(const Judgement& judgement) {
  if (judgement.verdict == Verdict::not_ported) return judgement.golden_has_output;
  return judgement.verdict != Verdict::threw && judgement.verdict != Verdict::no_output;
}

const Judgement* judgement_of(const Judgements& judgements, const notebook::Cell& cell) {
  const auto found = judgements.find(cell.position);
  return found == judgements.end() ? nullptr : &found->second;
}

}  // namespace torchbook::golden
