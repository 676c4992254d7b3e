// Writes the values of a trace as the nodes of a program, which pages compute in the browser.
#pragma once

#include <tools/part/flow.h>
#include <tools/site/computing/taken.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace torchbook::site {

/// A tensor that a cell shows.
struct ShownNode {
  std::size_t position = 0;  ///< of the cell
  std::size_t node = 0;
};

/// Returns the nodes among the arguments of a node.
std::vector<std::size_t> operands_in(const Json& node);

/// The tensors of a program, as site/engine/program.js describes them: one for each value.
class Nodes {
 public:
  /// `printing` are the operations that take numbers only to print them.
  Nodes(const trace_diff::Flow& flow, const std::set<std::uint32_t>& printing);

  const std::vector<Json>& nodes() const { return nodes_; }
  /// Returns the operands of each node.
  const std::vector<std::vector<std::size_t>>& operands() const { return operands_; }
  /// Returns the nodes that draw random numbers.
  const std::vector<std::size_t>& draws() const { return draws_; }
  const std::vector<ShownNode>& shown() const { return shown_; }
  /// Returns the last result of each cell that is a number or a truth value, not a tensor.
  const std::map<std::size_t, std::size_t>& scalars() const { return scalars_; }
  /// Returns the numbers that the notebook took and did not show.
  const std::vector<TakenNumber>& taken() const { return taken_.all(); }
  /// Returns the cell in which each node was made, or 0.
  const std::vector<std::size_t>& positions() const { return positions_; }
  /// Returns the node of a value.
  std::size_t node_of(std::size_t value) const { return node_of_[value]; }
  /// Names a value by its variable.
  void set_name(std::size_t value, const std::string& name) { nodes_[node_of_[value]]["name"] = name; }

 private:
  void add_until(std::uint32_t operation);
  std::size_t add_value(std::size_t value);
  std::size_t add_view(const trace_diff::Made& made);
  void add_scalar(const trace_diff::Step& step);
  void draw(std::uint32_t operation, Json& node);

  bool shows_known(const trace_diff::Made& made) const;
  std::size_t add(Json node, const trace_diff::Made& made);
  std::size_t add(Json node, std::string_view dtype, Json shape, std::uint32_t moment);
  Json called(std::uint32_t operation, const std::vector<std::size_t>& inputs);
  Json argument(const trace_diff::Value& value, const std::size_t*& input) const;
  Json tensor(std::size_t value) const { return {{"tensor", node_of_[value]}}; }
  Json layout(const trace_diff::Made& made) const;
  Json insertion(const trace_diff::Made& made) const;
  Json wall(std::string_view why, const std::vector<std::size_t>& inputs) const;
  std::optional<Json> path(std::size_t from, std::size_t view) const;
  Json elements(std::uint32_t tensor) const;
  std::size_t results_of(std::uint32_t operation) const;
  std::size_t position_of(std::uint32_t operation) const;
  std::string_view name(std::uint32_t operation) const;

  const trace_diff::Flow& flow_;
  const trace_diff::ReadTrace& trace_;
  std::vector<Json> nodes_;
  std::vector<std::vector<std::size_t>> operands_;
  std::vector<std::size_t> positions_;
  std::vector<std::size_t> draws_;
  std::vector<ShownNode> shown_;
  TakenNumbers taken_;
  std::map<std::size_t, std::size_t> scalars_;
  std::vector<std::size_t> node_of_;             // by value
  std::map<std::string, std::size_t> views_;     // by the tensor that they show
  std::map<std::uint64_t, std::size_t> drawn_;   // the draws of one whole number, by that number
  std::map<std::uint64_t, std::size_t> states_;  // the draws, by the hash of the state that they left
};

}  // namespace torchbook::site
