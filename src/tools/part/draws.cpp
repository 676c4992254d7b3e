// Finds why the generators of random numbers were in different states, and what follows from other draws.
#include <fmt/format.h>
#include <tools/part/advice.h>
#include <tools/part/comparison.h>

#include <algorithm>
#include <utility>

namespace torchbook::trace_diff {
namespace {

/// Returns whether a program passes a generator to an operation, as Python's DataLoader does.
bool has_own_generator(const ReadTrace& trace, const Texts& texts, std::uint32_t operation) {
  const auto inputs = trace.inputs(operation);
  return std::any_of(inputs.begin(), inputs.end(), [&](const Value& value) {
    return value.tag == Tag::other && texts[value.index] == "Generator";
  });
}

/// Returns the first operation with a generator among `operation` and those that it called, or no_operation.
std::uint32_t first_draw(const ReadTrace& trace, std::uint32_t operation) {
  for (auto one = operation; one < trace.operations[operation].next; ++one) {
    if (trace.operations[one].before != no_operation) return one;
  }
  return no_operation;
}

bool draws_from_default(const ReadTrace& trace, const Texts& texts, std::uint32_t operation) {
  const auto draw = first_draw(trace, operation);
  return draw != no_operation && !has_own_generator(trace, texts, draw);
}

bool draws_indices(const ReadTrace& trace, const Texts& texts, std::uint32_t operation) {
  const auto outputs = tensors_in(trace, trace.outputs(operation));
  return first_draw(trace, operation) != no_operation && !outputs.empty() &&
         texts[trace.tensors[outputs.front()].dtype] == "int64";
}

/// Returns the state in which an operation left its generator, as an index in ReadTrace::generators, or
/// no_operation.
std::uint32_t generator_after(const ReadTrace& trace, std::uint32_t operation) {
  for (auto one = trace.operations[operation].next; one-- > operation;) {
    if (trace.operations[one].after != no_operation) return trace.operations[one].after;
  }
  return no_operation;
}

/// Returns whether a seed was set since the draw before `operation`: its generator has another seed or the
/// state of an earlier draw, or nothing was drawn since it was seeded.
bool is_set_again(const ReadTrace& trace, const Texts& texts, std::uint32_t operation,
                  const GeneratorState& state) {
  bool is_first = true;
  for (auto one = operation; one-- > 0;) {
    const auto& earlier = trace.operations[one];
    if (earlier.before == no_operation || earlier.next > operation || has_own_generator(trace, texts, one))
      continue;
    const auto& known = trace.generators[earlier.before];
    if (known == state || (is_first && (state.is_fresh || known.seed != state.seed))) return true;
    is_first = false;
  }
  return false;
}

/// Returns whether the program read a seed from a tensor, as DataLoader does after it has drawn one.
bool is_drawn(const ReadTrace& trace, std::uint32_t operation, std::uint64_t seed) {
  for (std::uint32_t one = 0; one < operation; ++one) {
    const auto outputs = trace.outputs(one);
    if (outputs.size() == 1 && outputs.front().tag == Tag::whole && outputs.front().bits == seed) return true;
  }
  return false;
}

/// Returns how many operations drew from the default generator before `operation`.
std::size_t draws_before(const ReadTrace& trace, const Texts& texts, std::uint32_t operation) {
  std::size_t count = 0;
  for (std::uint32_t one = 0; one < operation; ++one) {
    const auto& earlier = trace.operations[one];
    const bool is_part =
        earlier.parent != no_operation && trace.operations[earlier.parent].before != no_operation;
    if (earlier.before != no_operation && !is_part && !has_own_generator(trace, texts, one)) ++count;
  }
  return count;
}

}  // namespace

Comparison::Number Comparison::random_cause(Pair pair) {
  const auto is_silent = [](const ReadTrace& trace, std::uint32_t operation) {
    return trace.operations[operation].before == no_operation;
  };
  if (is_silent(here_, pair.here) && is_silent(there_, pair.there))
    return 0;  // what they called is compared later
  const Pair draws{.here = first_draw(here_, pair.here), .there = first_draw(there_, pair.there)};
  if (draws.here == no_operation || draws.there == no_operation) return 0;
  const auto& ours = here_.generators[here_.operations[draws.here].before];
  const auto& theirs = there_.generators[there_.operations[draws.there].before];
  if (ours == theirs) {
    random_ = 0;
    drawn_from_ = regions_.size();
    return 0;
  }
  if (random_ != 0) return random_;
  auto words = seed_words(pair, ours, theirs);
  const bool own = has_own_generator(here_, texts_, pair.here);
  const bool follows =
      own && is_drawn(here_, pair.here, ours.seed) && is_drawn(there_, pair.there, theirs.seed);
  if (words.what.empty() || follows) random_ = drawn_cause(false);
  if (random_ == 0) {
    if (words.what.empty()) words = order_words(pair, ours, theirs);
    const bool loads = own || has_own_generator(there_, texts_, pair.there);
    random_ = add(Kind::random, std::move(words.what), pair);
    result_.differences.back().advice = loads ? advice_on_loaders() : std::move(words.advice);
  }
  if (draws_indices(here_, texts_, pair.here)) drawn_index_ = random_;
  return random_;
}

/// Says which generator or seed was another one, or returns no words.
Comparison::Words Comparison::seed_words(Pair pair, const GeneratorState& ours,
                                         const GeneratorState& theirs) const {
  const auto name = plain_name(texts_[here_.operations[pair.here].name]);
  const bool own = has_own_generator(here_, texts_, pair.here);
  if (own != has_own_generator(there_, texts_, pair.there)) {
    return {fmt::format("{} draws from a generator of its own {}, and from the default generator {}", name,
                        own ? "here" : "there", own ? "there" : "here")};
  }
  const bool set_here = !own && is_set_again(here_, texts_, pair.here, ours);
  if (!own && set_here != is_set_again(there_, texts_, pair.there, theirs)) {
    return {fmt::format("the generator of {} was seeded again {}, with {}", name, set_here ? "here" : "there",
                        set_here ? ours.seed : theirs.seed)};
  }
  if (ours.seed == theirs.seed) return {};
  return {fmt::format("the generator of {} was seeded with {} here and with {} there", name, ours.seed,
                      theirs.seed)};
}

/// Explains why generators with the same seed were in different states, and what to do about it.
Comparison::Words Comparison::order_words(Pair pair, const GeneratorState& ours,
                                          const GeneratorState& theirs) const {
  const auto name = plain_name(texts_[here_.operations[pair.here].name]);
  const auto exchanged = [&](const ReadTrace& trace, const GeneratorState& wanted, const char* where,
                             const char* elsewhere) -> std::string {
    for (const auto& other : trace.operations) {
      if (other.before == no_operation || trace.generators[other.before] != wanted) continue;
      return fmt::format("{} draws {} what {}{} draws {}: random numbers are drawn in another order", name,
                         where, plain_name(texts_[other.name]),
                         other.line == 0 ? "" : fmt::format(" ({})", texts_[other.line]), elsewhere);
    }
    return "";
  };
  if (result_.differences.size() > most_searched)
    return {fmt::format("the generator of {} stood elsewhere", name)};
  std::string words;  // a state that nothing precedes can only be found on the other side
  if (!theirs.is_fresh) words = exchanged(there_, ours, "here", "there");
  if (words.empty() && !ours.is_fresh) words = exchanged(here_, theirs, "there", "here");
  if (!words.empty()) return {std::move(words), advice_on_order()};
  if (ours.is_fresh != theirs.is_fresh) {
    return {fmt::format("other random numbers were drawn before {} {}, and none {} since the seed {} was set",
                        name, ours.is_fresh ? "there" : "here", ours.is_fresh ? "here" : "there", ours.seed),
            advice_on_draws()};
  }
  return {fmt::format("other random numbers were drawn before {}: the seed is {} in both", name, ours.seed)};
}

/// Returns whether operations of one side draw from the default generator, or indices if `indices` is true,
/// and those of the other side do not.
bool Comparison::draw_otherwise(const Steps& here, const Steps& there, bool indices) const {
  const auto draw = [&](const ReadTrace& trace, const Steps& steps) {
    return std::any_of(steps.begin(), steps.end(), [&](auto step) {
      return indices ? draws_indices(trace, texts_, step) : draws_from_default(trace, texts_, step);
    });
  };
  return draw(here_, here) != draw(there_, there);
}

/// Returns the difference of the first region that made the generators part, or that drew indices on one side
/// only. Returns 0 if there is none.
Comparison::Number Comparison::drawn_cause(bool indices) {
  if (result_.differences.size() > most_searched) return 0;
  for (auto i = indices ? 0 : drawn_from_; i < regions_.size(); ++i) {
    if (draw_otherwise(regions_[i].here, regions_[i].there, indices))
      return region_cause(static_cast<Number>(i + 1));
  }
  return 0;
}

/// Returns the difference of random numbers that may select data, or 0.
Comparison::Number Comparison::index_cause() {
  if (drawn_index_ == 0) drawn_index_ = drawn_cause(true);
  return drawn_index_;
}

/// Remembers that the generators part because of `cause`, if the operations of a pair began to draw in the
/// same state and ended in different ones.
void Comparison::keep_generators(Pair pair, Number cause) {
  if (random_ != 0) return;
  const auto ours = generator_after(here_, pair.here);
  const auto theirs = generator_after(there_, pair.there);
  if (ours == theirs) return;  // neither draws
  const bool same =
      ours != no_operation && theirs != no_operation && here_.generators[ours] == there_.generators[theirs];
  if (!same) random_ = cause;
}

/// An input was drawn by another operation there. Returns 0 if one of the two operations draws nothing.
Comparison::Number Comparison::exchanged_draw_cause(Pair pair, const Input& input, std::uint32_t ours,
                                                    std::uint32_t theirs) {
  const auto draws = [](const ReadTrace& trace, std::uint32_t writer) {
    return writer != no_operation && first_draw(trace, writer) != no_operation;
  };
  if (!draws(here_, ours) || !draws(there_, theirs)) return 0;
  if (random_ == 0) random_ = drawn_cause(false);
  if (random_ != 0) return random_;
  const auto words =
      fmt::format("{} of {} is random draw {} here, and random draw {} there", input_name(pair, input),
                  plain_name(texts_[here_.operations[pair.here].name]), draws_before(here_, texts_, ours) + 1,
                  draws_before(there_, texts_, theirs) + 1);
  random_ = add(Kind::random, words, pair);
  auto& difference = result_.differences.back();
  const bool makes_layer = plain_name(texts_[here_.operations[ours].name]).ends_with('_');
  difference.advice = makes_layer ? advice_on_making() : advice_on_draws();
  return random_;
}

}  // namespace torchbook::trace_diff
