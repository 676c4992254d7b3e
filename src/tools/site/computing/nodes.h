// Writes the values of a trace as the nodes of a program, which pages compute in the browser.
#pragma once

#include <tools/part/flow.h>

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace torchbook::site {

/// A trace from which no program can be made. The message says why.
struct NoProgram : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using Json = nlohmann::ordered_json;

/// A tensor that a cell shows.
struct ShownNode {
  std::size_t position = 0;  ///< of the cell
  std::size_t node = 0;
};

/// The tensors of a program, as site/engine/program.js describes them: one for each value.
class Nodes {
 public:
  /// Throws NoProgram if the origin of a value is not certain.
  explicit Nodes(const trace_diff::Flow& flow);

  const std::vector<Json>& nodes() const { return nodes_; }
  /// Returns the operands of each node.
  const std::vector<std::vector<std::size_t>>& operands() const { return operands_; }
  /// Returns the nodes that draw random numbers.
  const std::vector<std::size_t>& draws() const { return draws_; }
  const std::vector<ShownNode>& shown() const { return shown_; }
  /// Returns the last result of each cell that is a number or a truth value, not a tensor.
  const std::map<std::size_t, std::size_t>& scalars() const { return scalars_; }
  /// Returns the node of a value.
  std::size_t node_of(std::size_t value) const { return node_of_[value]; }

 private:
  void add_until(std::uint32_t operation);
  std::size_t add_value(std::size_t value);
  std::size_t add_view(const trace_diff::Made& made);
  void add_scalar(const trace_diff::Step& step);
  void draw(std::uint32_t operation, Json& node);

  std::size_t add(Json node, std::uint32_t tensor);
  std::size_t add(Json node, std::string_view dtype, Json shape);
  Json called(std::uint32_t operation, const std::vector<std::size_t>& inputs);
  Json argument(const trace_diff::Value& value, const std::size_t*& input) const;
  Json tensor(std::size_t value) const { return {{"tensor", node_of_[value]}}; }
  Json path(std::size_t from, std::size_t view) const;
  Json elements(std::uint32_t tensor) const;
  std::size_t results_of(std::uint32_t operation) const;
  std::size_t position_of(std::uint32_t operation) const;
  std::string_view name(std::uint32_t operation) const;

  const trace_diff::Flow& flow_;
  const trace_diff::ReadTrace& trace_;
  std::vector<Json> nodes_;
  std::vector<std::vector<std::size_t>> operands_;
  std::vector<std::size_t> draws_;
  std::vector<ShownNode> shown_;
  std::map<std::size_t, std::size_t> scalars_;
  std::vector<std::size_t> node_of_;          // by value
  std::map<std::string, std::size_t> views_;  // by what they show
  std::optional<std::uint64_t> last_state_;   // of the generator
};

}  // namespace torchbook::site
