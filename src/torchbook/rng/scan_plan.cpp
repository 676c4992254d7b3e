#include <torchbook/rng/scan_plan.h>

#include <algorithm>
#include <map>
#include <utility>

namespace torchbook::rng {
namespace {

/// A test with at most this probability is selective enough to be tried alone.
constexpr double rare = 1.0 / 512;
/// The vectorized scan tries no tests of later draws, because it keeps only 256 draws of the
/// previous block.
constexpr std::uint32_t last_draw = 255;
/// The vectorized scan tries at most this many tests.
constexpr std::size_t most_tests = 64;

std::vector<DrawTest> first_tests(const std::vector<DrawTest>& all) {
  std::vector<DrawTest> first;
  first.reserve(all.size());
  for (const auto& test : all) {
    if (test.draw > last_draw || first.size() == most_tests) break;
    first.push_back(test);
  }
  return first;
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

/// From this index on, a new word is made from the new word this far before it, and from the old
/// words at its index and the next.
constexpr std::uint32_t segment = block_size - middle;

/// Returns the positions of draws to compute for the positions from `first` to `last`. Neighbours
/// are at most `run` apart. If a position and the one `segment` before it are both chosen, they
/// share a saved value.
std::vector<std::uint32_t> chosen_positions(std::uint32_t first, std::uint32_t last, std::uint32_t run) {
  if (first == last) return {first};
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t begin = 0; begin < first_block_end; begin += segment) {
    for (auto position = begin; position < std::min(begin + segment, first_block_end); position += run) {
      if (position >= first && position < last + run) chosen.push_back(position);
    }
  }
  return chosen;
}

/// Makes the events of a plan.
class Events {
 public:
  using Kind = ScanEvent::Kind;

  /// Adds the events that make the draw at a position.
  void add(std::uint32_t position, std::uint32_t index) {
    std::vector<std::uint32_t> saved;
    for (auto at = position; at >= segment; at -= segment)
      saved.push_back(slot(at - segment, Kind::save_twist));
    const auto base = position % segment + middle;
    const bool twist_is_last = base < position;
    saved.push_back(twist_is_last ? slot(base, Kind::save_word) : slot(position, Kind::save_twist));
    events_.push_back({.word = twist_is_last ? position : base,
                       .kind = twist_is_last ? Kind::draw_twist : Kind::draw_word,
                       .slot = index,
                       .saved = std::move(saved)});
  }

  std::uint32_t slots() const { return static_cast<std::uint32_t>(slots_.size()); }

  /// Returns the events sorted by word. At each word, events that also need the next word come
  /// last.
  std::vector<ScanEvent> sorted() {
    std::stable_sort(events_.begin(), events_.end(), [](const ScanEvent& a, const ScanEvent& b) {
      return std::pair(a.word, twists(a)) < std::pair(b.word, twists(b));
    });
    return std::move(events_);
  }

 private:
  static bool twists(const ScanEvent& event) {
    return event.kind == Kind::save_twist || event.kind == Kind::draw_twist;
  }

  std::uint32_t slot(std::uint32_t word, Kind kind) {
    const auto [found, is_new] = slots_.try_emplace(std::pair(word, kind), slots());
    if (is_new) events_.push_back({.word = word, .kind = kind, .slot = found->second});
    return found->second;
  }

  std::map<std::pair<std::uint32_t, Kind>, std::uint32_t> slots_{};
  std::vector<ScanEvent> events_{};
};

}  // namespace

ScanPlan::ScanPlan(const Search& asked)
    : search(&asked), tests(first_tests(asked.tests)), alike(length_of_run(tests)) {
  if (alike == 0) return;
  const auto first = asked.first_offset + tests.front().draw;
  const auto last = std::uint64_t{asked.last_offset} + tests.front().draw;
  run = std::clamp(alike / 2, 1U, 16U);
  if (last + run > first_block_end) return;
  if (first == last) run = 1;
  positions = chosen_positions(first, static_cast<std::uint32_t>(last), run);
  Events made;
  for (std::uint32_t i = 0; i < positions.size(); ++i) made.add(positions[i], i);
  slots = made.slots();
  events = made.sorted();
}

}  // namespace torchbook::rng
