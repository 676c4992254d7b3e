// Finds where a notebook's names are assigned and read.
#pragma once

#include <tools/import/translate/syntax/syntax.h>

#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace torchbook::translate {

using Names = std::set<std::string, std::less<>>;

/// Returns the names in a piece of Python, without the local names of functions in it.
Names free_names(const Node& node);

/// Whether two sets of names intersect.
bool intersect(const Names& names, const Names& others);

/// A place where a name occurs.
struct Use {
  std::size_t cell = 0;  ///< its position; 0 in a function, which is in one cell
  int line = 0;
  int above = 0;  ///< what was added to its line
  int column = 0;
  bool reads = false;         ///< otherwise it is assigned
  bool assigns = false;       ///< `x += 1` does both
  bool divides = false;       ///< it is read as an operand of a division
  std::vector<int> path{};    ///< numbers of all blocks around it, from the outermost on
  int outermost = 0;          ///< the line of the statement whose block is the outermost around it
  std::vector<int> blocks{};  ///< numbers of the blocks around it that may not run, from the outermost on
};

/// Where a name is assigned and read: by the notebook outside of functions, or by one function.
struct Uses {
  std::map<std::string, int, std::less<>> assignments{};  ///< how often
  std::map<std::string, int, std::less<>> bindings{};     ///< how often, without changes in place
  /// The places of each name. They are sorted by line, and within a line by order of evaluation.
  std::map<std::string, std::vector<Use>, std::less<>> lines{};
  int blocks = 0;                 ///< how many there are that may not run
  Names assigned_by_functions{};  ///< names that a function declares global and assigns
  std::set<std::string, std::less<>> read_by_functions{};  ///< names that a function or class inside reads
  std::set<std::string, std::less<>> read_by_classes{};    ///< names that a class inside reads
  Names changed{};                                         ///< names whose values change in place
  Names assigned_attributes{};                             ///< of objects other than self
  Names dims{};                                            ///< as dims_in() returns them
  Names members{};                                         ///< attributes of self, and methods
  bool draws_in_python = false;                            ///< reads `random.choice` or the like
  bool draws_in_numpy = false;                             ///< reads `np.random.rand` or the like
  bool has_lazy_layers = false;                            ///< names a lazy layer
};

inline bool is_self(const Node& node) { return node.is_name("self"); }

/// Whether a node is `self.name`, whatever the name.
inline bool is_of_self(const Node& node) { return node.is(Ast::Attribute) && is_self(node.value()); }

/// Whether a node defines a constructor.
inline bool is_constructor(const Node& node) {
  return node.is(Ast::FunctionDef) && node.name() == "__init__";
}

/// Whether a node is `super()`.
inline bool is_super(const Node& node) { return called_name(node) == "super"; }

/// Returns the names that are assigned both ints and tuples of ints, and are only read as the dimensions of a
/// reduction, where `1` and `(1,)` mean the same. `methods` has the methods of the notebook's own classes.
Names dims_in(const std::vector<Node>& statements, const Names& methods);

/// Returns the names in a piece of Python.
Names names_in(const Node& node);

/// Returns the targets of `a = b = 2` or `a += 2`; none for another node.
std::vector<Node> targets_of(const Node& node);

/// Sorts the uses that add_uses() has added.
void sort_lines(Uses& uses);

/// Whether a name may be read, before it is certainly assigned again, after a line and up to the line `last`.
bool is_read_after(const Uses& uses, std::string_view name, int line,
                   int last = std::numeric_limits<int>::max());

/// Whether a name is read between two lines, without these.
bool is_read_between(const Uses& uses, std::string_view name, int first, int last);

/// Whether a name is read anywhere.
bool is_read(const Uses& uses, std::string_view name);

/// Adds the names of a piece of Python. `line` is added to its lines.
void add_uses(const Node& node, int line, Uses& uses, std::size_t cell = 0);

/// Sorts definitions of functions or classes so that each comes after those that it uses, and keeps
/// their order otherwise. `used` returns the names that a definition uses.
std::vector<Node> in_order_of_use(const std::vector<Node>& definitions,
                                  const std::function<Names(const Node&)>& used);

/// Moves definitions of functions and classes below the statements that assign the names which they read:
/// Python looks these up at the call. `is_new` says whether a name has no value above. A definition stays
/// above the first statement that mentions it, and does not move if its place may matter.
std::vector<Node> after_what_they_read(const std::vector<Node>& statements,
                                       const std::function<Names(const Node&)>& used,
                                       const std::function<bool(const std::string&)>& is_new);

/// Whether a method of this name, as `append`, changes its object.
bool changes_receiver(std::string_view method);

/// Whether a method changes its object: its attributes, or their values.
bool changes_self(const Node& method);

/// Returns the names that an assignment's target assigns.
Names assigned_to(const Node& target);

/// Returns the names that statements assign, without those of functions and classes inside.
Names assigned_names(const std::vector<Node>& statements);

/// Returns the names that statements assign, and those of objects that they change in place: by an
/// index, or by calling a method.
Names changed_names(const std::vector<Node>& statements);

}  // namespace torchbook::translate
