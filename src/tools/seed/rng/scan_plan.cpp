#include <tools/seed/rng/scan_plan.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace torchbook::rng {
namespace {

/// A test with at most this probability is selective enough to be tried alone.
constexpr double rare = 1.0 / 512;
/// Each offset has so many checks that a seed passes those of any offset with at most this probability.
constexpr double rare_together = 0x1p-12;
/// One in at most so many draws is computed.
constexpr std::uint32_t longest_run = 16;
/// The scan tries no tests of later draws, because it keeps only 256 draws of the previous block.
constexpr std::uint32_t last_draw = 255;
/// Later offsets are searched block by block, because the words of all draws up to them exceed the cache.
constexpr std::uint32_t last_planned_offset = 2000;

std::vector<DrawTest> first_tests(const std::vector<DrawTest>& all) {
  const auto end =
      std::find_if(all.begin(), all.end(), [](const auto& test) { return test.draw > last_draw; });
  return {all.begin(), end};
}

/// Returns how many of the first tests are rare and alike, and test successive draws.
std::uint32_t length_of_run(const std::vector<DrawTest>& tests) {
  std::uint32_t length = 0;
  for (const auto& test : tests) {
    const auto& first = tests.front();
    if (test.probability > rare || test.factor != first.factor || test.rotation != 0) break;
    if (test.draw != first.draw + length) break;
    ++length;
  }
  return length;
}

/// Returns positions from `first` to before `end`. Neighbours are at most `run` apart. A word and the word
/// from which it is made are both drawn or neither, so that few other words must be made.
std::vector<std::uint32_t> chosen_positions(std::uint32_t first, std::uint32_t end, std::uint32_t run) {
  std::vector<std::uint32_t> chosen;
  for (auto position = first; position < end; ++position) {
    if (position % (block_size - middle) % run == 0) chosen.push_back(position);
  }
  return chosen;
}

/// Returns, for each test, the index of the first test with the same condition.
std::vector<std::uint32_t> kinds_of(const std::vector<DrawTest>& tests) {
  std::vector<std::uint32_t> kinds;
  for (const auto& test : tests) {
    const auto same = std::find_if(tests.begin(), tests.end(), [&](const DrawTest& other) {
      return test.factor == other.factor && test.offset == other.offset && test.rotation == other.rotation &&
             test.limit == other.limit;
    });
    kinds.push_back(static_cast<std::uint32_t>(same - tests.begin()));
  }
  return kinds;
}

std::vector<std::uint32_t> rarest_first(const std::vector<DrawTest>& tests) {
  std::vector<std::uint32_t> order(tests.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return tests[a].probability < tests[b].probability;
  });
  return order;
}

/// Returns the values from which a word is made; none for a seeded one.
std::vector<KeptValue> parts_of(const KeptValue& value) {
  if (value.word < block_size) return {};
  const auto draw = value.word - block_size;
  if (draw + 1 < block_size) return {{draw + middle}, {draw, true}};
  return {{draw + middle}, {draw}, {draw + 1}};
}

}  // namespace

ScanPlan::ScanPlan(const Search& asked)
    : search(&asked), tests(first_tests(asked.tests)), alike(length_of_run(tests)) {
  if (asked.last_offset > last_planned_offset) return;
  alike > 0 ? plan_rare_draws() : plan_checks();
  plan_words();
}

void ScanPlan::plan_rare_draws() {
  const auto first = search->first_offset + tests.front().draw;
  const auto last = search->last_offset + tests.front().draw;
  run = first == last ? 1 : std::clamp(alike / 2, 1U, longest_run);
  positions = chosen_positions(first, last + run, run);
}

void ScanPlan::plan_checks() {
  const auto first = search->first_offset + tests.front().draw;
  const auto end = search->last_offset + tests.back().draw + 1;
  run = search->first_offset == search->last_offset ? 1 : longest_run;
  while (!choose_tests(first, end) && run > 1) --run;
  number_checks(first, end);
}

/// Chooses tests for each offset, the rarest first. Returns whether all offsets have enough of them.
bool ScanPlan::choose_tests(std::uint32_t first, std::uint32_t end) {
  std::vector<bool> chosen(end);
  for (const auto position : chosen_positions(first, end, run)) chosen[position] = true;
  const auto order = rarest_first(tests);
  const double enough = rare_together / (search->last_offset - search->first_offset + 1);
  offsets.clear();
  for (auto offset = search->first_offset; offset <= search->last_offset; ++offset) {
    auto& at = offsets.emplace_back(OffsetChecks{offset});
    double probability = 1;
    for (auto test = order.begin(); test != order.end() && probability > enough; ++test) {
      if (!chosen[offset + tests[*test].draw]) continue;
      at.checks.push_back(*test);
      probability *= tests[*test].probability;
    }
    if (probability > enough && run > 1) return false;
  }
  return true;
}

/// Makes the checks of the chosen tests. Tests with the same condition on the same draw become one check.
void ScanPlan::number_checks(std::uint32_t first, std::uint32_t end) {
  const auto kinds = kinds_of(tests);
  std::vector<std::uint32_t> numbers((end - first) * tests.size());
  const auto number_of = [&](const OffsetChecks& at, std::uint32_t test) -> std::uint32_t& {
    return numbers[(at.offset + tests[test].draw - first) * tests.size() + kinds[test]];
  };
  for (const auto& at : offsets) {
    for (const auto test : at.checks) number_of(at, test) = 1;
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] == 0) continue;
    const auto position = first + static_cast<std::uint32_t>(i / tests.size());
    if (positions.empty() || positions.back() != position) positions.push_back(position);
    numbers[i] = static_cast<std::uint32_t>(checks.size());
    checks.push_back(tests[i % tests.size()]);
    checks.back().draw = position;
  }
  for (auto& at : offsets) {
    for (auto& check : at.checks) check = number_of(at, check);
  }
}

/// Decides which values are kept to make the draws at `positions`.
void ScanPlan::plan_words() {
  std::map<KeptValue, std::uint32_t> slots;
  for (const auto position : positions) slots.emplace(KeptValue{position + block_size}, 0);
  for (auto made_word = slots.rbegin(); made_word != slots.rend(); ++made_word) {
    for (const auto& part : parts_of(made_word->first)) slots.emplace(part, 0);
  }
  std::uint32_t next_slot = 0;
  for (auto& [value, slot] : slots) slot = next_slot++;
  auto check = checks.begin();
  for (const auto& [value, slot] : slots) {
    if (value.word < block_size) {
      seeded.push_back(value);
      continue;
    }
    const auto draw = value.word - block_size;
    auto& word = made.emplace_back();
    for (const auto& part : parts_of(value)) word.parts.push_back(slots.at(part));
    word.is_drawn = std::binary_search(positions.begin(), positions.end(), draw);
    for (; check != checks.end() && check->draw == draw; ++check) ++word.checks;
  }
}

}  // namespace torchbook::rng
