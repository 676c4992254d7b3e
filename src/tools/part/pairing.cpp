// Two operations belong together if they have the same key. There are three keys:
//
// 1. Bits: the name, and the hashes of all inputs and outputs. The inputs are not ordered, because
//    operations such as add give the same bits for exchanged operands.
// 2. Inputs: the name, the hashes of the inputs, and the shapes of the outputs. It pairs kernels that return
//    other bits.
// 3. Origin: the name, and for each input the origin of the operation that wrote it. Parameters have
//    their names, other tensors from outside their shapes. This key is the same in two programs that
//    compute the same from different numbers.
//
// Each key is for operations that the keys before did not pair. If a key occurs n times on both
// sides, the operations are paired in their order. If the counts differ, it is not known which of them
// is missing, so none is paired. Time and memory are linear, apart from the search of ascending pairs.
#include <tools/part/pairing.h>

#include <algorithm>
#include <bit>
#include <unordered_map>

namespace torchbook::trace_diff {
namespace {

using Keys = std::vector<std::uint64_t>;
using Steps = std::vector<std::uint32_t>;

constexpr std::uint64_t no_key = 0;  // of an operation that is paired already
constexpr int most_expansions = 4;

/// Returns a hash of a hash and one more number.
std::uint64_t mixed(std::uint64_t hash, std::uint64_t number) {
  hash ^= number + 0x9e3779b97f4a7c15 + (hash << 6U) + (hash >> 2U);
  return hash * 0xff51afd7ed558ccd;
}

std::uint64_t number_of(const Value& value) {
  if (value.tag == Tag::whole) {  // Python passes 1 where C++ passes 1.0
    return std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<std::int64_t>(value.bits)));
  }
  return mixed(value.bits, value.imaginary);
}

std::uint64_t kind_of(const ReadTrace& trace, const SeenTensor& tensor) {
  std::uint64_t key = mixed(tensor.dtype, tensor.dim);
  for (const auto size : trace.shape(tensor)) key = mixed(key, static_cast<std::uint64_t>(size));
  return key;
}

std::uint64_t bits_of(const ReadTrace& trace, std::uint32_t tensor) {
  return mixed(kind_of(trace, trace.tensors[tensor]), trace.tensors[tensor].hash);
}

std::uint64_t inputs_key(const Side& side, std::uint32_t operation) {
  const auto& trace = side.trace;
  std::uint64_t inputs = 0;
  const auto taken = tensors_in(trace, trace.inputs(operation));
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const bool unread = side.is_arbitrary(taken[i]) || (i == 0 && side.overwrites(operation));
    inputs += unread ? kind_of(trace, trace.tensors[taken[i]]) : bits_of(trace, taken[i]);
  }
  return mixed(trace.operations[operation].name, inputs);
}

/// Returns a key that no operation of the other side has: draws are paired by their order, because the same
/// numbers come again after a seed.
std::uint64_t draw_key(const Side& side, std::uint32_t operation) {
  return mixed(reinterpret_cast<std::uintptr_t>(&side), operation);
}

/// Returns a key of each operation: `with_outputs(operation, key of its inputs)`, or that of a draw.
template <class WithOutputs>
Keys keys_of(const Side& side, const Steps& steps, const WithOutputs& with_outputs) {
  Keys keys;
  keys.reserve(steps.size());
  for (const auto step : steps)
    keys.push_back(side.draws(step) ? draw_key(side, step) : with_outputs(step, inputs_key(side, step)));
  return keys;
}

Keys inputs_keys(const Side& side, const Steps& steps) {
  const auto& trace = side.trace;
  return keys_of(side, steps, [&](std::uint32_t step, std::uint64_t key) {
    for (const auto tensor : tensors_in(trace, trace.outputs(step)))
      key = mixed(key, kind_of(trace, trace.tensors[tensor]));
    return key;
  });
}

Keys bits_keys(const Side& side, const Steps& steps) {
  const auto& trace = side.trace;
  return keys_of(side, steps, [&](std::uint32_t step, std::uint64_t key) {
    for (const auto& value : flat(trace, trace.outputs(step)))
      key = mixed(key, value.tag == Tag::tensor ? bits_of(trace, value.index) : number_of(value));
    return key;
  });
}

