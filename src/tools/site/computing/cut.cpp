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
  std::vector<std::size_t> left(roots_.begin(), roots_.end());
  left.insert(left.end(), nodes.draws().begin(), nodes.draws().end());
  for (const auto& one : taken_) left.push_back(one.node);
  while (!left.empty()) {
    const auto node = left.back();
    left.pop_back();
    if (!kept_.try_emplace(node, nodes.nodes()[node]).second) continue;
    const auto needed = needed_by(nodes.nodes()[node]);
    left.insert(left.end(), needed.begin(), needed.end());
  }
}

/// Returns the nodes of a cell that are needed if it is cut out: what is shown or used elsewhere, and the
/// last draw and the last taken number, on which later nodes depend in other ways.
std::vector<std::size_t> Kept::exits_of(std::size_t cell) const {
  const auto is_in = [&](std::size_t node) { return nodes_.positions()[node] == cell; };
  std::set<std::size_t> exits;
  for (const auto& [node, json] : kept_) {
    if (is_in(node) && (roots_.contains(node) || !json.contains("args"))) exits.insert(node);
    if (is_in(node)) continue;
    std::ranges::copy_if(needed_by(json), std::inserter(exits, exits.end()), is_in);
  }
  const auto last =
      std::find_if(taken_.rbegin(), taken_.rend(), [&](const auto& one) { return is_in(one.node); });
  if (last != taken_.rend()) exits.insert(last->node);
  return {exits.begin(), exits.end()};
}

void Kept::cut_to(std::size_t largest) {
  std::map<std::size_t, std::size_t> bytes;  // by cell
  std::size_t all = 0;
  for (const auto& [node, json] : kept_) {
    const auto own = json.dump().size();
    bytes[nodes_.positions()[node]] += own;
    all += own;
  }
  bytes.erase(0);
  while (all > largest && !bytes.empty()) {
    const auto longest = std::ranges::max_element(bytes, {}, [](const auto& one) { return one.second; });
    const auto exits = exits_of(longest->first);
    std::size_t left = 0;
    for (const auto exit : exits) left += values_bytes(kept_.at(exit)) + besides_values;
    if (left < longest->second) {
      cut(longest->first, exits);
      all -= longest->second - left;
    }
    bytes.erase(longest);
  }
  order_.clear();
  for (const auto& [node, json] : kept_) order_.push_back(node);
}

/// Cuts out a cell. Constants stay as they are.
void Kept::cut(std::size_t cell, const std::vector<std::size_t>& exits) {
  const auto is_in = [&](std::size_t node) { return nodes_.positions()[node] == cell; };
  std::set<std::size_t> needed;  // by the walls: what the cell took, and the wall before
  std::size_t count = 0;
  for (auto one = kept_.begin(); one != kept_.end();) {
    auto& [node, json] = *one;
    const bool is_exit = std::ranges::binary_search(exits, node);
    if (!is_in(node) || !json.contains("args")) {
      ++one;
      continue;
    }
    ++count;
    for (const auto operand : needed_by(json)) {
      if (!is_in(operand) || !nodes_.nodes()[operand].contains("args")) needed.insert(operand);
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
    needed = {node};
    ++one;
  }
  const auto last =
      std::find_if(taken_.rbegin(), taken_.rend(), [&](const auto& one) { return is_in(one.node); });
  if (last == taken_.rend()) return;
  const auto kept = last->node;
  std::erase_if(taken_, [&](const auto& one) { return is_in(one.node) && one.node != kept; });
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
  for (auto [node, json] : kept_) {
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
  for (const auto& one : taken_) taken.push_back({rank(one.node), rank(one.before)});
  return taken;
}

}  // namespace torchbook::site
