#include <fmt/format.h>
#include <tools/part/comparison.h>

#include <algorithm>
#include <numeric>

namespace torchbook::trace_diff {
namespace {

constexpr int deepest = 100;  // levels of operations that call others

/// Pairs the input and output tensors of two operations. Leaves out the first input if they overwrite it.
std::vector<TensorPair> tensors_of(const ReadTrace& here, const ReadTrace& there, Pair pair, bool overwrite) {
  std::vector<TensorPair> all;
  const auto add = [&](std::span<const Value> ours, std::span<const Value> theirs, const char* word) {
    const auto tensors = tensors_in(here, ours);
    const auto others = tensors_in(there, theirs);
    const auto count = std::max(tensors.size(), others.size());
    for (std::size_t i = 0; i < count; ++i) {
      all.push_back({.what = count == 1 ? word : fmt::format("{} {}", word, i + 1),
                     .here = i < tensors.size() ? tensors[i] : no_operation,
                     .there = i < others.size() ? others[i] : no_operation});
    }
  };
  const auto taken = [&](std::span<const Value> inputs) {
    return overwrite && !inputs.empty() ? inputs.subspan(1) : inputs;
  };
  add(taken(here.inputs(pair.here)), taken(there.inputs(pair.there)), "input");
  add(here.outputs(pair.here), there.outputs(pair.there), "output");
  return all;
}

}  // namespace

Comparison::Comparison(const ReadTrace& here, const ReadTrace& there, const Texts& texts, const Above& above)
    : here_(here),
      there_(there),
      texts_(texts),
      equality_(here, there, texts, above),
      roles_(texts),
      side_here_(here, roles_),
      side_there_(there, roles_) {}

TraceComparison Comparison::run() {
  compare_named();
  compare_steps(side_here_.steps(no_operation), side_there_.steps(no_operation));
  compare_shown();
  judge_regions();
  sort_differences();
  result_.in_part = equality_.in_part();
  result_.is_within_above = equality_.above().any();
  return std::move(result_);
}

/// Compares operations of one level. All partners and regions are known before the first pair is compared, so
/// that causes are found in whatever order both sides ran.
void Comparison::compare_steps(const Steps& here, const Steps& there) {
  const auto paired = pair_steps(side_here_, here, side_there_, there);
  reordered_ |= depth_ == 0 && paired.reordered;
  for (const auto& pair : paired.pairs) {
    side_here_.known[pair.here].partner = pair.there;
    side_there_.known[pair.there].partner = pair.here;
  }
  for (const auto& gap : paired.gaps) {
    if (lies_behind_cut(gap, here, there)) {
      result_.not_compared += gap.here.size() + gap.there.size();
    } else {
      keep_region(gap);
    }
  }
  for (const auto& pair : paired.pairs) compare_pair(pair);
}

/// Returns whether operations that only one side has are its last ones, and the other trace was cut off
/// before it could have them.
bool Comparison::lies_behind_cut(const Gap& gap, const Steps& here, const Steps& there) const {
  if (depth_ != 0) return false;
  if (gap.there.empty()) return !there_.finished && gap.here.back() == here.back();
  return gap.here.empty() && !here_.finished && gap.there.back() == there.back();
}

void Comparison::compare_pair(Pair pair) {
  result_.pairs += depth_ == 0 ? 1 : 0;
  if (equality_.gave_the_same(pair)) {
    keep_readers(pair);
    return keep_generators(pair, 0);
  }
  newest_ = no_operation;
  const Number cause = cause_of(pair);
  side_here_.known[pair.here].cause = side_there_.known[pair.there].cause = cause;
  keep_generators(pair, cause);
  const auto ours = here_.outputs(pair.here);
  const auto theirs = there_.outputs(pair.there);
  if (ours.size() == 1 && theirs.size() == 1 && ours[0].tag == Tag::whole && theirs[0].tag == Tag::whole)
    read_.emplace(std::pair(ours[0].bits, theirs[0].bits), cause);
  if (depth_ != 0) return;
  ++result_.differing;
  const bool itself = newest_ >= pair.here && newest_ < here_.operations[pair.here].next;
  if (!itself) result_.differences[cause - 1].followers.push_back(pair);
}

/// Compares what both programs showed under the same name.
void Comparison::compare_shown() {
  std::unordered_map<std::uint32_t, const Shown*> theirs;
  for (const auto& one : there_.shown) theirs.emplace(one.name, &one);
  for (const auto& one : here_.shown) {
    const auto other = theirs.find(one.name);
    if (other == theirs.end() || equality_.same_tensor(one.tensor, other->second->tensor)) continue;
    const Operand operand{.name = texts_[one.name],
                          .reader = {},
                          .readers = {.here = one.operation, .there = other->second->operation},
                          .here = one.tensor,
                          .there = other->second->tensor,
                          .mark = one.mark,
                          .is_shown = true};
    const Pair writers{
        .here = side_here_.compared(side_here_.innermost_writer(operand.here), no_operation),
        .there = side_there_.compared(side_there_.innermost_writer(operand.there), no_operation)};
    auto cause = written_cause(writers);
    if (cause == 0) cause = origin_cause(operand, writers);
    result_.shown.push_back({.mark = one.mark, .difference = cause});
  }
}

Comparison::Number Comparison::cause_of(Pair pair) {
  if (const Number cause = random_cause(pair)) return cause;
  if (const Number cause = operand_cause(pair)) return cause;
  if (const Number cause = argument_cause(pair)) return cause;
  if (const Number cause = inner_cause(pair)) return cause;
  return kernel_cause(pair);
}

/// Compares the operations that both called.
Comparison::Number Comparison::inner_cause(Pair pair) {
  const auto here = side_here_.steps(pair.here);
  const auto there = side_there_.steps(pair.there);
  if (here.empty() || there.empty() || depth_ >= deepest) return 0;
  auto region = static_cast<Number>(regions_.size());
  ++depth_;
  compare_steps(here, there);
  --depth_;
  const auto found =
      std::find_if(here.begin(), here.end(), [&](auto step) { return side_here_.known[step].cause != 0; });
  if (found != here.end()) return side_here_.known[*found].cause;
  while (region < regions_.size()) {
    if (!is_harmless(regions_[region++])) return region_cause(region);
  }
  return 0;
}

Comparison::Number Comparison::kernel_cause(Pair pair) {
  const auto ours = tensors_in(here_, here_.inputs(pair.here));
  const auto theirs = tensors_in(there_, there_.inputs(pair.there));
  const bool same = std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end(), [&](auto a, auto b) {
    return here_.tensors[a].hash == there_.tensors[b].hash;
  });
  const auto operation = name(here_, pair.here);
  if (!same && equality_.above().any())
    return add(Kind::argument,
               fmt::format("inputs of {} differ by no more than --above allows, and its result "
                           "by more",
                           operation),
               pair);
  return add(Kind::kernel, fmt::format("{} gives other bits of the same input", operation), pair);
}

