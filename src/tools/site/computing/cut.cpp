#include <fmt/format.h>
#include <tools/site/computing/cut.h>

#include <algorithm>
#include <iterator>

namespace torchbook::site {
namespace {

constexpr std::size_t besides_values = 100;  // bytes of a wall, about

std::size_t values_bytes(const Json& node) {
  return node.contains("values") ? node["values"].dump().size() : 0;
}

/// Returns the nodes among the arguments of a node, and the draw that it follows.
std::vector<std::size_t> needed_by(const Json& node) {
  auto needed = operands_in(node);
  if (node.contains("follows")) needed.push_back(node["follows"]["tensor"].get<std::size_t>());
  return needed;
}

/// Replaces nodes by their numbers in the program.
void renumber(Json& value, const Kept& kept) {
  if (value.is_array()) {
    for (auto& one : value) renumber(one, kept);
  } else if (value.is_object() && value.contains("tensor")) {
    value["tensor"] = *kept.place(value["tensor"].get<std::size_t>());
  }
}

}  // namespace

Kept::Kept(const Nodes& nodes, std::set<std::size_t> roots)
    : nodes_(nodes), roots_(std::move(roots)), taken_(nodes.taken()) {
  for (std::size_t node = 0; node < nodes.nodes().size(); ++node) kept_[node].first = nodes.nodes()[node];
  leave_needed();
  for (auto& [node, one] : kept_) one.second = one.first.dump().size();
}

/// Keeps only the nodes that are shown, drawn or taken, and their operands.
void Kept::leave_needed() {
  std::set<std::size_t> needed;
  std::vector<std::size_t> left(roots_.begin(), roots_.end());
  left.insert(left.end(), nodes_.draws().begin(), nodes_.draws().end());
  for (const auto& one : taken_) left.push_back(one.node);
  while (!left.empty()) {
    const auto node = left.back();
    left.pop_back();
    const auto found = kept_.find(node);
    if (found == kept_.end() || !needed.insert(node).second) continue;
    const auto own = needed_by(found->second.first);
    left.insert(left.end(), own.begin(), own.end());
  }
  std::erase_if(kept_, [&](const auto& one) { return !needed.contains(one.first); });
}

/// Returns the node of a cell whose number was taken last, or nullopt if none was.
std::optional<std::size_t> Kept::last_taken_in(std::size_t cell) const {
  const auto last = std::find_if(taken_.rbegin(), taken_.rend(),
                                 [&](const auto& one) { return nodes_.positions()[one.node] == cell; });
  return last == taken_.rend() ? std::nullopt : std::optional(last->node);
}

/// Returns the nodes of a cell that stay if it is cut out: nodes shown or used elsewhere, and the last draw
/// and the last taken number, on which later nodes depend in other ways.
std::vector<std::size_t> Kept::exits_of(std::size_t cell) const {
  const auto is_in = [&](std::size_t node) { return nodes_.positions()[node] == cell; };
  std::set<std::size_t> exits;
  for (const auto& [node, one] : kept_) {
    const auto& json = one.first;
    if (is_in(node) && roots_.contains(node)) exits.insert(node);
    if (is_in(node)) continue;
    std::ranges::copy_if(needed_by(json), std::inserter(exits, exits.end()), is_in);
  }
  if (const auto last = last_taken_in(cell)) exits.insert(*last);
  return {exits.begin(), exits.end()};
}

/// Leaves out the numbers of operations whose results are not shown, if the rest then has at most `largest`
/// bytes.
bool Kept::lighten_to(std::size_t largest) {
  auto light = kept_;
  std::size_t all = 0;
  for (auto& [node, one] : light) {
    if (one.first.contains("op") && !roots_.contains(node)) {
      one.first.erase("values");
      one.second = one.first.dump().size();
    }
    all += one.second;
  }
  if (all <= largest) kept_ = std::move(light);
  return all <= largest;
}

void Kept::cut_to(std::size_t largest) {
  const auto all_kept = kept_;
  const auto all_taken = taken_;
  std::set<std::size_t> seen{0};  // cells; 0 is none
  while (true) {
    std::map<std::size_t, std::size_t> bytes;  // by cell
    std::size_t all = 0;
    for (const auto& [node, one] : kept_) {
      if (!seen.contains(nodes_.positions()[node])) bytes[nodes_.positions()[node]] += one.second;
      all += one.second;
    }
    if (all <= largest || bytes.empty() || (cut_.empty() && lighten_to(largest))) break;
    const auto longest = std::ranges::max_element(bytes, {}, [](const auto& one) { return one.second; });
    seen.insert(longest->first);
    std::size_t left = 0;
    for (const auto exit : exits_of(longest->first))
      left += values_bytes(kept_.at(exit).first) + besides_values;
    if (left >= longest->second) continue;
    cut_.insert(longest->first);
    kept_ = all_kept;
    taken_ = all_taken;
    for (const auto cell : cut_) cut(cell);
  }
  order_.clear();
  for (const auto& [node, one] : kept_) order_.push_back(node);
}

/// Cuts out a cell. Constants stay as they are.
void Kept::cut(std::size_t cell) {
  const auto exits = exits_of(cell);
  const auto is_in = [&](std::size_t node) { return nodes_.positions()[node] == cell; };
  std::set<std::size_t> needed;  // by the walls: the operands from outside of the cell, and the wall before
  for (auto one = kept_.begin(); one != kept_.end();) {
    const auto node = one->first;
    auto& json = one->second.first;
    const bool is_exit = std::ranges::binary_search(exits, node);
    if (!is_in(node) || (is_exit && !json.contains("args"))) {
      ++one;
      continue;
    }
    for (const auto operand : needed_by(json)) {
      const bool is_constant = !nodes_.nodes()[operand].contains("args");
      if (!is_in(operand) || (is_constant && std::ranges::binary_search(exits, operand)))
        needed.insert(operand);
    }
    if (!is_exit) {
      one = kept_.erase(one);
      continue;
    }
    Json arguments = Json::array();
    for (const auto operand : needed) arguments.push_back({{"tensor", operand}});
    Json wall{{"wall", "too many operations ran"}, {"args", std::move(arguments)}};
    for (const auto* name : {"values", "dtype", "shape", "cell"}) {
      if (json.contains(name)) wall[name] = std::move(json[name]);
    }
    json = std::move(wall);
    one->second.second = json.dump().size();
    needed = {node};
    ++one;
  }
  const auto last = last_taken_in(cell);
  std::erase_if(taken_, [&](const auto& one) { return is_in(one.node) && one.node != last; });
  leave_needed();
}

/// Returns how many nodes of the program are before one.
std::size_t Kept::rank(std::size_t node) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(order_, node) - order_.begin());
}

std::optional<std::size_t> Kept::place(std::size_t node) const {
  return kept_.contains(node) ? std::optional(rank(node)) : std::nullopt;
}

Json Kept::tensors() const {
  Json tensors = Json::array();
  const auto first_taken = taken_.empty() ? nodes_.nodes().size() : taken_.front().before;
  for (const auto& [node, one] : kept_) {
    auto json = one.first;
    for (const auto* name : {"args", "through", "follows"}) {
      if (json.contains(name)) renumber(json[name], *this);
    }
    if (json.contains("since")) {
      const auto since = json["since"].get<std::size_t>();
      if (since < first_taken)
        json.erase("since");
      else
        json["since"] = rank(since);
    }
    tensors.push_back(std::move(json));
  }
  return tensors;
}

Json Kept::taken() const {
  Json taken = Json::array();
  for (const auto& one : taken_)
    if (!one.is_printed) taken.push_back({rank(one.node), rank(one.before)});
  return taken;
}

}  // namespace torchbook::site
