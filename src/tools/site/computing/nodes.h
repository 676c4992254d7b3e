// Follows the tensors of a trace as the nodes of a program, which pages compute in the browser.
#pragma once

#include <tools/part/flow.h>

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace torchbook::report {

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

/// The tensors of a program, as site/engine/program.js describes them. A memory that is written to gets a new
/// node. A view that is used after that is made again from the new node.
class Nodes {
 public:
  /// Throws NoProgram if the origin of a tensor is not certain.
  explicit Nodes(const part::Flow& flow);

  const std::vector<Json>& nodes() const { return nodes_; }
  /// Returns the operands of each node.
  const std::vector<std::vector<std::size_t>>& operands() const { return operands_; }
  /// Returns the nodes that draw random numbers.
  const std::vector<std::size_t>& draws() const { return draws_; }
  const std::vector<ShownNode>& shown() const { return shown_; }
  /// Returns the last result of each cell that is a number or a truth value, not a tensor.
  const std::map<std::size_t, std::size_t>& scalars() const { return scalars_; }
  /// Returns the node of a tensor of the trace, or nullopt if no operation mentions it.
  std::optional<std::size_t> node_of(std::uint32_t tensor) const;

 private:
  /// A step from a tensor to a view of it.
  struct Step {
    Json call;  // the name of the operation, and its arguments after the tensor
    std::vector<std::int64_t> shape;
  };
  using Path = std::optional<std::vector<Step>>;  // from the whole memory; nullopt if it is not known

  struct View {
    std::uint32_t tensor = 0;  // of the trace, with its shape and strides
    std::uint64_t hash = 0;    // of its elements; 0 if that is not known
    Path path;
    std::size_t node = 0;
    std::size_t version = 0;  // of the memory
  };

  struct Memory {
    std::size_t whole = 0;  // the node that has all of it
    std::uint32_t tensor = 0;
    std::size_t version = 0;
    bool is_used = false;     // an operation other than a view takes it, or a cell shows it
    bool is_filling = false;  // its values are given, and the node does not have them yet
    std::vector<View> views{};
  };

  void show_until(std::size_t& next, std::uint32_t operation);
  void visit(std::uint32_t operation);
  void look(std::uint32_t operation, const std::vector<std::uint32_t>& results);
  void compute(std::uint32_t operation, const std::vector<std::uint32_t>& results);
  void take(std::uint32_t operation);
  void require_shown();
  void write(std::uint32_t operation, std::uint32_t result);
  std::size_t written(std::uint32_t operation, std::uint32_t result, const std::vector<Step>& path);
  void draw(std::uint32_t operation, Json& node);

  View& resolved(std::uint32_t tensor, bool is_use);
  View& now(Memory& memory, std::uint32_t tensor);
  void fill(Memory& memory, std::uint32_t tensor, bool is_use);
  View& again(Memory& memory, const View& view, std::uint32_t tensor);
  View& new_memory(std::uint32_t tensor, std::size_t node);
  View& know(Memory& memory, View view);

  std::size_t emit(Json node, std::uint32_t tensor);
  std::size_t emit_view(std::size_t from, const Step& step, std::uint32_t like);
  Json called(std::uint32_t operation);
  Json call(std::uint32_t operation);
  Json argument(const part::Value& value);
  Json elements(std::uint32_t tensor) const;
  std::string_view name(std::uint32_t operation) const;
  std::vector<std::int64_t> shape(std::uint32_t tensor) const;
  bool is_alike(std::uint32_t one, std::uint32_t other) const;

  const part::Flow& flow_;
  const part::ReadTrace& trace_;
  std::vector<Json> nodes_;
  std::vector<std::vector<std::size_t>> operands_;
  std::vector<std::size_t> draws_;
  std::vector<ShownNode> shown_;
  std::map<std::size_t, std::size_t> scalars_;
  std::map<std::pair<std::size_t, std::size_t>, int>
      taken_;                                               // numbers that the program took, by cell and node
  std::unordered_map<std::uint32_t, std::size_t> node_of_;  // by tensor of the trace
  std::unordered_map<std::uint32_t, Memory> memories_;      // by storage
  std::map<std::string, std::size_t> made_views_;           // by what they show
  std::optional<std::uint64_t> last_state_;                 // of the generator
};

}  // namespace torchbook::report
