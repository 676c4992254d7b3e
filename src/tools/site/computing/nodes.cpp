#include <tools/part/names.h>
#include <tools/part/side.h>
#include <tools/part/tensor_bits.h>
#include <tools/site/computing/nodes.h>
#include <tools/site/computing/numbers.h>
#include <tools/site/origin/operation.h>
#include <tools/site/origin/traced.h>

#include <algorithm>
#include <bit>

namespace torchbook::report {
namespace {

using part::Tag;

void collect(const Json& argument, std::vector<std::size_t>& operands) {
  if (argument.is_array()) {
    for (const auto& one : argument) collect(one, operands);
  } else if (argument.is_object() && argument.contains("tensor")) {
    operands.push_back(argument["tensor"].get<std::size_t>());
  }
}

std::vector<std::size_t> operands_in(const Json& node) {
  std::vector<std::size_t> operands;
  if (node.contains("args")) collect(node["args"], operands);
  return operands;
}

/// Returns the position in `@7` or `restored before @7`, or 0 for another text.
std::size_t cell_in(std::string_view mark) {
  const auto at = mark.rfind('@');
  return at == mark.npos ? 0 : position_in(mark.substr(at));
}

bool is_in_place(std::string_view name) {
  return name.size() > 1 && name.ends_with('_') && name[name.size() - 2] != '_';
}

}  // namespace

Nodes::Nodes(const part::Flow& flow) : flow_(flow), trace_(flow.trace) {
  std::size_t next = 0;
  for (const auto& step : flow.steps()) {
    show_until(next, step.operation);
    visit(step.operation);
  }
  show_until(next, static_cast<std::uint32_t>(trace_.operations.size()));
  require_shown();
}

std::optional<std::size_t> Nodes::node_of(std::uint32_t tensor) const {
  const auto found = node_of_.find(tensor);
  return found == node_of_.end() ? std::nullopt : std::optional(found->second);
}

void Nodes::show_until(std::size_t& next, std::uint32_t operation) {
  for (; next < trace_.shown.size() && trace_.shown[next].operation <= operation; ++next) {
    const auto& shown = trace_.shown[next];
    const auto place = place_in(flow_.texts[shown.name]);
    if (place) shown_.push_back({.position = place->first, .node = resolved(shown.tensor, true).node});
  }
}

void Nodes::visit(std::uint32_t operation) {
  const auto results = part::tensors_in(trace_, trace_.outputs(operation));
  const auto inputs = trace_.inputs(operation);
  const auto short_name = part::plain_name(name(operation));
  const bool takes_tensor = !inputs.empty() && inputs.front().tag == Tag::tensor;
  const auto storage_of = [&](std::uint32_t tensor) { return trace_.tensors[tensor].storage; };
  if (is_one_of(short_name, {"empty", "empty_like", "new_empty", "empty_strided"}) && !results.empty()) {
    new_memory(results.front(), emit({{"values", nullptr}}, results.front()));
    memories_[storage_of(results.front())].is_filling = true;
  } else if (is_in_place(short_name) && takes_tensor && !results.empty()) {
    write(operation, results.front());
  } else if (!results.empty() && takes_tensor &&
             storage_of(results.front()) == storage_of(inputs.front().index)) {
    look(operation, results);
  } else {
    compute(operation, results);
  }
}

// ------------------------------------------------------------ operations

/// Adds the views that an operation returns.
void Nodes::look(std::uint32_t operation, const std::vector<std::uint32_t>& results) {
  const auto from = trace_.inputs(operation).front().index;
  const auto source = resolved(from, false);
  auto own = call(operation);
  const bool unbinds = part::plain_name(name(operation)) == "unbind";
  for (std::size_t output = 0; output < results.size(); ++output) {
    const auto result = results[output];
    if (is_alike(result, from)) {
      node_of_[result] = source.node;
      continue;
    }
    Step step{.call = own, .shape = shape(result)};
    if (unbinds) step.call = {"aten::select.int", own.size() > 1 ? own[1] : Json(0), output};
    const bool is_certain = unbinds || results.size() == 1;
    Path path = is_certain ? source.path : std::nullopt;
    if (path) path->push_back(step);
    const auto node = emit_view(source.node, step, result);
    node_of_[result] = node;
    if (!is_certain) nodes_[node]["output"] = output;
    auto& memory = memories_[trace_.tensors[result].storage];
    know(memory, {.tensor = result,
                  .hash = trace_.tensors[result].hash,
                  .path = std::move(path),
                  .node = node,
                  .version = memory.version});
  }
}

/// Adds the results of an operation that makes new tensors, or a number.
void Nodes::compute(std::uint32_t operation, const std::vector<std::uint32_t>& results) {
  const auto outputs = trace_.outputs(operation);
  const auto short_name = part::plain_name(name(operation));
  if (is_one_of(short_name, {"item", "_local_scalar_dense", "is_nonzero"})) return take(operation);
  const bool is_scalar = is_one_of(short_name, {"allclose", "equal"});
  if (results.empty() && (!is_scalar || outputs.empty())) return;
  auto node = called(operation);
  if (results.empty()) {
    const auto first = trace_.inputs(operation).front().index;
    const auto position = position_in(flow_.texts[trace_.operations[operation].mark]);
    node["dtype"] = outputs.front().tag == Tag::boolean ? "bool" : flow_.texts[trace_.tensors[first].dtype];
    node["shape"] = Json::array();
    operands_.push_back(operands_in(node));
    nodes_.push_back(std::move(node));
    scalars_[position] = nodes_.size() - 1;
    return;
  }
  for (std::size_t output = 0; output < results.size(); ++output) {
    auto own = node;
    if (results.size() > 1) own["output"] = output;
    own["values"] = elements(results[output]);
    new_memory(results[output], emit(std::move(own), results[output]));
  }
}

/// Notes that the program takes a number out of a tensor.
void Nodes::take(std::uint32_t operation) {
  const auto node = resolved(trace_.inputs(operation).front().index, true).node;
  ++taken_[{position_in(flow_.texts[trace_.operations[operation].mark]), node}];
}

/// Throws NoProgram if a number was taken out of a tensor, except to print it.
void Nodes::require_shown() {
  for (const auto& [position, node] : shown_) --taken_[{position, node}];
  for (const auto& [what, count] : taken_) {
    if (count > 0)
      throw NoProgram("the notebook takes a number out of a tensor, and the trace does not show its use");
  }
}

/// Adds what an operation writes to its first operand.
void Nodes::write(std::uint32_t operation, std::uint32_t result) {
  const auto target = resolved(trace_.inputs(operation).front().index, false);
  if (!target.path) throw NoProgram("a view of unknown origin is written to");
  auto& memory = memories_[trace_.tensors[result].storage];
  const bool is_given = !nodes_[memory.whole].contains("op") && !memory.is_used;
  if (is_given && part::plain_name(name(operation)) == "fill_") {
    memory.is_filling = true;
    for (auto& view : memory.views) view.hash = 0;
    node_of_[result] = target.node;
    return;
  }
  const auto& path = *target.path;
  auto node = written(operation, result, path);
  node_of_[result] = node;
  if (!path.empty()) {
    Json views = Json::array();
    for (const auto& step : path) views.push_back(step.call);
    const Json whole{{"tensor", memory.whole}};
    node = emit({{"op", "insert"}, {"args", {whole, Json{{"tensor", node}}}}, {"through", views}},
                memory.tensor);
  } else {
    memory.tensor = result;
  }
  memory.whole = node;
  ++memory.version;
  know(memory,
       {.tensor = memory.tensor, .path = std::vector<Step>(), .node = node, .version = memory.version});
}

/// Returns the node of what the written part holds afterwards.
std::size_t Nodes::written(std::uint32_t operation, std::uint32_t result, const std::vector<Step>& path) {
  const auto inputs = trace_.inputs(operation);
  if (part::plain_name(name(operation)) == "copy_" && inputs.size() > 1 && inputs[1].tag == Tag::tensor) {
    const auto& from = trace_.tensors[inputs[1].index];
    if (shape(inputs[1].index) == shape(result) && from.dtype == trace_.tensors[result].dtype) {
      const auto source = resolved(inputs[1].index, true).node;
      if (!path.empty()) return source;
      return emit({{"op", "aten::clone"}, {"args", {Json{{"tensor", source}}}}}, result);
    }
  }
  auto node = called(operation);
  node["values"] = elements(result);
  return emit(std::move(node), result);
}

/// Sets the seed of a draw, unless it continues from the draw before it.
void Nodes::draw(std::uint32_t operation, Json& node) {
  std::optional<part::GeneratorState> before, after;
  for (auto i = operation; i < trace_.operations[operation].next; ++i) {
    const auto& own = trace_.operations[i];
    if (own.before == part::no_operation || own.after == part::no_operation) continue;
    if (!before) before = trace_.generators[own.before];
    after = trace_.generators[own.after];
    if (i == operation) break;
  }
  if (!before) return;
  if (last_state_ != before->hash) {
    node["seed"] = before->seed;
    node["cell"] = cell_in(flow_.texts[trace_.operations[operation].mark]);
  }
  last_state_ = after->hash;
  draws_.push_back(nodes_.size());
}

// ------------------------------------------------------------ tensors

/// Returns the view that a tensor of the trace is. `is_use` says that an operation other than a view takes
/// it.
Nodes::View& Nodes::resolved(std::uint32_t tensor, bool is_use) {
  const auto& seen = trace_.tensors[tensor];
  if (seen.storage == 0) throw NoProgram("a tensor has no memory of its own");
  const auto found = memories_.find(seen.storage);
  if (found == memories_.end()) {
    auto& given = new_memory(tensor, emit({{"values", elements(tensor)}}, tensor));
    memories_[seen.storage].is_used = is_use;
    return given;
  }
  auto& memory = found->second;
  fill(memory, tensor, is_use);
  memory.is_used |= is_use;
  auto& view = now(memory, tensor);
  if (view.hash == 0) view.hash = seen.hash;
  if (seen.hash != 0 && view.hash != seen.hash)
    throw NoProgram("a tensor was changed by an operation that does not return it");
  node_of_[tensor] = view.node;
  return view;
}

/// Returns the view that a tensor is at this moment.
Nodes::View& Nodes::now(Memory& memory, std::uint32_t tensor) {
  View* last = nullptr;
  for (auto& view : memory.views) {
    if (!is_alike(view.tensor, tensor) || (view.version != memory.version && !view.path)) continue;
    if (last == nullptr || view.version >= last->version) last = &view;
  }
  if (last == nullptr) throw NoProgram("the origin of a view is not known");
  return last->version == memory.version ? *last : again(memory, View(*last), tensor);
}

/// Takes the values of a memory that is filled, as soon as a tensor shows all of it.
void Nodes::fill(Memory& memory, std::uint32_t tensor, bool is_use) {
  if (!memory.is_filling) return;
  if (is_alike(memory.tensor, tensor)) {
    nodes_[memory.whole]["values"] = elements(tensor);
    memory.is_filling = false;
  } else if (is_use) {
    throw NoProgram("a part of a tensor is used before the tensor");
  }
}

/// Makes a view again after the memory was written to.
Nodes::View& Nodes::again(Memory& memory, const View& view, std::uint32_t tensor) {
  auto node = memory.whole;
  for (const auto& step : *view.path) node = emit_view(node, step, tensor);
  return know(memory, {.tensor = tensor, .path = view.path, .node = node, .version = memory.version});
}

Nodes::View& Nodes::new_memory(std::uint32_t tensor, std::size_t node) {
  const auto& seen = trace_.tensors[tensor];
  if (seen.storage == 0) throw NoProgram("a tensor has no memory of its own");
  node_of_[tensor] = node;
  auto& memory = memories_[seen.storage];
  memory = {.whole = node, .tensor = tensor};
  return know(memory, {.tensor = tensor, .hash = seen.hash, .path = std::vector<Step>(), .node = node});
}

Nodes::View& Nodes::know(Memory& memory, View view) {
  memory.views.push_back(std::move(view));
  return memory.views.back();
}

// ------------------------------------------------------------ nodes

/// Adds a node with the dtype and the shape of a tensor of the trace.
std::size_t Nodes::emit(Json node, std::uint32_t tensor) {
  node["dtype"] = flow_.texts[trace_.tensors[tensor].dtype];
  node["shape"] = shape(tensor);
  operands_.push_back(operands_in(node));
  nodes_.push_back(std::move(node));
  return nodes_.size() - 1;
}

/// Adds a view, once for all that show the same.
std::size_t Nodes::emit_view(std::size_t from, const Step& step, std::uint32_t like) {
  Json arguments = Json::array({Json{{"tensor", from}}});
  for (std::size_t i = 1; i < step.call.size(); ++i) arguments.push_back(step.call[i]);
  Json node{{"op", step.call[0]}, {"args", std::move(arguments)}};
  const auto [known, is_new] = made_views_.try_emplace(node.dump(), nodes_.size());
  if (!is_new) return known->second;
  emit(std::move(node), like);
  nodes_.back()["shape"] = step.shape;
  return known->second;
}

/// Returns a node without dtype, shape and values.
Json Nodes::called(std::uint32_t operation) {
  auto arguments = call(operation);
  Json node{{"op", arguments[0]}};
  arguments.erase(0);
  node["args"] = std::move(arguments);
  draw(operation, node);
  return node;
}

/// Returns the name of an operation followed by its arguments. Those of a view lack the tensor.
Json Nodes::call(std::uint32_t operation) {
  Json all = Json::array({std::string(name(operation))});
  const auto results = part::tensors_in(trace_, trace_.outputs(operation));
  const auto inputs = trace_.inputs(operation);
  const bool is_view =
      !results.empty() && !inputs.empty() && inputs.front().tag == Tag::tensor &&
      !is_in_place(part::plain_name(name(operation))) &&
      trace_.tensors[results.front()].storage == trace_.tensors[inputs.front().index].storage;
  for (std::size_t i = is_view ? 1 : 0; i < inputs.size(); ++i) all.push_back(argument(inputs[i]));
  return all;
}

Json Nodes::argument(const part::Value& value) {
  switch (value.tag) {
    case Tag::tensor:
      return {{"tensor", resolved(value.index, true).node}};
    case Tag::whole:
      return static_cast<std::int64_t>(value.bits);
    case Tag::real:
      return {{"real", number_json(std::bit_cast<double>(value.bits))}};
    case Tag::boolean:
      return value.bits != 0;
    case Tag::text:
      return flow_.texts[value.index];
    case Tag::complex:
      throw NoProgram("an operation takes a complex number");
    case Tag::list: {
      Json list = Json::array();
      for (const auto& one : trace_.part({.first = value.index, .count = value.count}))
        list.push_back(argument(one));
      return list;
    }
    default:
      return nullptr;
  }
}

Json Nodes::elements(std::uint32_t tensor) const {
  const auto found = part::elements_of(trace_, flow_.texts, trace_.tensors[tensor]);
  const auto& dtype = flow_.texts[trace_.tensors[tensor].dtype];
  if (!is_one_of(dtype, {"float32", "int64", "bool"})) throw NoProgram("a tensor is of dtype " + dtype);
  if (const auto sizes = shape(tensor); std::find(sizes.begin(), sizes.end(), 0) != sizes.end())
    return Json::array();
  if (!found || !found->whole) throw NoProgram("the trace does not have all elements of a tensor");
  return numbers_json(found->tensor());
}

std::string_view Nodes::name(std::uint32_t operation) const {
  return flow_.texts[trace_.operations[operation].name];
}

std::vector<std::int64_t> Nodes::shape(std::uint32_t tensor) const {
  const auto sizes = trace_.shape(trace_.tensors[tensor]);
  return {sizes.begin(), sizes.end()};
}

/// Returns whether two tensors of one storage show the same elements in the same order.
bool Nodes::is_alike(std::uint32_t one, std::uint32_t other) const {
  const auto& a = trace_.tensors[one];
  const auto& b = trace_.tensors[other];
  return a.dtype == b.dtype && a.offset == b.offset && std::ranges::equal(trace_.shape(a), trace_.shape(b)) &&
         std::ranges::equal(trace_.strides(a), trace_.strides(b));
}

}  // namespace torchbook::report
