// Two operations belong together if they have the same key. There are two keys:
//
// 1. Bits: the name, and the hashes of all inputs and outputs. The inputs are not ordered, because
//    operations such as add give the same bits for exchanged operands.
// 2. Origin: the name, and for each input the origin of the operation that wrote it. Parameters have
//    their names, other tensors from outside their shapes. This key is the same in two programs that
//    compute the same from different numbers.
//
// The second key is for operations that the first one did not pair. If a key occurs n times on both
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

std::uint64_t bits_key(const Side& side, std::uint32_t operation) {
  const auto& trace = side.trace;
  const auto bits_of = [&](std::uint32_t index) {
    const auto& tensor = trace.tensors[index];
    return mixed(kind_of(trace, tensor), tensor.hash);
  };
  std::uint64_t inputs = 0;
  const auto taken = tensors_in(trace, trace.inputs(operation));
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const bool unread = side.is_arbitrary(taken[i]) || (i == 0 && side.overwrites(operation));
    inputs += unread ? kind_of(trace, trace.tensors[taken[i]]) : bits_of(taken[i]);
  }
  auto key = mixed(trace.operations[operation].name, inputs);
  for (const auto& value : flat(trace, trace.outputs(operation))) {
    key = mixed(key, value.tag == Tag::tensor ? bits_of(value.index) : number_of(value));
  }
  return key;
}

Keys bits_keys(const Side& side, const Steps& steps) {
  Keys keys;
  keys.reserve(steps.size());
  for (const auto step : steps) keys.push_back(bits_key(side, step));
  return keys;
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

}  // namespace

std::uint64_t mixed(std::uint64_t hash, std::uint64_t number) {
  hash ^= number + 0x9e3779b97f4a7c15 + (hash << 6U) + (hash >> 2U);
  return hash * 0xff51afd7ed558ccd;
}

std::vector<Match> pair_by_content(const Side& side_here, const Steps& here, const Side& side_there,
                                   const Steps& there) {
  std::vector<Match> pairs;
  Keys left_here(here.size(), 1);
  Keys left_there(there.size(), 1);
  add_pairs(bits_keys(side_here, here), bits_keys(side_there, there), left_here, left_there, pairs);
  add_pairs(origin_keys(side_here, here), origin_keys(side_there, there), left_here, left_there, pairs);
  std::sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.here < b.here; });
  return pairs;
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
