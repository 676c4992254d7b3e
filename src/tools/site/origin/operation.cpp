#include <tools/part/tensor_bits.h>
#include <tools/site/origin/operation.h>
#include <torchbook/golden/element.h>

#include <algorithm>
#include <bit>

namespace torchbook::site {
namespace {

using trace_diff::Made;
using trace_diff::Tag;

std::optional<std::int64_t> not_negative(std::int64_t number, std::int64_t length) {
  if (number < 0) number += length;
  return number >= 0 && number < length ? std::optional(number) : std::nullopt;
}

bool is_view(const trace_diff::Flow& flow, std::size_t value) { return flow[value].by == Made::By::view; }

}  // namespace

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string_view operation_name(const trace_diff::Flow& flow, std::size_t value) {
  auto name = flow.name(flow[value]);
  if (name.size() > 1 && name.ends_with('_') && !name.starts_with('_')) name.remove_suffix(1);
  return name;
}

std::optional<std::int64_t> whole_argument(const trace_diff::Flow& flow, std::size_t value,
                                           std::size_t index) {
  if (flow[value].operation == trace_diff::no_operation) return std::nullopt;
  const auto inputs = flow.trace.inputs(flow[value].operation);
  if (index >= inputs.size() || inputs[index].tag != Tag::whole) return std::nullopt;
  return std::bit_cast<std::int64_t>(inputs[index].bits);
}

std::optional<double> number_of(const trace_diff::Flow& flow, const trace_diff::Value& argument,
                                std::size_t value) {
  if (argument.tag == Tag::whole) return static_cast<double>(std::bit_cast<std::int64_t>(argument.bits));
  if (argument.tag == Tag::real) return std::bit_cast<double>(argument.bits);
  const bool is_number =
      argument.tag == Tag::tensor && flow[value].by == Made::By::unknown && flow.shape(value).empty();
  if (!is_number) return std::nullopt;
  const auto elements =
      trace_diff::elements_of(flow.trace, flow.texts, flow.trace.tensors[flow[value].tensor]);
  if (!elements) return std::nullopt;
  const auto numbers = golden::values_of(elements->tensor());
  return numbers && numbers->size() == 1 ? std::optional(numbers->front()) : std::nullopt;
}

std::optional<Selected> selected(const trace_diff::Flow& flow, std::size_t value) {
  const auto name = flow.name(flow[value]);
  if (!is_view(flow, value) || !is_one_of(name, {"select", "unbind"})) return std::nullopt;
  const auto from = flow[value].inputs.front();
  const auto shape = flow.shape(from);
  const auto dim = whole_argument(flow, value, 1);
  const auto index =
      name == "select" ? whole_argument(flow, value, 2) : std::optional<std::int64_t>(flow[value].output);
  if (!dim || !index) return std::nullopt;
  const auto along = not_negative(*dim, static_cast<std::int64_t>(shape.size()));
  if (!along) return std::nullopt;
  const auto at = not_negative(*index, shape[static_cast<std::size_t>(*along)]);
  if (!at) return std::nullopt;
  return Selected{.from = from, .dim = *along, .index = *at};
}

std::optional<std::size_t> transposed_from(const trace_diff::Flow& flow, std::size_t value) {
  if (!is_view(flow, value)) return std::nullopt;
  const auto name = flow.name(flow[value]);
  const auto from = flow[value].inputs.front();
  const auto rank = static_cast<std::int64_t>(flow.shape(from).size());
  if (is_one_of(name, {"t", "numpy_T", "matrix_H", "mT"}))
    return rank == 2 || (name == "mT" && rank > 2) ? std::optional(from) : std::nullopt;
  const auto one = whole_argument(flow, value, 1);
  const auto other = whole_argument(flow, value, 2);
  if (!is_one_of(name, {"transpose", "swapaxes", "swapdims"}) || !one || !other) return std::nullopt;
  const auto first = not_negative(*one, rank);
  const auto second = not_negative(*other, rank);
  const bool last_two = rank >= 2 && first && second && std::min(*first, *second) == rank - 2 &&
                        std::max(*first, *second) == rank - 1;
  return last_two ? std::optional(from) : std::nullopt;
}

bool is_product(const trace_diff::Flow& flow, std::size_t value) {
  const auto& made = flow[value];
  return made.by == Made::By::operation && made.inputs.size() == 2 &&
         is_one_of(flow.name(made), {"matmul", "mm", "bmm", "mv", "dot", "linear"});
}

bool is_softmax(const trace_diff::Flow& flow, std::size_t value) {
  const auto& made = flow[value];
  return made.by == Made::By::operation && !made.inputs.empty() &&
         is_one_of(flow.name(made), {"softmax", "_softmax"});
}

}  // namespace torchbook::site
