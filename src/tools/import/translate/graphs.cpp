#include <tools/import/translate/graphs.h>

#include <algorithm>
#include <utility>

namespace torchbook::translate {

void Graphs::join(const Names& names, const Names& rebound) {
  Graph whole{.names = names};
  for (const auto& graph : graphs_) {
    auto read = names;
    for (const auto& name : rebound) read.erase(name);
    if (!meet(graph.names, read)) continue;
    whole.names.insert(graph.names.begin(), graph.names.end());
    whole.lost = whole.lost || graph.lost;
  }
  for (auto& graph : graphs_) {
    for (const auto& name : whole.names) graph.names.erase(name);
    for (const auto& name : rebound) graph.names.erase(name);
  }
  std::erase_if(graphs_, [](const Graph& graph) { return graph.names.empty(); });
  if (!whole.names.empty()) graphs_.push_back(std::move(whole));
}

void Graphs::lose(const Names& names) {
  join(names, {});
  for (auto& graph : graphs_) graph.lost = graph.lost || meet(graph.names, names);
}

void Graphs::know(const Names& names) {
  for (auto& graph : graphs_) {
    if (graph.lost) std::erase_if(graph.names, [&](const auto& name) { return names.contains(name); });
  }
}

bool Graphs::is_lost(const Names& names) const {
  return std::any_of(graphs_.begin(), graphs_.end(),
                     [&](const Graph& graph) { return graph.lost && meet(graph.names, names); });
}

}  // namespace torchbook::translate
