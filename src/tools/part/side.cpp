// Follows memory through one trace.
#include <tools/part/side.h>

#include <algorithm>

namespace torchbook::part {
namespace {

constexpr std::uint32_t most_looked_at = 100'000;  // operations, for a chain of views

}  // namespace

std::vector<Value> flat(const ReadTrace& trace, std::span<const Value> values) {
  std::vector<Value> all;
  all.reserve(values.size());
  for (const auto& value : values) {
    if (value.tag != Tag::list) {
      all.push_back(value);
      continue;
    }
    const auto inner = flat(trace, trace.part({.first = value.index, .count = value.count}));
    all.insert(all.end(), inner.begin(), inner.end());
  }
  return all;
}

std::vector<std::uint32_t> tensors_in(const ReadTrace& trace, std::span<const Value> values) {
  std::vector<std::uint32_t> tensors;
  tensors.reserve(values.size());
  for (const auto& value : values) {
    if (value.tag == Tag::tensor) tensors.push_back(value.index);
    if (value.tag != Tag::list) continue;
    const auto inner = tensors_in(trace, trace.part({.first = value.index, .count = value.count}));
    tensors.insert(tensors.end(), inner.begin(), inner.end());
  }
  return tensors;
}

Side::Side(const ReadTrace& of, const Roles& roles)
    : trace(of),
      roles_(roles),
      moves_(of.operations.size()),
      visited_(of.operations.size()),
      origins_(of.tensors.size()) {
  for (std::uint32_t i = 0; i < trace.operations.size(); ++i) {
    moves_[i] = only_moves(i);
    if (roles_[trace.operations[i].name] == Role::makes_room) continue;
    for (const auto tensor : tensors_in(trace, trace.outputs(i))) given_.insert(trace.tensors[tensor].hash);
  }
  follow();
}

/// Returns whether an operation computes nothing: it is a mark of the profiler, or its outputs are
/// views or copies of its inputs, or uninitialized memory.
bool Side::only_moves(std::uint32_t operation) const {
  const auto role = roles_[trace.operations[operation].name];
  if (role == Role::makes_room || role == Role::nothing) return true;
  if (role == Role::in_place || role == Role::overwrites) return false;
  const auto inputs = tensors_in(trace, trace.inputs(operation));
  const auto outputs = tensors_in(trace, trace.outputs(operation));
  const auto comes_from = [&](std::uint32_t output, std::uint32_t input) {
    const auto& given = trace.tensors[output];
    const auto& taken = trace.tensors[input];
    const bool is_view = given.storage != 0 && given.storage == taken.storage;
    const bool is_copy = role == Role::copies && given.hash == taken.hash && given.dtype == taken.dtype;
    return is_view || is_copy;
  };
  return !outputs.empty() && std::all_of(outputs.begin(), outputs.end(), [&](auto output) {
    return std::any_of(inputs.begin(), inputs.end(), [&](auto input) { return comes_from(output, input); });
  });
}

std::vector<std::uint32_t> Side::steps(std::uint32_t parent) const {
  const auto& operations = trace.operations;
  const auto count = static_cast<std::uint32_t>(operations.size());
  std::vector<std::uint32_t> steps;
  const bool outermost = parent == no_operation;
  const std::uint32_t end = outermost ? count : operations[parent].next;
  for (std::uint32_t i = outermost ? 0 : parent + 1; i < end;) {
    const bool only_calls = operations[i].outputs.count == 0 && operations[i].next > i + 1;
    if (!moves_[i] && !only_calls) steps.push_back(i);
    i = only_calls ? i + 1 : operations[i].next;
  }
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

/// Finds the origins of all inputs. What is called by an operation that only moves bits is not looked at.
void Side::follow() {
  const auto count = static_cast<std::uint32_t>(trace.operations.size());
  std::vector<std::uint32_t> running;
  const auto end_before = [&](std::uint32_t next) {
    for (; !running.empty() && trace.operations[running.back()].next <= next; running.pop_back())
      written_by(running.back());
  };
  for (std::uint32_t i = 0; i < count; i = moves_[i] ? trace.operations[i].next : i + 1) {
    end_before(i);
    for (const auto input : tensors_in(trace, trace.inputs(i))) origins_[input] = at(trace.tensors[input]);
    if (moves_[i]) {
      moved_by(i);
    } else {
      running.push_back(i);
    }
  }
  end_before(count);
}

std::uint32_t Side::writer(std::uint32_t tensor, std::uint32_t reader) const {
  auto found = no_operation;
  const auto calls_reader = [&](auto one) { return one <= reader && reader < trace.operations[one].next; };
  for (auto one = innermost_writer(tensor); one != no_operation && !calls_reader(one);
       one = trace.operations[one].parent) {
    if (found == no_operation || visited_[one]) found = one;
  }
  return found;
}

bool Side::is_view(const SeenTensor& tensor, const std::vector<std::uint32_t>& inputs) const {
  return std::any_of(inputs.begin(), inputs.end(),
                     [&](auto input) { return trace.tensors[input].storage == tensor.storage; });
}

std::vector<std::uint32_t> Side::movers(const SeenTensor& tensor, std::uint32_t writer,
                                        std::uint32_t reader) const {
  std::vector<std::uint32_t> movers;
  SeenTensor wanted = tensor;
  const std::uint32_t first = writer == no_operation ? 0 : trace.operations[writer].next;
  for (auto i = reader; i-- > first && reader - i < most_looked_at;) {
    if (!moves_[i]) continue;
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

std::vector<SeenTensor> Side::unnamed_results(std::uint32_t operation) const {
  const auto inputs = trace.inputs(operation);
  std::vector<SeenTensor> results;
  if (!roles_.keeps_statistics(trace.operations[operation].name) || inputs.size() < 5) return results;
  for (const auto& value : inputs.subspan(3, 2)) {
    if (value.tag == Tag::tensor) results.push_back(trace.tensors[value.index]);
  }
  return results;
}

void Side::moved_by(std::uint32_t operation) {
  const bool makes_room = roles_[trace.operations[operation].name] == Role::makes_room;
  const auto inputs = tensors_in(trace, trace.inputs(operation));
  for (const auto output : tensors_in(trace, trace.outputs(operation))) {
    const auto& given = trace.tensors[output];
    if (makes_room) {
      memories_[given.storage] = {.writer = no_operation, .arbitrary = true};
    } else if (!is_view(given, inputs)) {
      const auto source = std::find_if(inputs.begin(), inputs.end(),
                                       [&](auto input) { return trace.tensors[input].hash == given.hash; });
      if (source != inputs.end()) memories_[given.storage] = at(trace.tensors[*source]);
    }
  }
}

/// Records that an operation wrote its outputs, unless one that it called did.
void Side::written_by(std::uint32_t operation) {
  const auto write = [&](const SeenTensor& tensor) {
    auto& memory = memories_[tensor.storage];
    if (memory.writer == no_operation || memory.writer < operation)
      memory = {.writer = operation, .arbitrary = false};
  };
  for (const auto output : tensors_in(trace, trace.outputs(operation))) write(trace.tensors[output]);
  for (const auto& tensor : unnamed_results(operation)) write(tensor);
}

Side::Memory Side::at(const SeenTensor& tensor) const {
  const auto found = memories_.find(tensor.storage);
  return found == memories_.end() || tensor.storage == 0 ? Memory() : found->second;
}

}  // namespace torchbook::part