/// Adds a difference, or counts it if there is one in the same words after the same mark.
Comparison::Number Comparison::add(Difference difference) {
  const auto next = static_cast<Number>(result_.differences.size() + 1);
  const auto [known, is_new] = known_.try_emplace({difference.kind, difference.mark, difference.what}, next);
  if (!is_new) {
    ++result_.differences[known->second - 1].count;
    return known->second;
  }
  const bool backward =
      is_backward({.here = difference.here.empty() ? no_operation : difference.here.front(),
                   .there = difference.there.empty() ? no_operation : difference.there.front()});
  if (!backward && (!difference.here.empty() || !difference.there.empty())) forward_ = next;
  result_.differences.push_back(std::move(difference));
  return next;
}

Comparison::Number Comparison::add(Kind kind, std::string what, Pair pair, std::string advice) {
  newest_ = pair.here;
  return add({.kind = kind,
              .what = std::move(what),
              .advice = std::move(advice),
              .here = {pair.here},
              .there = {pair.there},
              .tensors = tensors_of(here_, there_, pair, side_here_.overwrites(pair.here)),
              .mark = here_.operations[pair.here].mark,
              .at = pair.here});
}

/// Adds a difference of an operand.
Comparison::Number Comparison::add(std::string what, const Operand& operand, std::string advice) {
  if (!operand.is_shown) return add(Kind::argument, std::move(what), operand.readers, std::move(advice));
  return add({.kind = Kind::argument,
              .what = std::move(what),
              .advice = std::move(advice),
              .tensors = {{.what = operand.name, .here = operand.here, .there = operand.there}},
              .mark = operand.mark,
              .at = operand.readers.here});
}

std::string_view Comparison::name(const ReadTrace& trace, std::uint32_t operation) const {
  return plain_name(texts_[trace.operations[operation].name]);
}

bool Comparison::is_backward(Pair pair) const {
  return (pair.here != no_operation && here_.operations[pair.here].backward) ||
         (pair.there != no_operation && there_.operations[pair.there].backward);
}

/// Sorts the differences, and sets the difference that each operation and each shown tensor follows from.
void Comparison::sort_differences() {
  auto& differences = result_.differences;
  std::vector<Number> order(differences.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Number one, Number other) {
    const auto& a = differences[one];
    const auto& b = differences[other];
    return a.kind != b.kind ? a.kind < b.kind : a.at < b.at;
  });
  std::vector<Number> places(differences.size() + 1);  // by the number of a difference; 0 stays 0
  std::vector<Difference> sorted;
  sorted.reserve(differences.size());
  for (const auto index : order) {
    sorted.push_back(std::move(differences[index]));
    places[index + 1] = static_cast<Number>(sorted.size());
  }
  differences = std::move(sorted);
  const auto causes = [&](const Side& side) {
    std::vector<Number> all;
    all.reserve(side.known.size());
    for (const auto& one : side.known)
      all.push_back(places[one.region != 0 ? regions_[one.region - 1].cause : one.cause]);
    return all;
  };
  result_.here = causes(side_here_);
  result_.there = causes(side_there_);
  for (auto& one : result_.shown) one.difference = places[one.difference];
}

TraceComparison compare(const ReadTrace& here, const ReadTrace& there, const Texts& texts,
                        const Above& above) {
  return Comparison(here, there, texts, above).run();
}

}  // namespace torchbook::trace_diff
