// Finds why the generators of random numbers were in different states, and what follows from other draws.
#include <fmt/format.h>
#include <tools/part/comparison.h>
#include <torchbook/report/words.h>

#include <algorithm>

namespace torchbook::trace_diff {
namespace {

constexpr const char* use_loader =
    "Python's DataLoader draws a seed, and shuffles with a generator of its own. "
    "Use torchbook::DataLoader in C++.";
constexpr const char* set_seed = "Set the same seed at the same place in both.";

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

/// Returns the state in which an operation left its generator, as an index in ReadTrace::generators, or
/// no_operation.
std::uint32_t generator_after(const ReadTrace& trace, std::uint32_t operation) {
  for (auto one = trace.operations[operation].next; one-- > operation;) {
    if (trace.operations[one].after != no_operation) return trace.operations[one].after;
  }
  return no_operation;
}

/// Returns the operations from `first` to before `end` that drew from the default generator, without those
/// that they called.
std::vector<std::uint32_t> draws(const ReadTrace& trace, const Texts& texts, std::uint32_t first,
                                 std::uint32_t end) {
  std::vector<std::uint32_t> all;
  for (auto one = first; one < end; ++one) {
    if (trace.operations[one].before == no_operation || has_own_generator(trace, texts, one)) continue;
    all.push_back(one);
    one = trace.operations[one].next - 1;
  }
  return all;
}

}  // namespace

Comparison::Number Comparison::random_cause(Pair pair) {
  const Pair first{.here = first_draw(here_, pair.here), .there = first_draw(there_, pair.there)};
  if (first.here == no_operation || first.there == no_operation) return 0;
  const auto& ours = here_.generators[here_.operations[first.here].before];
  const auto& theirs = there_.generators[there_.operations[first.there].before];
  const bool own = has_own_generator(here_, texts_, pair.here);
  const bool same_owner = own == has_own_generator(there_, texts_, pair.there);
  if (ours == theirs) return 0;
  Number cause = own && same_owner ? seed_cause(ours, theirs) : random_;
  const Number region = cause == 0 && !own && ours.seed == theirs.seed ? drawn_region(pair) : 0;
  if (region != 0) cause = regions_[region - 1].cause;
  if (cause == 0) {
    auto words = seed_words(pair, ours, theirs);
    const auto* advice = own || !same_owner ? use_loader : words.empty() ? draw_alike : set_seed;
    if (words.empty()) words = order_words(pair, ours, theirs);
    cause = add(Kind::random, std::move(words), pair, advice);
  }
  if (region != 0) {
    regions_[region - 1].cause = cause;
    auto& difference = result_.differences[cause - 1];
    if (difference.kind == Kind::random && difference.count == 1 && difference.here == Steps{pair.here}) {
      difference.here = regions_[region - 1].here;
      difference.there = regions_[region - 1].there;
      difference.at = regions_[region - 1].at;
    }
  }
  if (own) seeds_.emplace(ours.seed, cause);
  if (own == same_owner) seeds_.emplace(theirs.seed, cause);  // there is a generator of its own, too
  if (!own || !same_owner) random_ = cause;
  const auto outputs = tensors_in(here_, here_.outputs(pair.here));
  if (!outputs.empty() && texts_[here_.tensors[outputs.front()].dtype] == "int64") index_ = cause;
  return cause;
}

/// Returns the difference that other seeds of generators follow from, which a program made: their numbers
/// were drawn, or the same generators drew before. Returns 0 if there is none.
Comparison::Number Comparison::seed_cause(const GeneratorState& ours, const GeneratorState& theirs) const {
  if (const auto read = read_.find({ours.seed, theirs.seed}); read != read_.end()) return read->second;
  for (const auto seed : {ours.seed, theirs.seed}) {
    if (const auto known = seeds_.find(seed); known != seeds_.end()) return known->second;
  }
  return 0;
}

/// Returns the first region since the last equal draw of which one side draws more than the other, or 0.
Comparison::Number Comparison::drawn_region(Pair pair) const {
  for (std::size_t i = 0; i < regions_.size(); ++i) {
    const auto& region = regions_[i];
    const auto count = [&](const ReadTrace& trace, const Steps& steps, std::uint32_t from, std::uint32_t to) {
      std::size_t all = 0;
      for (const auto step : steps)
        all += step < from || step >= to ? 0 : draws(trace, texts_, step, trace.operations[step].next).size();
      return all;
    };
    if (count(here_, region.here, equal_draw_.here, pair.here) !=
        count(there_, region.there, equal_draw_.there, pair.there))
      return static_cast<Number>(i + 1);
  }
  return 0;
}

/// Says which generator or seed was another one. Returns an empty text if they were the same.
std::string Comparison::seed_words(Pair pair, const GeneratorState& ours,
                                   const GeneratorState& theirs) const {
  const auto operation = name(here_, pair.here);
  const bool own = has_own_generator(here_, texts_, pair.here);
  if (own != has_own_generator(there_, texts_, pair.there)) {
    return fmt::format("{} draws from a generator of its own {}, and from the default generator {}",
                       operation, own ? "here" : "there", own ? "there" : "here");
  }
  const auto drew = [&](const ReadTrace& trace, std::uint32_t end) {
    return !draws(trace, texts_, 0, end).empty();
  };
  const bool again_here = !own && ours.is_fresh && drew(here_, pair.here);
  const bool again_there = !own && theirs.is_fresh && drew(there_, pair.there);
  if (again_here != again_there)
    return fmt::format("the generator of {} was seeded again {}, with {}", operation,
                       again_here ? "here" : "there", again_here ? ours.seed : theirs.seed);
  if (ours.seed == theirs.seed) return "";
  return fmt::format("the generator of {} was seeded with {} here and with {} there", operation, ours.seed,
                     theirs.seed);
}

/// Returns the first operation with this state of the generator before it; no_operation if there is none.
static std::uint32_t operation_in_state(const ReadTrace& trace, const GeneratorState& state) {
  const auto& all = trace.operations;
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) {
    return one.before != no_operation && trace.generators[one.before] == state;
  });
  return found == all.end() ? no_operation : static_cast<std::uint32_t>(found - all.begin());
}

