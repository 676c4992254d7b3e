// Finds why tensors that both programs showed differ.
#include <torchbook/part/comparison.h>

#include <algorithm>

namespace torchbook::part {
namespace {

/// For each memory, the operations that gave or changed it, in order.
using Writers = std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>;

Writers writers_of(const Trace& trace) {
  Writers writers;
  for (std::uint32_t i = 0; i < trace.operations.size(); ++i) {
    for (const auto tensor : tensors_in(trace, trace.outputs(i))) {
      auto& of_memory = writers[trace.tensors[tensor].storage];
      if (of_memory.empty() || of_memory.back() != i) of_memory.push_back(i);
    }
  }
  return writers;
}

/// Walks back over the operations that wrote what was shown, and over copies, from the last one on, until
/// `is_known` says of one that it was compared. Returns that one, or no_operation.
template <class IsKnown>
std::uint32_t compared_writer(const Trace& trace, const Shown& shown, const Writers& writers,
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

/// Compares what both programs showed under the same name.
void Comparison::compare_shown() {
  if (here_.shown.empty()) return;
  std::unordered_map<std::uint32_t, const Shown*> theirs;
  for (const auto& one : there_.shown) theirs.emplace(one.name, &one);
  const auto writers_here = writers_of(here_);
  const auto writers_there = writers_of(there_);
  const auto cause = [&](const Trace& trace, const Shown& shown, const Writers& writers,
                         const std::vector<Known>& known) -> Number {
    const auto writer = compared_writer(trace, shown, writers, [&](std::uint32_t operation) {
      return known[operation].region != 0 || known[operation].partner != no_operation;
    });
    if (writer == no_operation) return 0;
    return known[writer].region != 0 ? region_cause(known[writer].region) : known[writer].cause;
  };
  for (const auto& one : here_.shown) {
    const auto other = theirs.find(one.name);
    if (other == theirs.end() || same_tensor(one.tensor, other->second->tensor)) continue;
    auto number = cause(here_, one, writers_here, known_here_);
    if (number == 0) number = cause(there_, *other->second, writers_there, known_there_);
    verdict_.shown.push_back(
        {.mark = one.mark,
         .tensors = {.what = texts_[one.name], .here = one.tensor, .there = other->second->tensor},
         .difference = number});
  }
}

}  // namespace torchbook::part
