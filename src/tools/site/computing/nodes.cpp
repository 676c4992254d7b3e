#include <fmt/format.h>
#include <tools/part/roles.h>
#include <tools/part/tensor_bits.h>
#include <tools/site/computing/nodes.h>
#include <tools/site/origin/operation.h>
#include <tools/site/origin/traced.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

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

constexpr double largest_whole = 9007199254740992;  // 2^53: above it, doubles have gaps

/// Returns the double with the fewest digits that rounds to this float.
double shortest(float value) { return std::strtod(fmt::format("{}", value).c_str(), nullptr); }

/// Returns a number, or a text if it is not finite: `inf`, `-inf` or `nan`.
Json number_json(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  return value;
}

/// Returns the elements in row-major order. Throws NoProgram for a whole number that a browser cannot hold.
Json numbers_json(const notebook::RecordedTensor& tensor) {
  Json list = Json::array();
  const auto values = notebook::elements_of(tensor);
  if (!values) throw NoProgram("a tensor is of dtype " + tensor.dtype);
  for (const double value : *values) {
    if (tensor.dtype == "torch.bool") {
      list.push_back(value != 0);
    } else if (tensor.dtype == "torch.int64") {
      if (std::fabs(value) >= largest_whole) throw NoProgram("a whole number is above 2^53");
      list.push_back(static_cast<std::int64_t>(value));
    } else {
      list.push_back(std::isfinite(value) ? Json(shortest(static_cast<float>(value))) : number_json(value));
    }
  }
  return list;
}

}  // namespace

Nodes::Nodes(const trace_diff::Flow& flow) : flow_(flow), trace_(flow.trace) {
  std::map<std::pair<std::size_t, std::size_t>, int>
      taken;  // numbers that the program took, by cell and node
  for (const auto& step : flow.steps()) {
    add_until(step.operation);
    const auto short_name = trace_diff::plain_name(name(step.operation));
    if (is_one_of(short_name, {"allclose", "equal"})) add_scalar(step);
    if (is_one_of(short_name, {"item", "_local_scalar_dense", "is_nonzero"}))
      ++taken[{position_of(step.operation), node_of_[step.inputs.front()]}];
  }
  add_until(trace_diff::no_operation);
  for (std::size_t i = 0; i < flow.shown().size(); ++i) {
    const auto place = place_in(flow.texts[trace_.shown[i].name]);
    if (place) shown_.push_back({.position = place->first, .node = node_of_[flow.shown()[i]]});
  }
  for (const auto& [position, node] : shown_) --taken[{position, node}];
  const auto is_hidden = [](const auto& one) { return one.second > 0; };
  if (std::ranges::any_of(taken, is_hidden))
    throw NoProgram("the notebook takes a number out of a tensor, and the trace does not show its use");
}

/// Adds the values that were made by `operation` or before it.
void Nodes::add_until(std::uint32_t operation) {
  while (node_of_.size() < flow_.size() && flow_[node_of_.size()].moment <= operation)
    node_of_.push_back(add_value(node_of_.size()));
}

std::size_t Nodes::add_value(std::size_t value) {
  const auto& made = flow_[value];
  if (!made.lost.empty()) throw NoProgram(std::string(made.lost));
  switch (made.by) {
    case Made::By::unknown:
      return add({{"values", made.is_seen ? elements(made.tensor) : Json()}}, made.tensor);
    case Made::By::view:
      return add_view(made);
    case Made::By::insertion:
      return add({{"op", "insert"},
                  {"args", {tensor(made.inputs[0]), tensor(made.inputs[2])}},
                  {"through", path(made.inputs[0], made.inputs[1])}},
                 made.tensor);
    case Made::By::operation:
    case Made::By::overwriting:
      break;
  }
  const bool is_next = made.output > 0 && flow_[value - 1].operation == made.operation;
  auto node = is_next ? nodes_[node_of_[value - 1]] : called(made.operation, made.inputs);
  if (results_of(made.operation) > 1) node["output"] = made.output;
  node["values"] = elements(made.tensor);
  return add(std::move(node), made.tensor);
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
  return is_new ? add(std::move(node), made.tensor) : known->second;
}

/// Adds the result of an operation that is a truth value.
void Nodes::add_scalar(const trace_diff::Step& step) {
  const auto outputs = trace_.outputs(step.operation);
  if (outputs.empty() || !step.results.empty()) return;
  const auto first = trace_.inputs(step.operation).front().index;
  const bool is_boolean = outputs.front().tag == Tag::boolean;
  scalars_[position_of(step.operation)] =
      add(called(step.operation, step.inputs), is_boolean ? "bool" : flow_.texts[trace_.tensors[first].dtype],
          Json::array());
}

/// Sets the seed of a draw, unless it continues from the draw before it.
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
  if (last_state_ != before->hash) {
    node["seed"] = before->seed;
    node["cell"] = cell_in(flow_.texts[trace_.operations[operation].mark]);
  }
  last_state_ = after->hash;
  draws_.push_back(nodes_.size());
}

/// Adds a node with the dtype and the shape of a tensor of the trace.
std::size_t Nodes::add(Json node, std::uint32_t tensor) {
  const auto& seen = trace_.tensors[tensor];
  const auto shape = trace_.shape(seen);
  return add(std::move(node), flow_.texts[seen.dtype], std::vector(shape.begin(), shape.end()));
}

std::size_t Nodes::add(Json node, std::string_view dtype, Json shape) {
  node["dtype"] = dtype;
  node["shape"] = std::move(shape);
  operands_.push_back(operands_in(node));
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
      throw NoProgram("an operation takes a complex number");
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

/// Returns the views that lead from one value to another, each with its arguments after the tensor.
Json Nodes::path(std::size_t from, std::size_t view) const {
  Json calls = Json::array();
  for (; view != from; view = flow_[view].inputs.front()) {
    const auto& node = nodes_[node_of_[view]];
    if (flow_[view].by != Made::By::view || node.contains("output"))
      throw NoProgram("a view of unknown origin is written to");
    Json call = node["args"];
    call[0] = node["op"];
    calls.insert(calls.begin(), std::move(call));
  }
  return calls;
}

Json Nodes::elements(std::uint32_t tensor) const {
  const auto found = trace_diff::elements_of(trace_, flow_.texts, trace_.tensors[tensor]);
  const auto& dtype = flow_.texts[trace_.tensors[tensor].dtype];
  if (!is_one_of(dtype, {"float32", "int64", "bool"})) throw NoProgram("a tensor is of dtype " + dtype);
  if (std::ranges::count(trace_.shape(trace_.tensors[tensor]), 0) > 0) return Json::array();
  if (!found || !found->whole) throw NoProgram("the trace does not have all elements of a tensor");
  return numbers_json(found->tensor());
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
