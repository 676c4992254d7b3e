#include <tools/part/flow.h>

#include <algorithm>

namespace torchbook::trace_diff {
namespace {

template <class Number>
void append(std::string& to, Number number) {
  to.append(reinterpret_cast<const char*>(&number), sizeof number);
}

/// Returns the operations inside of outermost ones, each the innermost, that gave what a later outermost one
/// takes.
std::set<std::uint32_t> kept_inside(const ReadTrace& trace) {
  std::set<std::uint32_t> kept;
  std::unordered_map<std::uint32_t, std::uint32_t>
      giver;  // by storage that no outermost one gave or took since
  const auto storages = [&](std::span<const Value> values) {
    std::vector<std::uint32_t> all;
    for (const auto tensor : tensors_in(trace, values))
      if (trace.tensors[tensor].storage != 0) all.push_back(trace.tensors[tensor].storage);
    return all;
  };
  for (const auto operation : called_by(trace, no_operation)) {
    for (const auto storage : storages(trace.inputs(operation)))
      if (const auto found = giver.extract(storage)) kept.insert(found.mapped());
    for (auto inner = operation + 1; inner < trace.operations[operation].next; ++inner)
      for (const auto storage : storages(trace.outputs(inner))) giver[storage] = inner;
    for (const auto storage : storages(trace.inputs(operation))) giver.erase(storage);
    for (const auto storage : storages(trace.outputs(operation))) giver.erase(storage);
  }
  return kept;
}

}  // namespace

Flow::Flow(const ReadTrace& of, const Texts& names)
    : trace(of), texts(names), roles_(names), kept_(kept_inside(of)) {
  for (const auto operation : called_by(trace, no_operation)) {
    show_until(operation);
    visit(operation);
  }
  show_until(static_cast<std::uint32_t>(trace.operations.size()));
}

void Flow::show_until(std::uint32_t operation) {
  for (auto i = shown_.size(); i < trace.shown.size() && trace.shown[i].operation <= operation; ++i) {
    const auto& shown = trace.shown[i];
    shown_.push_back(value_of(shown.tensor, shown.operation));
    use(shown.tensor);
  }
}

void Flow::visit(std::uint32_t operation) {
  if (keeps_inside(operation)) visit_called(operation, operation);
  auto step = call(operation, operation);
  const auto given = tensors_in(trace, trace.outputs(operation));
  const bool is_view = !given.empty() && std::ranges::all_of(given, [&](auto tensor) {
    const auto role = roles_[trace.operations[operation].name];
    return how_given(trace, role, taken_, tensor).as == Given::As::view;
  });
  const bool fills = plain_name(texts[trace.operations[operation].name]) == "fill_";
  if (!is_view && !fills) std::ranges::for_each(taken_, [&](auto tensor) { use(tensor); });
  steps_.push_back(std::move(step));
}

/// Whether an operation called one that gave what a later outermost one takes.
bool Flow::keeps_inside(std::uint32_t operation) const {
  const auto first = kept_.upper_bound(operation);
  return first != kept_.end() && *first < trace.operations[operation].next;
}

/// Gives the values of what an operation called, as far as that does not change what `outermost` or the
/// operation itself takes: both change it again when their own results are given.
void Flow::visit_called(std::uint32_t operation, std::uint32_t outermost) {
  auto taken = tensors_in(trace, trace.inputs(outermost));
  std::ranges::copy(tensors_in(trace, trace.inputs(operation)), std::back_inserter(taken));
  for (const auto called : called_by(trace, operation)) {
    const auto role = roles_[trace.operations[called].name];
    const auto takes = tensors_in(trace, trace.inputs(called));
    const bool changes = std::ranges::any_of(tensors_in(trace, trace.outputs(called)), [&](auto output) {
      return how_given(trace, role, takes, output).as == Given::As::change &&
             std::ranges::any_of(taken, [&](auto input) {
               return trace.tensors[input].storage == trace.tensors[output].storage;
             });
    });
    if (changes) continue;
    if (keeps_inside(called)) visit_called(called, outermost);
    call(called, outermost);
  }
}

/// Gives the values of the results of an operation, made at the moment of the outermost one.
Step Flow::call(std::uint32_t operation, std::uint32_t moment) {
  Step step{.operation = operation};
  taken_ = tensors_in(trace, trace.inputs(operation));
  step.inputs.reserve(taken_.size());
  for (const auto tensor : taken_) step.inputs.push_back(value_of(tensor, moment));
  for (const auto tensor : taken_) {
    const auto found = memories_.find(trace.tensors[tensor].storage);
    if (operation == moment && found != memories_.end()) found->second.taker = steps_.size();
  }
  const auto given = tensors_in(trace, trace.outputs(operation));
  step.results.reserve(given.size());
  std::uint32_t number = 0;
  for (const auto tensor : given) {
    step.results.push_back(give({.by = Made::By::operation,
                                 .tensor = tensor,
                                 .operation = operation,
                                 .output = number++,
                                 .moment = moment,
                                 .inputs = step.inputs}));
  }
  return step;
}

/// Returns the value of a tensor that an operation returns.
std::size_t Flow::give(Made made) {
  const auto tensor = made.tensor;
  const auto [as, input] = how_given(trace, roles_[trace.operations[made.operation].name], taken_, tensor);
  switch (as) {
    case Given::As::change:
      return write(std::move(made), input);
    case Given::As::view:
      return look(std::move(made), input);
    case Given::As::room:
      return begin_memory(tensor, add({.tensor = tensor,
                                       .moment = made.moment,
                                       .lost = input == Given::no_input ? "" : "a memory was resized"}));
    case Given::As::copy:
      if (is_copy(made.inputs[input], tensor)) return begin_memory(tensor, made.inputs[input]);
      [[fallthrough]];
    case Given::As::result:
      break;
  }
  return begin_memory(tensor, add(std::move(made)));
}

/// Returns the value of a view of the input at `input`.
std::size_t Flow::look(Made made, std::size_t input) {
  const auto tensor = made.tensor;
  if (is_alike(taken_[input], tensor)) return made.inputs[input];
  auto& memory = memories_[trace.tensors[tensor].storage];
  const auto from = part_of(memory, taken_[input]);
  made.by = Made::By::view;
  const Part part{.tensor = tensor,
                  .value = viewed(std::move(made)),
                  .version = memory.version,
                  .from = from,
                  .input = input};
  const auto known = part_of(memory, tensor);
  if (known != none && memory.parts[known].from == from) {
    memory.parts[known] = part;
  } else {
    memory.parts.push_back(part);
  }
  return part.value;
}

/// Returns the value of a view. Views that are made in the same way share one value.
std::size_t Flow::viewed(Made made) {
  std::string what;
  if (made.by == Made::By::layout) {
    for (const auto size : trace.shape(trace.tensors[made.tensor])) append(what, size);
    for (const auto stride : trace.strides(trace.tensors[made.tensor])) append(what, stride);
  } else {
    append(what, trace.operations[made.operation].name);
    append(what, made.output);
    for (const auto& value : flat(trace, trace.inputs(made.operation))) {
      append(what, value.tag);
      if (value.tag != Tag::tensor) append(what, value.bits);
    }
  }
  for (const auto input : made.inputs) append(what, input);
  const auto [known, is_new] = views_.try_emplace(std::move(what), values_.size());
  return is_new ? add(std::move(made)) : known->second;
}

/// Returns the value that an operation writes to the input at `input`.
std::size_t Flow::write(Made made, std::size_t input) {
  const auto tensor = made.tensor;
  const bool copies = name(made) == "copy_" && made.inputs.size() == 2 && is_copy(made.inputs[1], tensor);
  auto written = made;
  if (roles_[trace.operations[made.operation].name] == Role::overwrites) written.by = Made::By::overwriting;
  if (input == Given::no_input)
    return begin_memory(tensor, copies ? made.inputs[1] : add(std::move(written)));
  auto& memory = memories_[trace.tensors[tensor].storage];
  auto& whole = memory.parts.front();
  if (auto& literal = values_[whole.value]; memory.is_literal && name(made) == "fill_") {
    for (const auto& part : memory.parts) values_[part.value].is_seen = false;
    literal.operation = literal.moment = made.operation;
    return made.inputs[input];
  }
  memory.is_literal = false;
  ++memory.version;
  memory.taker = none;
  const auto value = copies ? made.inputs[1] : add(std::move(written));
  if (is_alike(whole.tensor, tensor)) {
    whole = {.tensor = tensor, .value = value};
  } else {
    made.by = Made::By::insertion;
    made.inputs = {whole.value, made.inputs[input], value};
    made.tensor = whole.tensor;
    made.is_seen = false;
    whole.value = add(std::move(made));
  }
  whole.version = memory.version;
  return value;
}

/// Returns the value that a tensor has now.
std::size_t Flow::value_of(std::uint32_t tensor, std::uint32_t moment) {
  const auto& seen = trace.tensors[tensor];
  Made unknown{.tensor = tensor, .moment = moment};
  if (seen.storage == 0) return add(std::move(unknown));
  const auto found = memories_.find(seen.storage);
  if (found == memories_.end()) return begin_memory(tensor, add(std::move(unknown)));
  auto& memory = found->second;
  const auto index = part_of(memory, tensor);
  const auto value = index == none ? none : now(memory, index, moment);
  if (value == none) {
    memory.parts.push_back({.tensor = tensor});
    return unseen(memory, memory.parts.size() - 1, std::move(unknown));
  }
  auto& made = values_[value];
  const bool is_same = trace.tensors[made.tensor].hash == seen.hash;
  if (!made.is_seen || (!is_same && index == 0 && memory.is_literal)) {
    made.tensor = tensor;
    made.is_seen = true;
  } else if (!is_same) {
    return unseen(memory, index, std::move(unknown));
  }
  return value;
}

/// Returns the value of a part of a memory which no operation of the trace made or wrote.
std::size_t Flow::unseen(Memory& memory, std::size_t part, Made made) {
  auto& own = memory.parts[part];
  const bool is_known = own.value != none;
  const auto whole = part == 0 ? none : now(memory, 0, made.moment);
  if (!is_known && is_layout(memory.parts.front().tensor, own.tensor)) {
    made.by = Made::By::layout;
    made.inputs = {whole};
  } else {
    made.lost = is_known ? "a tensor was changed by an operation that does not return it"
                         : "the origin of a view is not known";
    made.inputs = {is_known ? own.value : whole};
    if (memory.taker != none) {
      const auto& inputs = steps_[memory.taker].inputs;
      made.inputs.insert(made.inputs.end(), inputs.begin(), inputs.end());
    }
    std::ranges::sort(made.inputs);
    made.inputs.erase(std::unique(made.inputs.begin(), made.inputs.end()), made.inputs.end());
    if (part == 0) ++memory.version;
  }
  const bool is_view = made.by == Made::By::layout;  // that can be made again after a write
  own = {.tensor = made.tensor, .version = memory.version, .from = is_view ? 0 : none};
  own.value = is_view ? viewed(std::move(made)) : add(std::move(made));
  return own.value;
}

/// Returns whether `tensor` shows the elements of `of`, all of one memory, transposed or in another shape.
bool Flow::is_layout(std::uint32_t of, std::uint32_t tensor) const {
  const auto& a = trace.tensors[of];
  const auto& b = trace.tensors[tensor];
  if (!a.strided || !b.strided || a.dtype != b.dtype || a.offset != b.offset) return false;
  const auto is_contiguous = [&](const SeenTensor& one) {
    const auto shape = trace.shape(one);
    const auto strides = trace.strides(one);
    std::int64_t step = 1;
    for (auto i = shape.size(); i-- > 0; step *= shape[i]) {
      if (shape[i] != 1 && strides[i] != step) return false;
    }
    return true;
  };
  const auto dims = [&](const SeenTensor& one) {
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
    for (std::size_t i = 0; i < one.dim; ++i) pairs.emplace_back(trace.strides(one)[i], trace.shape(one)[i]);
    std::ranges::sort(pairs);
    return pairs;
  };
  const auto count = [&](const SeenTensor& one) {
    std::int64_t product = 1;
    for (const auto size : trace.shape(one)) product *= size;
    return product;
  };
  return (is_contiguous(a) && is_contiguous(b) && count(a) == count(b)) || dims(a) == dims(b);
}

/// Returns the value of a part of a memory at this moment, or none if it is not known.
std::size_t Flow::now(Memory& memory, std::size_t part, std::uint32_t moment) {
  auto& own = memory.parts[part];
  if (own.version == memory.version) return own.value;
  const auto from = own.from == none ? none : now(memory, own.from, moment);
  if (from == none) return none;
  auto made = values_[own.value];
  made.inputs[own.input] = from;
  made.moment = moment;
  made.is_seen = false;
  own.value = viewed(std::move(made));
  own.version = memory.version;
  return own.value;
}

std::size_t Flow::add(Made made) {
  if (trace.tensors[made.tensor].storage == 0) made.lost = "a tensor has no memory of its own";
  values_.push_back(std::move(made));
  return values_.size() - 1;
}

/// Records that a tensor shows all of a memory, and its value. Returns the value.
std::size_t Flow::begin_memory(std::uint32_t tensor, std::size_t value) {
  const auto storage = trace.tensors[tensor].storage;
  const bool is_literal =
      values_[value].by == Made::By::unknown && values_[value].tensor == tensor;  // no copy
  if (storage != 0)
    memories_[storage] = {.parts = {{.tensor = tensor, .value = value}}, .is_literal = is_literal};
  return value;
}

/// Returns the part of a memory that a tensor shows, or none.
std::size_t Flow::part_of(const Memory& memory, std::uint32_t tensor) const {
  if (!memory.parts.empty() && is_alike(memory.parts.front().tensor, tensor)) return 0;
  for (auto i = memory.parts.size(); i-- > 0;) {
    if (is_alike(memory.parts[i].tensor, tensor)) return i;
  }
  return none;
}

/// Records that something other than a view took a tensor.
void Flow::use(std::uint32_t tensor) {
  const auto found = memories_.find(trace.tensors[tensor].storage);
  if (found != memories_.end()) found->second.is_literal = false;
}

/// Returns whether two tensors of one memory show the same elements in the same order.
bool Flow::is_alike(std::uint32_t one, std::uint32_t other) const {
  const auto& a = trace.tensors[one];
  const auto& b = trace.tensors[other];
  return a.dtype == b.dtype && a.offset == b.offset && std::ranges::equal(trace.shape(a), trace.shape(b)) &&
         std::ranges::equal(trace.strides(a), trace.strides(b));
}

bool Flow::is_copy(std::size_t value, std::uint32_t tensor) const {
  const auto& one = trace.tensors[values_[value].tensor];
  const auto& other = trace.tensors[tensor];
  return one.hash == other.hash && one.dtype == other.dtype &&
         std::ranges::equal(trace.shape(one), trace.shape(other));
}

std::string_view Flow::name(const Made& made) const {
  return made.operation == no_operation ? "" : plain_name(texts[trace.operations[made.operation].name]);
}

std::span<const std::int64_t> Flow::shape(std::size_t value) const {
  return trace.shape(trace.tensors[values_[value].tensor]);
}

}  // namespace torchbook::trace_diff
