// Walks along both traces side by side.
#include <fmt/format.h>
#include <tools/part/comparison.h>
#include <tools/part/pairing.h>
#include <tools/part/value_words.h>

#include <algorithm>
#include <bit>

namespace torchbook::trace_diff {
namespace {

constexpr int most_expansions = 4;

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

Comparison::Comparison(const ReadTrace& here, const ReadTrace& there, const Texts& texts)
    : here_(here),
      there_(there),
      texts_(texts),
      roles_(texts),
      side_here_(here, roles_),
      side_there_(there, roles_),
      known_here_(here.operations.size()),
      known_there_(there.operations.size()) {}

TraceComparison Comparison::run() {
  compare_named();
  compare_steps(side_here_.steps(no_operation), side_there_.steps(no_operation));
  compare_shown();
  judge_regions(0);
  sort_rows();
  sort_differences();
  return std::move(result_);
}

std::vector<std::uint64_t> Comparison::tokens(const ReadTrace& trace, const Steps& steps,
                                              bool with_shapes) const {
  std::vector<std::uint64_t> tokens;
  tokens.reserve(steps.size());
  for (const auto step : steps) {
    std::uint64_t token = mixed(1, trace.operations[step].name);
    if (with_shapes) {
      for (const auto tensor : tensors_in(trace, trace.inputs(step))) {
        token = mixed(token, 0);
        for (const auto size : trace.shape(trace.tensors[tensor]))
          token = mixed(token, static_cast<std::uint64_t>(size) + 1);
      }
    }
    tokens.push_back(token);
  }
  return tokens;
}

/// Compares the operations that have the same content, in the order of `here`. Those in the same order on
/// both sides divide the others into gaps, in which operations are aligned by name and shapes.
void Comparison::compare_steps(const Steps& here, const Steps& there) {
  const auto pairs = pair_by_content(side_here_, here, side_there_, there);
  auto in_order = ascending(pairs);
  other_evaluation_ |= depth_ == 0 && in_order.size() < pairs.size();
  in_order.push_back({.here = here.size(), .there = there.size()});
  std::vector<bool> is_paired_here(here.size());
  std::vector<bool> is_paired_there(there.size());
  for (const auto& match : pairs) {
    is_paired_here[match.here] = is_paired_there[match.there] = true;
    make_partners({.here = here[match.here], .there = there[match.there]});
  }
  const auto left = [](const Steps& steps, const std::vector<bool>& is_paired, std::size_t from,
                       std::size_t to) {
    Steps all;
    for (; from < to; ++from) {
      if (!is_paired[from]) all.push_back(steps[from]);
    }
    return all;
  };
  Match at;
  auto next = pairs.begin();
  const auto compare_pairs_before = [&](std::size_t end) {
    for (; next != pairs.end() && next->here < end; ++next)
      compare_pair({.here = here[next->here], .there = there[next->there]});
  };
  for (const auto& match : in_order) {
    compare_pairs_before(match.here);
    compare_gap(left(here, is_paired_here, at.here, match.here),
                left(there, is_paired_there, at.there, match.there), match.here == here.size());
    compare_pairs_before(match.here + 1);
    at = {.here = match.here + 1, .there = match.there + 1};
  }
}

/// Compares operations that have no content in common. `last` says whether nothing follows them.
void Comparison::compare_gap(const Steps& here, const Steps& there, bool last) {
  if (last && depth_ == 0) {
    last_here_ = here.empty() ? no_operation : here.back();
    last_there_ = there.empty() ? no_operation : there.back();
  }
  if (here.empty() || there.empty()) return compare_between(here, there, false);
  visit(here, there, align(tokens(here_, here, true), tokens(there_, there, true)), false);
}

void Comparison::visit(const Steps& here, const Steps& there, const std::vector<Match>& matches,
                       bool by_name) {
  const auto part = [](const Steps& steps, std::size_t from, std::size_t to) {
    return Steps(steps.begin() + static_cast<std::ptrdiff_t>(from),
                 steps.begin() + static_cast<std::ptrdiff_t>(to));
  };
  Match at;
  for (const auto& match : matches) {
    compare_between(part(here, at.here, match.here), part(there, at.there, match.there), by_name);
    compare_pair({.here = here[match.here], .there = there[match.there]});
    at = {.here = match.here + 1, .there = match.there + 1};
  }
  compare_between(part(here, at.here, here.size()), part(there, at.there, there.size()), by_name);
}

/// Compares the operations between two matches. `by_name` says whether they were already aligned by
/// name alone, without shapes.
void Comparison::compare_between(const Steps& here, const Steps& there, bool by_name) {
  if (here.empty() && there.empty()) return;
  if (lies_behind_cut(here, there)) {
    result_.not_compared += here.size() + there.size();
    return;
  }
  if (here.empty() || there.empty()) return keep_marked(here, there);
  if (!by_name) {
    const auto matches = align(tokens(here_, here, false), tokens(there_, there, false));
    return visit(here, there, matches, true);
  }
  Steps inner_here = here;
  Steps inner_there = there;
  for (int i = 0; i < most_expansions; ++i) {
    auto next_here = expanded(side_here_, inner_here);
    auto next_there = expanded(side_there_, inner_there);
    if (next_here == inner_here && next_there == inner_there) break;
    inner_here = std::move(next_here);
    inner_there = std::move(next_there);
    const auto matches = align(tokens(here_, inner_here, true), tokens(there_, inner_there, true));
    if (2 * matches.size() > std::max(inner_here.size(), inner_there.size())) {
      return visit(inner_here, inner_there, matches, false);
    }
  }
  keep_marked(here, there);
}

/// Returns whether operations that only one side has are its last ones, and the other trace was cut off
/// before it could have them.
bool Comparison::lies_behind_cut(const Steps& here, const Steps& there) const {
  if (there.empty()) return !there_.finished && here.back() == last_here_;
  return here.empty() && !here_.finished && there.back() == last_there_;
}

/// Replaces composite operations by those that they called.
Comparison::Steps Comparison::expanded(const Side& side, const Steps& steps) const {
  Steps all;
  all.reserve(steps.size());
  for (const auto step : steps) {
    const auto inner = side.is_composite(step) ? side.steps(step) : Steps{};
    if (inner.empty()) {
      all.push_back(step);
    } else {
      all.insert(all.end(), inner.begin(), inner.end());
    }
  }
  return all;
}

void Comparison::make_partners(Pair pair) {
  known_here_[pair.here].partner = pair.there;
  known_there_[pair.there].partner = pair.here;
  side_here_.visit(pair.here);
  side_there_.visit(pair.there);
}

void Comparison::compare_pair(Pair pair) {
  make_partners(pair);
  at_ = pair.here;
  if (depth_ == 0) {
    ++result_.pairs;
    behind_regions_ = regions_.size();
    keep_rows({pair.here}, {pair.there}, 0);
  }
  if (gave_the_same(pair)) {
    compare_outside(pair);
  } else {
    const Number cause = cause_of(pair);
    known_here_[pair.here].cause = cause;
    known_there_[pair.there].cause = cause;
    keep_generators(pair, cause);
    if (depth_ == 0) {
      ++result_.differing;
      auto& difference = result_.differences[cause - 1];
      const bool itself = !difference.here.empty() && difference.here.front() >= pair.here &&
                          difference.here.front() < here_.operations[pair.here].next;
      if (itself) return;
      if (difference.followers.empty()) add_dtypes(difference, pair);
      difference.followers.push_back(pair);
    }
  }
}

Comparison::Number Comparison::add(Difference difference) {
  if (!difference.here.empty()) difference.at = difference.here.front();
  const auto number = static_cast<Number>(result_.differences.size() + 1);
  if (difference.kind == Kind::operations && !is_backward(difference.here, difference.there))
    forward_ = number;
  result_.differences.push_back(std::move(difference));
  return number;
}

Comparison::Number Comparison::add(Kind kind, std::string what, Pair pair) {
  Difference difference{.kind = kind, .what = std::move(what), .here = {pair.here}, .there = {pair.there}};
  difference.tensors = tensors_of(here_, there_, pair, side_here_.overwrites(pair.here));
  return add(std::move(difference));
}

bool Comparison::gave_the_same(Pair pair) const {
  const auto here = flat(here_, here_.outputs(pair.here));
  const auto there = flat(there_, there_.outputs(pair.there));
  return std::equal(here.begin(), here.end(), there.begin(), there.end(),
                    [&](const auto& a, const auto& b) { return same_value(a, b); });
}

bool Comparison::same_tensor(std::uint32_t here, std::uint32_t there) const {
  const auto& a = here_.tensors[here];
  const auto& b = there_.tensors[there];
  const bool unknown = a.hash == 0 || b.hash == 0;
  return a.dtype == b.dtype && (unknown || a.hash == b.hash) &&
         std::ranges::equal(here_.shape(a), there_.shape(b));
}

bool Comparison::same_value(const Value& here, const Value& there) const {
  if (here.tag == Tag::tensor && there.tag == Tag::tensor) return same_tensor(here.index, there.index);
  if (here.tag == there.tag) {
    return here.bits == there.bits && here.imaginary == there.imaginary && here.index == there.index;
  }
  const auto number = [](const Value& value) {
    return value.tag == Tag::real ? std::bit_cast<double>(value.bits)
                                  : static_cast<double>(static_cast<std::int64_t>(value.bits));
  };
  const auto is_number = [](const Value& value) {
    return value.tag == Tag::real || value.tag == Tag::whole || value.tag == Tag::boolean;
  };
  return is_number(here) && is_number(there) && number(here) == number(there);
}

TraceComparison compare(const ReadTrace& here, const ReadTrace& there, const Texts& texts) {
  return Comparison(here, there, texts).run();
}

}  // namespace torchbook::trace_diff
