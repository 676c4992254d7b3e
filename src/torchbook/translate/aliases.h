// Finds which names of a notebook may stand for the same object, and what statements may change.
#pragma once

#include <torchbook/translate/names.h>
#include <torchbook/translate/syntax.h>

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

/// The names of a notebook that may refer to the same object. They are found in Python's tree, so
/// cells that are not translated count, too. In doubt, a name counts as an alias.
class Aliases {
 public:
  using PathOf = std::function<std::optional<std::string>(const Node&)>;
  using CalleeOf = std::function<Callee(const Node&)>;
  using HoldsPlainItems = std::function<bool(const std::string&)>;
  using Draws = std::function<std::optional<bool>(const Node&)>;
  using MayBeLoader = std::function<bool(const Node&)>;

  /// `path_of` returns the module or function of Python that a node names. `callee_of` says what is
  /// known about a callee without such a path. `holds_plain_items` says whether a name holds a
  /// container of immutable items. `draws` says whether a known callee draws random numbers.
  /// `may_be_loader` says whether a node may be a loader: each pass through one draws.
  Aliases(PathOf path_of, CalleeOf callee_of, HoldsPlainItems holds_plain_items, Draws draws,
          MayBeLoader may_be_loader)
      : path_of_(std::move(path_of)),
        callee_of_(std::move(callee_of)),
        holds_plain_items_(std::move(holds_plain_items)),
        draws_(std::move(draws)),
        may_be_loader_(std::move(may_be_loader)) {}

  /// Notes the functions and classes that a cell defines.
  void add_definitions(const Node& tree);
  /// Notes the aliases that a statement creates.
  void add(const Node& statement);
  /// Returns the names of the objects that a statement may change in place, with all their aliases.
  Names changed_by(const Node& statement) const;
  /// Whether a statement may draw from PyTorch's generator of random numbers, or set its seed.
  bool may_draw(const Node& statement) const;
  /// Whether a function assigns to a name of the notebook.
  bool is_assigned_inside(std::string_view name) const { return globals_.contains(name); }

 private:
  Names shared(const Node& value) const;
  Names shared_by_call(const Node& call) const;
  Names changed_by_call(const Node& call) const;
  Names of_arguments(const Node& call) const;
  void link(const Node& target, const Names& names);
  Names items_of(const Node& value) const;
  Names in_definitions(const Node& call) const;
  void add_definition(const std::string& name, const Node& definition);
  bool is_outside(const Node& call) const;
  bool is_calm_layer(const Node& value) const;
  bool is_harmless_definition(std::string_view name) const;
  Callee known(const Node& call) const;
  bool call_may_draw(const Node& call, Names& seen) const;
  bool part_may_draw(const Node& part, Names& seen) const;

  PathOf path_of_;
  CalleeOf callee_of_;
  HoldsPlainItems holds_plain_items_;
  Draws draws_;
  MayBeLoader may_be_loader_;
  std::map<std::string, std::vector<Node>, std::less<>> nodes_{};  ///< the definitions of a name
  std::map<std::string, bool, std::less<>> definitions_{};  ///< whether they may change what they are given
  std::map<std::string, Names, std::less<>> names_in_{};    ///< all names in a definition
  std::map<std::string, Names, std::less<>> calls_{};       ///< the functions that a definition calls
  std::map<std::string, std::string, std::less<>> definition_of_{};  ///< the class of an object, by its name
  std::map<std::string, Names, std::less<>> links_{};
  Names globals_{};  ///< names that functions declare as those of the notebook
  Names calm_{};     ///< names of layers of PyTorch whose calls change nothing
  Names outside_{};  ///< names of objects of libraries that do not know torch, as the axes of a plot
};

}  // namespace torchbook::translate