Keys origin_keys(const Side& side, const Steps& steps) {
  const auto& trace = side.trace;
  std::unordered_map<std::uint32_t, std::uint64_t> names;  // of parameters, by storage
  for (const auto& named : trace.named) names.emplace(trace.tensors[named.tensor].storage, named.name);
  std::unordered_map<std::uint32_t, std::uint64_t> known;  // keys of steps
  Keys keys;
  keys.reserve(steps.size());
  for (const auto step : steps) {
    auto key = mixed(trace.operations[step].name, 2);
    const auto inputs = tensors_in(trace, trace.inputs(step));
    for (const auto input : inputs) {
      auto writer = side.innermost_writer(input);
      while (writer != no_operation && !known.contains(writer)) writer = trace.operations[writer].parent;
      const auto named = names.find(trace.tensors[input].storage);
      if (writer != no_operation) {
        key = mixed(key, known[writer]);
      } else {
        key = mixed(key, named != names.end() ? named->second : kind_of(trace, trace.tensors[input]));
      }
    }
    if (inputs.empty()) {
      for (const auto output : tensors_in(trace, trace.outputs(step)))
        key = mixed(key, kind_of(trace, trace.tensors[output]));
    }
    keys.push_back(key);
    known[step] = key;
  }
  return keys;
}

/// Adds the pairs of equal keys, and sets the keys of paired operations to no_key in `left_here` and
/// `left_there`.
void add_pairs(const Keys& here, const Keys& there, Keys& left_here, Keys& left_there,
               std::vector<Match>& pairs) {
  struct Places {
    std::vector<std::size_t> here;
    std::vector<std::size_t> there;
  };
  std::unordered_map<std::uint64_t, Places> places;
  for (std::size_t i = 0; i < here.size(); ++i) {
    if (left_here[i] != no_key) places[here[i]].here.push_back(i);
  }
  for (std::size_t i = 0; i < there.size(); ++i) {
    if (left_there[i] != no_key) places[there[i]].there.push_back(i);
  }
  for (const auto& [key, both] : places) {
    if (both.here.size() != both.there.size()) continue;
    for (std::size_t i = 0; i < both.here.size(); ++i) {
      pairs.push_back({.here = both.here[i], .there = both.there[i]});
      left_here[both.here[i]] = no_key;
      left_there[both.there[i]] = no_key;
    }
  }
}

/// Returns pairs of indices into `here` and `there`, in the order of `here`.
std::vector<Match> pair_by_content(const Side& side_here, const Steps& here, const Side& side_there,
                                   const Steps& there) {
  std::vector<Match> pairs;
  Keys left_here(here.size(), 1);
  Keys left_there(there.size(), 1);
  for (const auto keys : {bits_keys, inputs_keys, origin_keys})
    add_pairs(keys(side_here, here), keys(side_there, there), left_here, left_there, pairs);
  std::sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.here < b.here; });
  return pairs;
}

