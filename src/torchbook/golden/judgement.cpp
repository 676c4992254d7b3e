// Decides from a judgement whether its cell passes.
#include <torchbook/golden/judgement.h>

#include <algorithm>

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

/// Returns whether only values differ in a cell, and each as little as is accepted.
static bool is_near(const Judgement& judgement, Accept accept) {
  if (judgement.verdict != Verdict::equal_as_printed && judgement.verdict != Verdict::different) return false;
  const auto& elements = judgement.elements;
  return !elements.empty() && std::all_of(elements.begin(), elements.end(), [&](const auto& element) {
    const auto& values = element.values;
    if (values.mismatch) return false;
    return accept.is_explained ||
           (values.without_ulps == 0 && values.largest_ulps && *values.largest_ulps <= accept.most_ulps);
  });
}

bool passes(const Judgement& judgement, Accept accept) {
  if (judgement.exception) return judgement.exception_holds;
  if (judgement.verdict == Verdict::equal || judgement.verdict == Verdict::no_output) return true;
  switch (accept.least) {
    case Accept::equal:
      return false;
    case Accept::printed:
      return judgement.verdict == Verdict::equal_as_printed;
    case Accept::ulps:
    case Accept::explained:
      return is_near(judgement, accept);
  }
  return false;
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
