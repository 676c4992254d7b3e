#include <tools/part/tensor_bits.h>
#include <tools/site/origin/axis_names.h>
#include <tools/site/origin/operation.h>
#include <tools/site/origin/traced.h>
#include <torchbook/notebook/parse_integer.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <string_view>
#include <tuple>

namespace torchbook::site {
namespace {

constexpr std::size_t most_traced_of_a_cell = 16;

/// A value that was used, and the order of its first use.
struct Used {
  TracedValue value;
  std::size_t order;
};

class Selection {
 public:
  explicit Selection(const trace_diff::Flow& flow) : flow_(flow) {
    for (const auto& [place, value] : shown_values(flow)) first_shown_.try_emplace(value, place.first);
  }

  /// Adds an operand or result of an operation in the cell at `position`.
  void add(std::size_t value, std::size_t position) {
    if (!is_worth_keeping(value)) return;
    const auto found = places_.try_emplace(value, place_of(value, position)).first->second;
    auto& cell = cells_[found.position];
    const auto same =
        std::find_if(cell.begin(), cell.end(), [&](const Used& one) { return one.value.value == value; });
    if (same != cell.end()) {
      std::rotate(same, same + 1, cell.end());
      return;
    }
    cell.push_back({.value = found, .order = ++used_});
    if (cell.size() > most_traced_of_a_cell) cell.pop_front();
  }

  std::vector<TracedValue> values() const {
    std::vector<Used> all;
    for (const auto& [position, cell] : cells_) all.insert(all.end(), cell.begin(), cell.end());
    std::sort(all.begin(), all.end(), [](const Used& a, const Used& b) {
      return std::tie(a.value.position, a.value.shown_before, a.order) <
             std::tie(b.value.position, b.value.shown_before, b.order);
    });
    std::vector<TracedValue> values;
    values.reserve(all.size());
    for (const auto& one : all) values.push_back(one.value);
    return values;
  }

 private:
  bool is_worth_keeping(std::size_t value) const {
    const auto shape = flow_.shape(value);
    std::size_t elements = 1;
    for (const auto length : shape) {
      if (length < 1 || static_cast<std::size_t>(length) > most_elements) return false;
      elements *= static_cast<std::size_t>(length);
      if (elements > most_elements) return false;
    }
    return !shape.empty() && shape.size() <= largest_rank && elements >= 2;
  }

  TracedValue place_of(std::size_t value, std::size_t first_use) const {
    const auto& made = flow_[value];
    TracedValue traced{.value = value, .position = first_use};
    const bool is_made = made.operation != trace_diff::no_operation;
    const auto made_in = is_made ? position_in(flow_.texts[flow_.trace.operations[made.operation].mark]) : 0;
    const auto shown = first_shown_.find(value);
    if (made_in != 0) {
      traced.position = made_in;
    } else if (shown != first_shown_.end()) {
      traced.position = std::min(traced.position, shown->second);
    }
    for (const auto& one : flow_.trace.shown) {
      const auto place = place_in(flow_.texts[one.name]);
      if (place && place->first == traced.position && one.operation <= made.moment) ++traced.shown_before;
    }
    return traced;
  }

  const trace_diff::Flow& flow_;
  std::map<std::size_t, std::size_t> first_shown_;  // the cell that showed a value first
  std::map<std::size_t, TracedValue> places_;
  std::map<std::size_t, std::deque<Used>> cells_;  // the last used value is the last
  std::size_t used_ = 0;
};

}  // namespace

std::size_t position_in(std::string_view mark) {
  return mark.starts_with('@') ? notebook::parse_integer<std::size_t>(mark.substr(1)).value_or(0) : 0;
}

std::optional<std::pair<std::size_t, std::size_t>> place_in(std::string_view name) {
  constexpr std::string_view begin = "shown ";
  const auto dot = name.find('.');
  if (!name.starts_with(begin) || dot == name.npos) return std::nullopt;
  const auto position = position_in(name.substr(begin.size(), dot - begin.size()));
  const auto number = notebook::parse_integer<std::size_t>(name.substr(dot + 1)).value_or(0);
  if (position == 0 || number == 0) return std::nullopt;
  return std::pair(position, number - 1);
}

std::vector<TracedValue> traced_values(const trace_diff::Flow& flow) {
  Selection selection(flow);
  const auto words = words_of_ids(flow);
  for (const auto& step : flow.steps()) {
    for (const auto input : step.inputs) {
      if (words.contains(input))
        selection.add(input, position_in(flow.texts[flow.trace.operations[step.operation].mark]));
    }
    if (step.results.empty()) continue;
    const auto result = step.results.front();
    const auto position = position_in(flow.texts[flow.trace.operations[step.operation].mark]);
    const bool product = is_product(flow, result);
    if (position == 0 || flow[result].operation != step.operation || (!product && !is_softmax(flow, result)))
      continue;
    const auto matrix = [&](std::size_t value) {
      const auto part = selected(flow, value);
      return part && part->dim == 0 && flow.shape(part->from).size() == 2 ? part->from : value;
    };
    const auto& inputs = flow[result].inputs;
    selection.add(matrix(inputs.front()), position);
    if (product) selection.add(transposed_from(flow, inputs[1]).value_or(matrix(inputs[1])), position);
    selection.add(result, position);
  }
  return selection.values();
}

std::map<std::pair<std::size_t, std::size_t>, std::size_t> shown_values(const trace_diff::Flow& flow) {
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> values;
  for (std::size_t i = 0; i < flow.shown().size(); ++i) {
    const auto place = place_in(flow.texts[flow.trace.shown[i].name]);
    if (place) values.emplace(*place, flow.shown()[i]);
  }
  return values;
}

}  // namespace torchbook::site
