#include <tools/part/side.h>

#include <algorithm>
#include <iterator>

namespace torchbook::trace_diff {
namespace {

constexpr std::uint32_t most_looked_at = 100'000;  // operations, for a chain of views

}  // namespace

Side::Side(const ReadTrace& of, const Roles& roles)
    : trace(of), known(of.operations.size()), roles_(roles), writers_(of, roles) {
  for (std::uint32_t i = 0; i < trace.operations.size(); ++i) {
    for (const auto tensor : tensors_in(trace, trace.inputs(i)))
      last_taken_[trace.tensors[tensor].storage] = i;
    if (roles_[trace.operations[i].name] == Role::makes_room) continue;
    for (const auto tensor : tensors_in(trace, trace.outputs(i))) given_.insert(trace.tensors[tensor].hash);
  }
}

bool Side::draws(std::uint32_t operation) const {
  const auto first = trace.operations.begin();
  return std::any_of(first + operation, first + trace.operations[operation].next,
                     [](const auto& one) { return one.before != no_operation; });
}

bool Side::is_taken(std::uint32_t operation) const {
  const auto outputs = tensors_in(trace, trace.outputs(operation));
  return std::any_of(outputs.begin(), outputs.end(), [&](auto output) {
    const auto last = last_taken_.find(trace.tensors[output].storage);
    return last != last_taken_.end() && last->second >= trace.operations[operation].next;
  });
}

std::vector<std::uint32_t> Side::steps(std::uint32_t parent) const {
  auto steps = called_by(trace, parent);
  std::erase_if(steps, [&](auto step) { return writers_.only_moves(step); });
  return steps;
}

bool Side::is_composite(std::uint32_t operation) const {
  const auto end = trace.operations[operation].next;
  std::unordered_set<std::uint64_t> inner;
  for (auto i = operation + 1; i < end; i = trace.operations[i].next) {
    for (const auto tensor : tensors_in(trace, trace.outputs(i))) inner.insert(trace.tensors[tensor].hash);
  }
  const auto outputs = tensors_in(trace, trace.outputs(operation));
  return end > operation + 1 && std::all_of(outputs.begin(), outputs.end(), [&](auto tensor) {
           return inner.contains(trace.tensors[tensor].hash);
         });
}

std::uint32_t Side::compared(std::uint32_t operation, std::uint32_t reader) const {
  auto found = operation;
  const auto calls_reader = [&](auto one) { return one <= reader && reader < trace.operations[one].next; };
  for (auto one = operation; one != no_operation && !calls_reader(one); one = trace.operations[one].parent) {
    if (known[one].is_compared()) found = one;
  }
  return found;
}

bool Side::changed_outside(std::uint32_t tensor, std::uint32_t writer) const {
  const auto& seen = trace.tensors[tensor];
  const auto is_it = [&](const SeenTensor& other) {
    return other.storage == seen.storage && other.offset == seen.offset &&
           std::ranges::equal(trace.shape(other), trace.shape(seen)) &&
           std::ranges::equal(trace.strides(other), trace.strides(seen));
  };
  if (writer != no_operation) {
    const auto outputs = tensors_in(trace, trace.outputs(writer));
    return std::any_of(outputs.begin(), outputs.end(), [&](auto output) {
      return is_it(trace.tensors[output]) && trace.tensors[output].hash != seen.hash;
    });
  }
  if (seen.storage == 0 || is_arbitrary(tensor)) return false;
  const auto before = std::make_reverse_iterator(trace.tensors.begin() + tensor);
  const auto found = std::find_if(before, trace.tensors.rend(), is_it);
  return found != trace.tensors.rend() && found->hash != seen.hash;
}

std::vector<std::uint32_t> Side::movers(const SeenTensor& tensor, std::uint32_t writer,
                                        std::uint32_t reader) const {
  std::vector<std::uint32_t> movers;
  SeenTensor wanted = tensor;
  const std::uint32_t first = writer == no_operation ? 0 : trace.operations[writer].next;
  for (auto i = reader; i-- > first && reader - i < most_looked_at;) {
    if (!writers_.only_moves(i)) continue;
    const auto parent = trace.operations[i].parent;
    const bool calls_reader = parent == no_operation || reader < trace.operations[parent].next;
    if (!calls_reader) continue;
    const auto outputs = tensors_in(trace, trace.outputs(i));
    const bool gave = std::any_of(outputs.begin(), outputs.end(), [&](auto output) {
      const auto& given = trace.tensors[output];
      return given.hash == wanted.hash && std::ranges::equal(trace.shape(given), trace.shape(wanted));
    });
    if (!gave) continue;
    const auto inputs = tensors_in(trace, trace.inputs(i));
    if (inputs.empty()) continue;
    wanted = trace.tensors[inputs.front()];
    movers.insert(movers.begin(), i);
  }
  return movers;
}

}  // namespace torchbook::trace_diff
