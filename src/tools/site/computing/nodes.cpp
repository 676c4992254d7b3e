#include <fmt/format.h>
#include <tools/part/description.h>
#include <tools/part/roles.h>
#include <tools/part/tensor_bits.h>
#include <tools/site/computing/nodes.h>
#include <tools/site/computing/numbers.h>
#include <tools/site/origin/operation.h>
#include <tools/site/origin/traced.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

namespace torchbook::site {
namespace {

using trace_diff::Made;
using trace_diff::Tag;

void collect(const Json& argument, std::vector<std::size_t>& operands) {
  if (argument.is_array()) {
    for (const auto& one : argument) collect(one, operands);
  } else if (argument.is_object() && argument.contains("tensor")) {
    operands.push_back(argument["tensor"].get<std::size_t>());
  }
}

}  // namespace

std::vector<std::size_t> operands_in(const Json& node) {
  std::vector<std::size_t> operands;
  if (node.contains("args")) collect(node["args"], operands);
  return operands;
}

Nodes::Nodes(const trace_diff::Flow& flow, const std::set<std::uint32_t>& printing)
    : flow_(flow), trace_(flow.trace) {
  for (const auto& step : flow.steps()) {
    add_until(step.operation);
    const auto short_name = trace_diff::plain_name(name(step.operation));
    if (is_one_of(short_name, {"allclose", "equal"})) add_scalar(step);
    if (!is_one_of(short_name, {"item", "_local_scalar_dense", "is_nonzero"})) continue;
    taken_.take({.position = position_of(step.operation),
                 .node = node_of_[step.inputs.front()],
                 .before = nodes_.size(),
                 .is_printed = printing.contains(step.operation)},
                elements(flow[step.inputs.front()].tensor));
  }
  add_until(trace_diff::no_operation);
  for (std::size_t i = 0; i < flow.shown().size(); ++i) {
    const auto place = place_in(flow.texts[trace_.shown[i].name]);
    if (place) shown_.push_back({.position = place->first, .node = node_of_[flow.shown()[i]]});
  }
  for (const auto& [position, node] : shown_) taken_.leave_out(position, node);
  for (const auto draw : draws_) {
    const auto takes = [&](const auto& operands) {
      return std::ranges::find(operands, draw) != operands.end();
    };
    const bool is_whole = nodes_[draw]["dtype"] == "int64";
    if (is_whole && std::ranges::none_of(operands_, takes)) taken_.take_unseen(positions_[draw], draw);
  }
}

/// Adds the values that were made by `operation` or before it.
void Nodes::add_until(std::uint32_t operation) {
  while (node_of_.size() < flow_.size() && flow_[node_of_.size()].moment <= operation)
    node_of_.push_back(add_value(node_of_.size()));
}

std::size_t Nodes::add_value(std::size_t value) {
  const auto& made = flow_[value];
  if (!made.lost.empty()) return add(wall(made.lost, made.inputs), made);
  switch (made.by) {
    case Made::By::unknown:
      return add(Json::object(), made);
    case Made::By::view:
      return add_view(made);
    case Made::By::layout:
      return add(layout(made), made);
    case Made::By::insertion:
      return add(insertion(made), made);
    case Made::By::operation:
    case Made::By::overwriting:
      break;
  }
  const bool is_next = made.output > 0 && flow_[value - 1].operation == made.operation;
  auto node = is_next ? nodes_[node_of_[value - 1]] : called(made.operation, made.inputs);
  node.erase("values");
  if (results_of(made.operation) > 1) node["output"] = made.output;
  return add(std::move(node), made);
}

/// Returns a node that a page does not compute.
Json Nodes::wall(std::string_view why, const std::vector<std::size_t>& inputs) const {
  Json arguments = Json::array();
  for (const auto input : inputs) arguments.push_back(tensor(input));
  return {{"wall", why}, {"args", std::move(arguments)}};
}

/// Returns a node that shows all of another tensor, transposed or in another shape.
Json Nodes::layout(const trace_diff::Made& made) const {
  const auto& whole = trace_.tensors[flow_[made.inputs.front()].tensor];
  const auto& own = trace_.tensors[made.tensor];
  const auto shape = trace_.shape(own);
  const auto stride_of = [](const auto& strides) {
    return [strides](std::size_t dim) { return -strides[dim]; };
  };
  const auto outermost_first = [&](const trace_diff::SeenTensor& tensor) {
    std::vector<std::size_t> dims(tensor.dim);
    std::iota(dims.begin(), dims.end(), 0);
    std::ranges::stable_sort(dims, {}, stride_of(trace_.strides(tensor)));
    return dims;
  };
  std::vector<std::size_t> permuted(own.dim);
  if (own.dim != whole.dim || std::ranges::is_sorted(outermost_first(own)))
    return {{"op", "aten::view"},
            {"args", {tensor(made.inputs.front()), Json(std::vector(shape.begin(), shape.end()))}}};
  const auto from = outermost_first(whole);
  const auto to = outermost_first(own);
  for (std::size_t i = 0; i < to.size(); ++i) permuted[to[i]] = from[i];
  return {{"op", "aten::permute"}, {"args", {tensor(made.inputs.front()), permuted}}};
}

/// Returns a node that holds a larger tensor after a part of it was written.
Json Nodes::insertion(const trace_diff::Made& made) const {
  auto through = path(made.inputs[0], made.inputs[1]);
  if (!through) return wall("a view of unknown origin was written to", {made.inputs[0], made.inputs[2]});
  return {{"op", "insert"},
          {"args", {tensor(made.inputs[0]), tensor(made.inputs[2])}},
          {"through", std::move(*through)}};
}

/// Adds a view, once for all that show the same.
std::size_t Nodes::add_view(const trace_diff::Made& made) {
  auto node = called(made.operation, made.inputs);
  if (trace_diff::plain_name(name(made.operation)) == "unbind") {
    const auto dim = node["args"].size() > 1 ? node["args"][1] : Json(0);
    node = {{"op", "aten::select.int"}, {"args", {node["args"][0], dim, made.output}}};
  } else if (results_of(made.operation) > 1) {
    node["output"] = made.output;
  }
  const auto [known, is_new] = views_.try_emplace(node.dump(), nodes_.size());
  return is_new ? add(std::move(node), made) : known->second;
}

/// Adds the result of an operation that is a truth value.
void Nodes::add_scalar(const trace_diff::Step& step) {
  const auto outputs = trace_.outputs(step.operation);
  if (outputs.empty() || !step.results.empty()) return;
  const auto first = trace_.inputs(step.operation).front().index;
  const bool is_boolean = outputs.front().tag == Tag::boolean;
  scalars_[position_of(step.operation)] =
      add(called(step.operation, step.inputs), is_boolean ? "bool" : flow_.texts[trace_.tensors[first].dtype],
          Json::array(), step.operation);
}

/// Sets the seed of a draw, or the draw from whose state it continues.
void Nodes::draw(std::uint32_t operation, Json& node) {
  std::optional<trace_diff::GeneratorState> before, after;
  for (auto i = operation; i < trace_.operations[operation].next; ++i) {
    const auto& own = trace_.operations[i];
    if (own.before == trace_diff::no_operation || own.after == trace_diff::no_operation) continue;
    if (!before) before = trace_.generators[own.before];
    after = trace_.generators[own.after];
    if (i == operation) break;
  }
  if (!before) return;
  const auto state = states_.find(before->hash);
  if (const auto drawn = drawn_.find(before->seed); before->is_fresh && drawn != drawn_.end()) {
    node = {{"wall", "its seed was drawn"}, {"args", {{{"tensor", drawn->second}}}}};
  } else if (before->is_fresh) {
    constexpr auto exact = std::uint64_t{1} << 53;
    node["seed"] = before->seed < exact ? Json(before->seed) : Json(fmt::format("{}", before->seed));
  } else if (state != states_.end()) {
    node["follows"] = {{"tensor", state->second}};
  }
  states_[after->hash] = nodes_.size();
  draws_.push_back(nodes_.size());
}

/// Returns whether a value is a view that every page computes, of a tensor whose elements are known.
bool Nodes::shows_known(const trace_diff::Made& made) const {
  if (made.by != Made::By::view) return false;
  const auto& node = nodes_[node_of_[made.inputs.front()]];
  return (node.contains("values") || shows_known(flow_[made.inputs.front()])) &&
         is_one_of(
             trace_diff::plain_name(name(made.operation)),
             {"select", "slice", "t", "numpy_T", "transpose", "permute", "unsqueeze", "view", "unbind"});
}

/// Adds a node with the dtype, the shape and, as far as the trace has them, the elements of a value.
std::size_t Nodes::add(Json node, const trace_diff::Made& made) {
  const auto& seen = trace_.tensors[made.tensor];
  const auto shape = trace_.shape(seen);
  auto values = made.is_seen && !shows_known(made) ? elements(made.tensor) : Json();
  const bool is_draw = !draws_.empty() && draws_.back() == nodes_.size();
  if (const auto bits = trace_diff::elements_of(trace_, flow_.texts, seen);
      is_draw && bits && bits->dtype == "torch.int64" && bits->bytes.size() == sizeof(std::uint64_t)) {
    std::uint64_t number = 0;
    std::memcpy(&number, bits->bytes.data(), sizeof number);
    drawn_[number] = nodes_.size();
  }
  if (!values.is_null()) {
    node["values"] = std::move(values);
  } else if (node.empty()) {
    node = wall("its numbers are not in the trace", {});
  }
  return add(std::move(node), flow_.texts[seen.dtype], std::vector(shape.begin(), shape.end()), made.moment);
}

std::size_t Nodes::add(Json node, std::string_view dtype, Json shape, std::uint32_t moment) {
  node["dtype"] = dtype;
  node["shape"] = std::move(shape);
  if (moment < trace_.operations.size())
    node["cell"] = trace_diff::cell_in(flow_.texts[trace_.operations[moment].mark]);
  if (const auto since = taken_.since(node, nodes_.size())) node["since"] = *since;
  operands_.push_back(operands_in(node));
  positions_.push_back(node.value("cell", std::size_t{0}));
  nodes_.push_back(std::move(node));
  return nodes_.size() - 1;
}

/// Returns a node without dtype, shape and values.
Json Nodes::called(std::uint32_t operation, const std::vector<std::size_t>& inputs) {
  Json arguments = Json::array();
  const auto* input = inputs.data();
  for (const auto& value : trace_.inputs(operation)) arguments.push_back(argument(value, input));
  Json node{{"op", std::string(name(operation))}, {"args", std::move(arguments)}};
  draw(operation, node);
  return node;
}

/// Returns an argument. `input` points to the value of the next tensor.
Json Nodes::argument(const trace_diff::Value& value, const std::size_t*& input) const {
  switch (value.tag) {
    case Tag::tensor:
      return tensor(*input++);
    case Tag::whole:
      return static_cast<std::int64_t>(value.bits);
    case Tag::real:
      return {{"real", number_json(std::bit_cast<double>(value.bits))}};
    case Tag::boolean:
      return value.bits != 0;
    case Tag::text:
      return flow_.texts[value.index];
    case Tag::complex:
      return {{"complex", true}};
    case Tag::list: {
      Json list = Json::array();
      for (const auto& one : trace_.part({.first = value.index, .count = value.count}))
        list.push_back(argument(one, input));
      return list;
    }
    default:
      return nullptr;
  }
}

/// Returns the views that lead from one value to another, each with its arguments after the tensor, or
/// nullopt if one of them is not known.
std::optional<Json> Nodes::path(std::size_t from, std::size_t view) const {
  Json calls = Json::array();
  for (; view != from; view = flow_[view].inputs.front()) {
    const auto& node = nodes_[node_of_[view]];
    if ((flow_[view].by != Made::By::view && flow_[view].by != Made::By::layout) || node.contains("output"))
      return std::nullopt;
    Json call = node["args"];
    call[0] = node["op"];
    calls.insert(calls.begin(), std::move(call));
  }
  return calls;
}

/// Returns the elements of a tensor, or null if the trace or a browser does not have all of them.
Json Nodes::elements(std::uint32_t tensor) const {
  const auto found = trace_diff::elements_of(trace_, flow_.texts, trace_.tensors[tensor]);
  const auto& dtype = flow_.texts[trace_.tensors[tensor].dtype];
  if (!is_one_of(dtype, {"float64", "float32", "int64", "bool"})) return nullptr;
  if (std::ranges::count(trace_.shape(trace_.tensors[tensor]), 0) > 0) return Json::array();
  return found && found->whole ? numbers_json(found->tensor()) : nullptr;
}

std::string_view Nodes::name(std::uint32_t operation) const {
  return flow_.texts[trace_.operations[operation].name];
}

std::size_t Nodes::results_of(std::uint32_t operation) const {
  return trace_diff::tensors_in(trace_, trace_.outputs(operation)).size();
}

/// Returns the position of the cell in which an operation ran.
std::size_t Nodes::position_of(std::uint32_t operation) const {
  return position_in(flow_.texts[trace_.operations[operation].mark]);
}

}  // namespace torchbook::site