/// Returns the name and line of the operation of the program that made a draw.
std::string Comparison::drawer(const ReadTrace& trace, std::uint32_t draw) const {
  const auto step = (&trace == &here_ ? side_here_ : side_there_).compared(draw, no_operation);
  const auto line = trace.operations[step].line;
  return fmt::format("{}{}", name(trace, step), line == 0 ? "" : fmt::format(" ({})", texts_[line]));
}

/// Says who drew other random numbers since the generators were equal last, and how many.
std::string Comparison::order_words(Pair pair, const GeneratorState& ours,
                                    const GeneratorState& theirs) const {
  const auto operation = name(here_, pair.here);
  const auto mine = draws(here_, texts_, equal_draw_.here, pair.here);
  const auto others = draws(there_, texts_, equal_draw_.there, pair.there);
  if (const Number region = drawn_region(pair)) {
    const auto one_sided = [&](const Side& side, const Steps& all) {
      const auto found = std::find_if(all.begin(), all.end(), [&](auto step) {
        return side.known[side.compared(step, no_operation)].region == region;
      });
      return found == all.end() ? no_operation : *found;
    };
    const auto here = one_sided(side_here_, mine);
    const auto there = one_sided(side_there_, others);
    return fmt::format("before {}, {} drew random numbers here and {} there; only {}: {}", operation,
                       report::counted(mine.size(), "operation"), others.size(),
                       here != no_operation ? "here" : "there",
                       here != no_operation ? drawer(here_, here) : drawer(there_, there));
  }
  if (mine.empty() && others.empty() && ours.is_fresh != theirs.is_fresh)
    return fmt::format("other random numbers were drawn before {} {}, and none {} since the seed {} was set",
                       operation, ours.is_fresh ? "there" : "here", ours.is_fresh ? "here" : "there",
                       ours.seed);
  if (const auto other = operation_in_state(there_, ours); other != no_operation)
    return fmt::format("{} draws here what {} draws there: random numbers are drawn in another order",
                       operation, drawer(there_, other));
  if (const auto other = operation_in_state(here_, theirs); other != no_operation)
    return fmt::format("{} draws there what {} draws here: random numbers are drawn in another order",
                       operation, drawer(here_, other));
  return fmt::format("other random numbers were drawn before {}: the seed is {} in both", operation,
                     ours.seed);
}

/// Returns the difference of random numbers that may select data: integers were drawn otherwise, or on one
/// side only, before the operation `before` here. Returns 0 if there is none.
Comparison::Number Comparison::index_cause(std::uint32_t before) {
  const auto draws_integers = [&](const ReadTrace& trace, const Steps& steps) {
    return std::any_of(steps.begin(), steps.end(), [&](auto step) {
      const auto outputs = tensors_in(trace, trace.outputs(step));
      return first_draw(trace, step) != no_operation && !outputs.empty() &&
             texts_[trace.tensors[outputs.front()].dtype] == "int64";
    });
  };
  for (Number number = 1; index_ == 0 && number <= regions_.size(); ++number) {
    const auto& region = regions_[number - 1];
    if (region.at < before && draws_integers(here_, region.here) != draws_integers(there_, region.there))
      index_ = region_cause(number);
  }
  return index_;
}

/// Remembers whether the operations of a pair left the generators in equal states. If they began to draw in
/// the same state and did not, the generators part because of `cause`.
void Comparison::keep_generators(Pair pair, Number cause) {
  const auto ours = generator_after(here_, pair.here);
  const auto theirs = generator_after(there_, pair.there);
  if (ours == no_operation && theirs == no_operation) return;
  const bool own =
      has_own_generator(here_, texts_, pair.here) || has_own_generator(there_, texts_, pair.there);
  const bool same =
      ours != no_operation && theirs != no_operation && here_.generators[ours] == there_.generators[theirs];
  if (same && !own) {
    random_ = 0;
    equal_draw_ = {.here = here_.operations[pair.here].next, .there = there_.operations[pair.there].next};
  } else if (!same && random_ == 0) {
    random_ = cause;
  }
}

}  // namespace torchbook::trace_diff
