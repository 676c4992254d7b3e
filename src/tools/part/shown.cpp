// Finds why tensors that both programs showed differ.
#include <tools/part/comparison.h>

#include <algorithm>

namespace torchbook::part {
namespace {

/// The operations that returned or changed each storage, in order.
using Writers = std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>;

Writers writers_of(const ReadTrace& trace) {
  Writers writers;
  for (std::uint32_t i = 0; i < trace.operations.size(); ++i) {
    for (const auto tensor : tensors_in(trace, trace.outputs(i))) {
      auto& of_memory = writers[trace.tensors[tensor].storage];
      if (of_memory.empty() || of_memory.back() != i) of_memory.push_back(i);
    }
  }
  return writers;
}

/// Returns the last operation that wrote a shown tensor and was compared (`is_known`), or
/// no_operation. Follows copies back to the first input of the operation that made them.
template <class IsKnown>
std::uint32_t compared_writer(const ReadTrace& trace, const Shown& shown, const Writers& writers,
                              const IsKnown& is_known) {
  auto storage = trace.tensors[shown.tensor].storage;
  auto behind = shown.operation;
  for (auto found = writers.find(storage); found != writers.end(); found = writers.find(storage)) {
    const auto& all = found->second;
    const auto next = std::lower_bound(all.begin(), all.end(), behind);
    if (next == all.begin()) break;
    behind = *(next - 1);  // becomes smaller each time
    if (is_known(behind)) return behind;
    const auto inputs = tensors_in(trace, trace.inputs(behind));
    const bool changes = std::any_of(inputs.begin(), inputs.end(), [&](std::uint32_t input) {
      return trace.tensors[input].storage == storage;
    });
    if (!changes && !inputs.empty()) storage = trace.tensors[inputs.front()].storage;
  }
  return no_operation;
}

}  // namespace

/// Returns the difference that a tensor, `tensor_here` and `tensor_there`, follows from, or 0. `ours` and
/// `theirs` are the operations that wrote it.
Comparison::Number Comparison::known_cause(std::uint32_t ours, std::uint32_t theirs,
                                           std::uint32_t tensor_here, std::uint32_t tensor_there) {
  const Known here = ours == no_operation ? Known{} : known_here_[ours];
  const Known there = theirs == no_operation ? Known{} : known_there_[theirs];
  if (here.cause != 0 || there.cause != 0) return here.cause != 0 ? here.cause : there.cause;
  if (here.region != 0 && theirs == no_operation && is_literal(regions_[here.region - 1]))
    return literal_cause(here.region, {.what = "its value", .here = tensor_here, .there = tensor_there});
  if (here.region != 0) return region_cause(here.region);
  return there.region != 0 ? region_cause(there.region) : 0;
}

/// Compares what both programs showed under the same name.
void Comparison::compare_shown() {
  if (here_.shown.empty()) return;
  std::unordered_map<std::uint32_t, const Shown*> named;
  for (const auto& one : there_.shown) named.emplace(one.name, &one);
  const auto writers_here = writers_of(here_);
  const auto writers_there = writers_of(there_);
  const auto writer = [](const ReadTrace& trace, const Shown& shown, const Writers& writers,
                         const std::vector<Known>& known) {
    return compared_writer(trace, shown, writers, [&](std::uint32_t operation) {
      return known[operation].region != 0 || known[operation].partner != no_operation;
    });
  };
  for (const auto& one : here_.shown) {
    const auto other = named.find(one.name);
    if (other == named.end() || same_tensor(one.tensor, other->second->tensor)) continue;
    TensorPair tensors{.what = texts_[one.name], .here = one.tensor, .there = other->second->tensor};
    const auto ours = writer(here_, one, writers_here, known_here_);
    const auto theirs = writer(there_, *other->second, writers_there, known_there_);
    const auto number = known_cause(ours, theirs, tensors.here, tensors.there);
    result_.shown.push_back({.mark = one.mark, .tensors = std::move(tensors), .difference = number});
  }
}

}  // namespace torchbook::part
