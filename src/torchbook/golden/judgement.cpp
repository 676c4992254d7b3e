// Decides from a judgement whether its cell passes.
#include <torchbook/golden/judgement.h>

#include <algorithm>

namespace torchbook::golden {

bool is_expected(const Judgement& judgement) { return judgement.exception && judgement.exception_holds; }

bool has_untrue_exception(const Judgement& judgement) {
  return judgement.exception && !judgement.exception_holds && row_of(judgement.verdict).ran;
}

/// Returns whether only values differ in a cell, and each as little as is accepted.
static bool is_near(const Judgement& judgement, Accept accept) {
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
  const auto passes_with = row_of(judgement.verdict).passes_with;
  if (passes_with == Accept::equal) return true;
  switch (accept.least) {
    case Accept::equal:
      return false;
    case Accept::printed:
      return passes_with == Accept::printed;
    case Accept::ulps:
    case Accept::explained:
      return is_near(judgement, accept);
  }
  return false;
}

bool has_counted_output(const Judgement& judgement) {
  return judgement.golden_has_output || row_of(judgement.verdict).compared;
}

const Judgement* judgement_of(const Judgements& judgements, const notebook::Cell& cell) {
  const auto found = judgements.find(cell.position);
  return found == judgements.end() ? nullptr : &found->second;
}

}  // namespace torchbook::golden
