// Finds which names of a notebook may stand for the same object, and what statements may change.
#pragma once

#include <tools/import/translate/names.h>
#include <tools/import/translate/syntax.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace torchbook::translate {

/// Returns the names in a piece of Python, without the local names of functions in it.
Names free_names(const Node& node);

/// What is known about the callee of a call.
enum class Callee {
  pure,  ///< it changes none of its arguments and of its receiver, and its result shares nothing with them
  harmless,  ///< it changes none of them
  unknown,
};

/// What the translator says of nodes when it is asked.
struct Knowledge {
  /// Returns the module or function of Python that a node names.
  std::function<std::optional<std::string>(const Node&)> path_of;
  /// Says what is known about the callee of a call, if it has no such path.
  std::function<Callee(const Node&)> callee_of;
  /// Whether a name holds a container of immutable items.
  std::function<bool(const std::string&)> holds_plain_items;
  /// Whether a known callee draws random numbers.
  std::function<std::optional<bool>(const Node&)> draws;
  /// Whether a node may be a loader: each pass through one draws.
  std::function<bool(const Node&)> may_be_loader;
};

/// The names of a notebook that may refer to the same object. They are found in Python's tree, so
/// cells that are not translated count, too. In doubt, a name counts as an alias.
class Aliases {
 public:
  Aliases(const Uses& uses, Knowledge known) : uses_(uses), known_(std::move(known)) {}

  /// Notes the functions and classes that a cell defines.
  void add_definitions(const Node& tree);
  /// Notes the aliases that a statement creates.
  void add(const Node& statement);
  /// Returns the names of the objects that a statement may change in place, with all their aliases.
  Names changed_by(const Node& statement) const;
  /// Whether a statement may draw from PyTorch's generator of random numbers, or set its seed.
  bool may_draw(const Node& statement) const;
  /// Returns the names that a statement mentions, with those in the definitions of functions and classes that
  /// it mentions.
  Names names_behind(const Node& statement) const;
  /// Whether a statement may compute gradients that tensors keep.
  bool may_compute_gradients(const Node& statement) const;
  /// Whether a function assigns to a name of the notebook.
  bool is_assigned_inside(std::string_view name) const { return globals_.contains(name); }

 private:
  /// What is known of all definitions of a name.
  struct Definition {
    std::vector<Node> nodes{};
    bool changes = false;  ///< one may change what it is given
    Names names{};         ///< all names in them
    Names calls{};         ///< the functions that they call
  };

  Names shared(const Node& value) const;
  Names shared_by_call(const Node& call) const;
  Names changed_by_call(const Node& call) const;
  bool is_class(const Node& called) const;
  Names of_arguments(const Node& call) const;
  void link(const Node& target, const Names& names);
  Names items_of(const Node& value) const;
  Names in_definitions(const Node& call) const;
  void add_definition(const std::string& name, const Node& definition);
  std::optional<std::string> definition_of(const Node& called) const;
  std::vector<const Definition*> reached(const std::string& name, Names Definition::*through) const;
  bool is_outside(const Node& call) const;
  bool is_calm_layer(const Node& value) const;
  Callee known(const Node& call) const;
  bool call_may_draw(const Node& call, Names& seen) const;
  bool part_may_draw(const Node& part, Names& seen) const;

  const Uses& uses_;  ///< of the notebook
  Knowledge known_;
  std::map<std::string, Definition, std::less<>> definitions_{};
  std::map<std::string, std::string, std::less<>> definition_of_{};  ///< the class of an object, by its name
  std::map<std::string, Names, std::less<>> links_{};
  Names globals_{};  ///< names that functions declare as those of the notebook
  Names calm_{};     ///< names of layers of PyTorch whose calls change nothing
  Names outside_{};  ///< names of objects of libraries that do not know torch, as the axes of a plot
};

}  // namespace torchbook::translate