/// Returns a number for each operation: that of its name and, if wanted, of the shapes of its inputs.
Keys tokens(const ReadTrace& trace, const Steps& steps, bool with_shapes) {
  Keys tokens;
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

/// Replaces composite operations by those that they called.
Steps expanded(const Side& side, const Steps& steps) {
  Steps all;
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

/// Groups consecutive steps with the same mark or module.
std::vector<std::pair<std::uint32_t, Steps>> grouped(const ReadTrace& trace, const Steps& steps,
                                                     std::uint32_t Operation::*by) {
  std::vector<std::pair<std::uint32_t, Steps>> groups;
  for (const auto step : steps) {
    const auto value = trace.operations[step].*by;
    if (groups.empty() || groups.back().first != value) groups.emplace_back(value, Steps());
    groups.back().second.push_back(step);
  }
  return groups;
}

/// Pairs the operations of one level.
class Pairing {
 public:
  Pairing(const Side& here, const Side& there) : here_(here), there_(there) {}

  /// Operations that are paired by content and ran in the same order divide the others into gaps.
  Paired run(const Steps& here, const Steps& there) && {
    const auto pairs = pair_by_content(here_, here, there_, there);
    auto in_order = ascending(pairs);
    paired_.reordered = in_order.size() < pairs.size();
    in_order.push_back({.here = here.size(), .there = there.size()});
    std::vector<bool> is_paired_here(here.size());
    std::vector<bool> is_paired_there(there.size());
    for (const auto& match : pairs) {
      is_paired_here[match.here] = is_paired_there[match.there] = true;
      paired_.pairs.push_back({.here = here[match.here], .there = there[match.there]});
    }
    const auto left = [](const Steps& steps, const std::vector<bool>& is_paired, std::size_t& from,
                         std::size_t to) {
      Steps all;
      for (; from < to; ++from) {
        if (!is_paired[from]) all.push_back(steps[from]);
      }
      return all;
    };
    Match at;
    for (const auto& match : in_order) {
      const auto ours = left(here, is_paired_here, at.here, match.here);
      add_gap(ours, left(there, is_paired_there, at.there, match.there), By::shapes);
      if (match.here < here.size()) at_ = here[match.here];
    }
    std::sort(paired_.pairs.begin(), paired_.pairs.end(),
              [](const auto& a, const auto& b) { return a.here < b.here; });
    return std::move(paired_);
  }

 private:
  enum class By { shapes, name, called };  // what aligns operations; each is for what those before left

  void add_gap(const Steps& here, const Steps& there, By by) {
    if (here.empty() || there.empty()) return keep_marked(here, there);
    if (by == By::called) return add_called(here, there);
    const bool shapes = by == By::shapes;
    add_aligned(here, there, align(tokens(here_.trace, here, shapes), tokens(there_.trace, there, shapes)),
                shapes ? By::name : By::called);
  }

  void add_aligned(const Steps& here, const Steps& there, const std::vector<Match>& matches, By next) {
    const auto part = [](const Steps& steps, std::size_t from, std::size_t to) {
      return Steps(steps.begin() + static_cast<std::ptrdiff_t>(from),
                   steps.begin() + static_cast<std::ptrdiff_t>(to));
    };
    Match at;
    for (const auto& match : matches) {
      add_gap(part(here, at.here, match.here), part(there, at.there, match.there), next);
      at_ = here[match.here];
      paired_.pairs.push_back({.here = at_, .there = there[match.there]});
      at = {.here = match.here + 1, .there = match.there + 1};
    }
    add_gap(part(here, at.here, here.size()), part(there, at.there, there.size()), next);
  }

  /// Pairs the operations that these called, if more than half of them fit.
  void add_called(const Steps& here, const Steps& there) {
    Steps inner_here = here;
    Steps inner_there = there;
    for (int i = 0; i < most_expansions; ++i) {
      auto next_here = expanded(here_, inner_here);
      auto next_there = expanded(there_, inner_there);
      if (next_here == inner_here && next_there == inner_there) break;
      inner_here = std::move(next_here);
      inner_there = std::move(next_there);
      const auto matches =
          align(tokens(here_.trace, inner_here, true), tokens(there_.trace, inner_there, true));
      if (2 * matches.size() > std::max(inner_here.size(), inner_there.size()))
        return add_aligned(inner_here, inner_there, matches, By::name);
    }
    keep_marked(here, there);
  }

  /// Keeps separate gaps for each mark, so that no gap spans two cells of a notebook.
  void keep_marked(const Steps& here, const Steps& there) {
    const auto ours = grouped(here_.trace, here, &Operation::mark);
    auto mine = ours.begin();
    for (const auto& group : grouped(there_.trace, there, &Operation::mark)) {
      const auto& steps = group.second;
      const auto same =
          std::find_if(mine, ours.end(), [&](const auto& one) { return one.first == group.first; });
      if (same == ours.end()) {
        keep_modules({}, steps);
        continue;
      }
      for (; mine != same; ++mine) keep_modules(mine->second, {});
      keep_modules(mine->second, steps);
      ++mine;
    }
    for (; mine != ours.end(); ++mine) keep_modules(mine->second, {});
  }

  /// Keeps a gap for each module if both sides ran the same modules in the same order, otherwise one for all.
  void keep_modules(const Steps& here, const Steps& there) {
    const auto ours = grouped(here_.trace, here, &Operation::module);
    const auto theirs = grouped(there_.trace, there, &Operation::module);
    const bool same = std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end(),
                                 [](const auto& a, const auto& b) { return a.first == b.first; });
    if (!same) return keep(here, there);
    for (std::size_t i = 0; i < ours.size(); ++i) keep(ours[i].second, theirs[i].second);
  }

  void keep(const Steps& here, const Steps& there) {
    if (!here.empty()) at_ = here.front();
    if (!here.empty() || !there.empty()) paired_.gaps.push_back({.here = here, .there = there, .at = at_});
  }

  const Side& here_;
  const Side& there_;
  std::uint32_t at_ = 0;  // the last operation here that was looked at
  Paired paired_{};
};

}  // namespace

Paired pair_steps(const Side& side_here, const std::vector<std::uint32_t>& here, const Side& side_there,
                  const std::vector<std::uint32_t>& there) {
  return Pairing(side_here, side_there).run(here, there);
}

std::vector<Match> ascending(const std::vector<Match>& pairs) {
  constexpr auto none = static_cast<std::size_t>(-1);
  std::vector<std::size_t> ends;  // the pair with which the best row of each length ends
  std::vector<std::size_t> before(pairs.size(), none);  // the pair before it in that row
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto at = std::lower_bound(ends.begin(), ends.end(), pairs[i].there,
                                     [&](auto end, auto there) { return pairs[end].there < there; });
    if (at != ends.begin()) before[i] = *(at - 1);
    if (at == ends.end()) {
      ends.push_back(i);
    } else {
      *at = i;
    }
  }
  std::vector<Match> row;
  row.reserve(ends.size());
  for (auto i = ends.empty() ? none : ends.back(); i != none; i = before[i]) row.push_back(pairs[i]);
  std::reverse(row.begin(), row.end());
  return row;
}

}  // namespace torchbook::trace_diff
