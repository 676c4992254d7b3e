// Compiled once for each instruction set. Each lane of a vector holds one seed.
#include <tools/seed/rng/scan.h>
#include <tools/seed/rng/scan_plan.h>

#include <algorithm>

// Arrays cannot hold vectors whose size is unknown at compile time.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tools/seed/rng/scan.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>
#include <tools/seed/rng/scan-inl.h>

#if HWY_ONCE
#include <stdexcept>

namespace torchbook::rng {
namespace {

HWY_EXPORT(scan_planned);
HWY_EXPORT(scan_blocks);

}  // namespace

bool passes(const Search& search, const State& state) {
  Mt19937 draw(state.seed);
  draw.discard(state.offset);
  std::uint32_t next = 0;
  return std::all_of(search.tests.begin(), search.tests.end(), [&](const DrawTest& test) {
    draw.discard(test.draw - next);
    next = test.draw + 1;
    return test.passes(draw());
  });
}

std::vector<State> scan(const Search& search, const Seeds& seeds) {
  const ScanPlan plan(search);
  std::vector<State> found;
  if (plan.positions.empty()) {
    HWY_DYNAMIC_DISPATCH(scan_blocks)(plan, seeds, found);
  } else {
    HWY_DYNAMIC_DISPATCH(scan_planned)(plan, seeds, found);
  }
  std::erase_if(found, [&](const State& state) {
    return state.seed < seeds.first || state.seed - seeds.first >= seeds.count || !passes(search, state);
  });
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::vector<std::string> scan_targets() {
  std::vector<std::string> names;
  for (auto rest = hwy::SupportedTargets() & HWY_TARGETS; rest != 0; rest &= rest - 1)
    names.emplace_back(hwy::TargetName(rest & -rest));
  return names;
}

void use_scan_target(const std::string& name) {
  hwy::SetSupportedTargetsForTest(0);
  for (auto rest = hwy::SupportedTargets() & HWY_TARGETS; rest != 0; rest &= rest - 1) {
    if (name == hwy::TargetName(rest & -rest)) hwy::SetSupportedTargetsForTest(rest & -rest);
  }
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace torchbook::rng
#endif  // HWY_ONCE
