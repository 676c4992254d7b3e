#include <tools/part/memory.h>

#include <algorithm>

namespace torchbook::trace_diff {
namespace {

/// Returns the index of the first input that fits, or Given::no_input.
template <class Fits>
std::size_t first_input(const std::vector<std::uint32_t>& inputs, const Fits& fits) {
  const auto found = std::find_if(inputs.begin(), inputs.end(), fits);
  return found == inputs.end() ? Given::no_input : static_cast<std::size_t>(found - inputs.begin());
}

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

std::vector<std::uint32_t> called_by(const ReadTrace& trace, std::uint32_t parent) {
  const auto& operations = trace.operations;
  const bool outermost = parent == no_operation;
  const auto end = outermost ? static_cast<std::uint32_t>(operations.size()) : operations[parent].next;
  std::vector<std::uint32_t> called;
  for (std::uint32_t i = outermost ? 0 : parent + 1; i < end;) {
    const bool only_calls = operations[i].outputs.count == 0 && operations[i].next > i + 1;
    if (!only_calls) called.push_back(i);
    i = only_calls ? i + 1 : operations[i].next;
  }
  return called;
}

Given how_given(const ReadTrace& trace, Role role, const std::vector<std::uint32_t>& inputs,
                std::uint32_t output) {
  const auto& given = trace.tensors[output];
  const auto shares = [&](std::uint32_t input) {
    return given.storage != 0 && trace.tensors[input].storage == given.storage;
  };
  const auto equals = [&](std::uint32_t input) {
    return trace.tensors[input].hash == given.hash && trace.tensors[input].dtype == given.dtype;
  };
  const auto shared = first_input(inputs, shares);
  if (role == Role::makes_room) return {.as = Given::As::room, .input = shared};
  if (role == Role::in_place || role == Role::overwrites) return {.as = Given::As::change, .input = shared};
  if (shared != Given::no_input) return {.as = Given::As::view, .input = shared};
  const auto copied = role == Role::copies ? first_input(inputs, equals) : Given::no_input;
  return {.as = copied == Given::no_input ? Given::As::result : Given::As::copy, .input = copied};
}

Writers::Writers(const ReadTrace& trace, const Roles& roles)
    : trace_(trace), roles_(roles), moves_(trace.operations.size()), before_(trace.tensors.size()) {
  for (std::uint32_t i = 0; i < trace.operations.size(); ++i) moves_[i] = moves(i);
  follow();
}

bool Writers::moves(std::uint32_t operation) const {
  const auto role = roles_[trace_.operations[operation].name];
  if (role == Role::makes_room || role == Role::nothing) return true;
  const auto inputs = tensors_in(trace_, trace_.inputs(operation));
  const auto outputs = tensors_in(trace_, trace_.outputs(operation));
  return !outputs.empty() && std::all_of(outputs.begin(), outputs.end(), [&](auto output) {
    const auto as = how_given(trace_, role, inputs, output).as;
    return as == Given::As::view || as == Given::As::copy;
  });
}

/// Returns whether an operation writes a number into memory that nothing wrote but operations like it.
bool Writers::fills_number(std::uint32_t operation) const {
  const auto outputs = tensors_in(trace_, trace_.outputs(operation));
  if (!roles_.fills(trace_.operations[operation].name) || outputs.empty()) return false;
  const auto& output = trace_.tensors[outputs.front()];
  const auto last = now(output);
  return output.dim == 0 && (last.arbitrary || last.filled != no_operation);
}

/// Finds the last changes of all inputs and of what the program showed. What is called by an operation that
/// only moves bits is not looked at.
void Writers::follow() {
  const auto count = static_cast<std::uint32_t>(trace_.operations.size());
  std::vector<std::uint32_t> running;
  std::size_t shown = 0;
  const auto end_before = [&](std::uint32_t next) {
    for (; !running.empty() && trace_.operations[running.back()].next <= next; running.pop_back())
      written_by(running.back());
    for (; shown < trace_.shown.size() && trace_.shown[shown].operation <= next; ++shown) {
      const auto tensor = trace_.shown[shown].tensor;
      before_[tensor] = now(trace_.tensors[tensor]);
    }
  };
  for (std::uint32_t i = 0; i < count; i = moves_[i] ? trace_.operations[i].next : i + 1) {
    end_before(i);
    for (const auto input : tensors_in(trace_, trace_.inputs(i))) before_[input] = now(trace_.tensors[input]);
    if (fills_number(i)) {
      moves_[i] = true;
      auto& memory = memories_[trace_.tensors[tensors_in(trace_, trace_.outputs(i)).front()].storage];
      if (memory.filled == no_operation) memory = {.filled = i};
    } else if (moves_[i]) {
      moved_by(i);
    } else {
      running.push_back(i);
    }
  }
  end_before(count);
}

void Writers::moved_by(std::uint32_t operation) {
  const auto role = roles_[trace_.operations[operation].name];
  const auto inputs = tensors_in(trace_, trace_.inputs(operation));
  for (const auto output : tensors_in(trace_, trace_.outputs(operation))) {
    const auto [as, input] = how_given(trace_, role, inputs, output);
    auto& memory = memories_[trace_.tensors[output].storage];
    if (as == Given::As::room) memory = {.writer = no_operation, .arbitrary = true};
    if (as == Given::As::copy) memory = now(trace_.tensors[inputs[input]]);
  }
}

/// Records that an operation wrote its outputs, unless one that it called did.
void Writers::written_by(std::uint32_t operation) {
  const auto write = [&](const SeenTensor& tensor) {
    auto& memory = memories_[tensor.storage];
    if (memory.writer == no_operation || memory.writer < operation) memory = {.writer = operation};
  };
  for (const auto output : tensors_in(trace_, trace_.outputs(operation))) write(trace_.tensors[output]);
  for (const auto& tensor : unnamed_results(operation)) write(tensor);
}

/// Returns what an operation writes and does not return: the running mean and variance of batch_norm.
std::vector<SeenTensor> Writers::unnamed_results(std::uint32_t operation) const {
  const auto inputs = trace_.inputs(operation);
  std::vector<SeenTensor> results;
  if (!roles_.keeps_statistics(trace_.operations[operation].name) || inputs.size() < 5) return results;
  for (const auto& value : inputs.subspan(3, 2)) {
    if (value.tag == Tag::tensor) results.push_back(trace_.tensors[value.index]);
  }
  return results;
}

Writers::Last Writers::now(const SeenTensor& tensor) const {
  const auto found = memories_.find(tensor.storage);
  return found == memories_.end() || tensor.storage == 0 ? Last() : found->second;
}

}  // namespace torchbook::trace_diff
