// Follows each tensor of a trace back to the operation that made it.
#include <tools/part/flow.h>
#include <tools/part/side.h>

#include <algorithm>

namespace torchbook::part {
namespace {

template <class Number>
void append(std::string& to, Number number) {
  to.append(reinterpret_cast<const char*>(&number), sizeof number);
}

}  // namespace

Flow::Flow(const ReadTrace& of, const Texts& names) : trace(of), texts(names), roles_(names) {
  std::size_t next = 0;
  const auto show_until = [&](std::uint32_t operation) {
    for (; next < trace.shown.size() && trace.shown[next].operation <= operation; ++next)
      shown_.push_back(value_of(trace.shown[next].tensor, trace.shown[next].operation));
  };
  const auto count = static_cast<std::uint32_t>(trace.operations.size());
  for (std::uint32_t i = 0; i < count;) {
    const auto& operation = trace.operations[i];
    show_until(i);
    const bool only_calls = operation.outputs.count == 0 && operation.next > i + 1;
    if (!only_calls) visit(i);
    i = only_calls ? i + 1 : operation.next;
  }
  show_until(count);
}

void Flow::visit(std::uint32_t operation) {
  Step step{.operation = operation};
  taken_ = tensors_in(trace, trace.inputs(operation));
  step.inputs.reserve(taken_.size());
  for (const auto tensor : taken_) step.inputs.push_back(value_of(tensor, operation));
  const auto given = tensors_in(trace, trace.outputs(operation));
  step.results.reserve(given.size());
  std::uint32_t number = 0;
  for (const auto tensor : given) {
    step.results.push_back(give({.by = Made::By::operation,
                                 .tensor = tensor,
                                 .operation = operation,
                                 .output = number++,
                                 .moment = operation,
                                 .inputs = step.inputs}));
  }
  steps_.push_back(std::move(step));
}

/// Returns the value of a tensor that an operation returns.
std::size_t Flow::give(Made made) {
  const auto role = roles_[trace.operations[made.operation].name];
  if (role == Role::in_place || role == Role::overwrites) return write(made);
  const auto tensor = made.tensor;
  std::size_t value = none;
  if (role == Role::makes_room) {
    value = add({.tensor = tensor, .moment = made.moment});
  } else if (const auto from = sharing(trace.tensors[tensor].storage)) {
    value = view(std::move(made), *from);
  } else if (role == Role::copies && !made.inputs.empty() && are_copies(made.inputs.front(), tensor)) {
    value = made.inputs.front();
  } else {
    value = add(std::move(made));
  }
  know(tensor, value);
  return value;
}

/// Returns the index of the operation's input with its memory in `storage`, or nullopt.
std::optional<std::size_t> Flow::sharing(std::uint32_t storage) const {
  for (std::size_t i = 0; i < taken_.size(); ++i) {
    if (storage != 0 && trace.tensors[taken_[i]].storage == storage) return i;
  }
  return std::nullopt;
}

/// Returns whether a tensor is a copy of a value.
bool Flow::are_copies(std::size_t value, std::uint32_t number) const {
  const auto& one = trace.tensors[values_[value].tensor];
  const auto& other = trace.tensors[number];
  return one.hash == other.hash && one.dtype == other.dtype &&
         std::ranges::equal(trace.shape(one), trace.shape(other));
}

/// Returns the value of a view of input `from`. Views that are made in the same way share one
/// value.
std::size_t Flow::view(Made made, std::size_t from) {
  if (identity_of(trace.tensors[taken_[from]]) == identity_of(trace.tensors[made.tensor]))
    return made.inputs[from];
  std::string what;
  append(what, trace.operations[made.operation].name);
  append(what, made.output);
  for (const auto& value : flat(trace, trace.inputs(made.operation))) {
    append(what, value.tag);
    if (value.tag != Tag::tensor) append(what, value.bits);
  }
  for (const auto input : made.inputs) append(what, input);
  const auto [known, is_new] = views_.try_emplace(std::move(what), values_.size());
  if (!is_new) return known->second;
  made.by = Made::By::view;
  return add(std::move(made));
}

/// Returns the value that an operation writes to one of its inputs.
std::size_t Flow::write(const Made& made) {
  const auto& tensor = trace.tensors[made.tensor];
  const bool is_copy =
      name(made) == "copy_" && made.inputs.size() == 2 && are_copies(made.inputs[1], made.tensor);
  auto written = made;
  if (roles_[trace.operations[made.operation].name] == Role::overwrites) written.by = Made::By::unknown;
  const auto value = is_copy ? made.inputs[1] : add(std::move(written));
  const auto whole = whole_.find(tensor.storage);
  const auto target = sharing(tensor.storage);
  if (target && whole != whole_.end() && place_of(trace.tensors[whole->second.tensor]) != place_of(tensor)) {
    auto inserted = made;
    inserted.by = Made::By::insertion;
    inserted.inputs = {whole->second.value, made.inputs[*target], value};
    inserted.tensor = whole->second.tensor;
    whole->second.value = add(std::move(inserted));
  } else {
    whole_[tensor.storage] = {.value = value, .tensor = made.tensor};
  }
  know(made.tensor, value);
  return value;
}

/// Returns the value that a tensor has now.
std::size_t Flow::value_of(std::uint32_t number, std::uint32_t moment) {
  const auto& tensor = trace.tensors[number];
  const auto known = known_.find(identity_of(tensor));
  if (known != known_.end()) return known->second;
  const auto whole = whole_.find(tensor.storage);
  std::size_t value = none;
  if (whole != whole_.end()) {
    auto& made = values_[whole->second.value];
    const bool was_written = made.by == Made::By::insertion;
    if (was_written && place_of(trace.tensors[whole->second.tensor]) == place_of(tensor)) {
      made.tensor = number;
      value = whole->second.value;
    }
  }
  if (value == none) value = add({.tensor = number, .moment = moment});
  know(number, value);
  return value;
}

std::size_t Flow::add(Made made) {
  values_.push_back(std::move(made));
  return values_.size() - 1;
}

/// Records the value of a tensor.
void Flow::know(std::uint32_t number, std::size_t value) {
  const auto& tensor = trace.tensors[number];
  if (tensor.storage == 0) return;
  known_[identity_of(tensor)] = value;
  whole_.try_emplace(tensor.storage, Whole{.value = value, .tensor = number});
}

/// Returns bytes that identify the memory, dtype and layout of a tensor, as far as the trace has
/// them.
std::string Flow::place_of(const SeenTensor& tensor) const {
  std::string place;
  append(place, tensor.storage);
  append(place, tensor.dtype);
  for (const auto size : trace.shape(tensor)) append(place, size);
  for (const auto stride : trace.strides(tensor)) append(place, stride);
  return place;
}

std::string Flow::identity_of(const SeenTensor& tensor) const {
  auto identity = place_of(tensor);
  append(identity, tensor.hash);
  return identity;
}

std::string_view Flow::name(const Made& made) const {
  return made.operation == no_operation ? "" : plain_name(texts[trace.operations[made.operation].name]);
}

std::span<const std::int64_t> Flow::shape(std::size_t value) const {
  return trace.shape(trace.tensors[values_[value].tensor]);
}

}  // namespace torchbook::part
