// Refuses cells that change a list or dict which has two names in Python's run, or is part of another one.
// C++ has a copy for each name.
#include <fmt/format.h>
#include <tools/import/translate/cells/cells.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace torchbook::translate {
namespace {

/// Returns how deep lists, dicts and tuples are nested in a type; 0 for other types.
int depth_of(const Type& type) {
  const bool holds =
      type.is(Kind::list) || type.is(Kind::dict) || type.is(Kind::tuple) || type.is(Kind::record);
  int deepest = 0;
  for (const auto& item : type.items) deepest = std::max(deepest, depth_of(item));
  return holds ? deepest + 1 : 0;
}

bool is_block(const Node& node) {
  return node.is(Ast::For) || node.is(Ast::While) || node.is(Ast::If) || node.is(Ast::With) ||
         node.is(Ast::Try);
}

/// Returns the places that a node itself changes: `values` for `values[0] = 1` and `values.append(1)`.
std::vector<Node> places_changed(const Node& node) {
  std::vector<Node> places;
  for (const auto& target : node.is(Ast::Delete) ? node.targets() : targets_of(node)) {
    if (target.is(Ast::Subscript)) places.push_back(target.value());
    if (node.is(Ast::AugAssign)) places.push_back(target);
  }
  if (changes_receiver(called_method(node))) places.push_back(node.func().value());
  if (called_method(node) == "shuffle" && !node.args().empty()) places.push_back(node.args()[0]);
  return places;
}

/// Returns `values` for a name and `counter.items` for an attribute; empty for other places.
std::string written(const Node& place) {
  if (place.is(Ast::Name)) return std::string(place.id());
  const bool attribute = place.is(Ast::Attribute) && place.value().is(Ast::Name);
  return attribute ? fmt::format("{}.{}", place.value().id(), place.attr()) : "";
}

}  // namespace

/// Returns the type of a name, or of an attribute as `counter.items`; None if it is not known.
Type Cells::type_held(const std::string& name) {
  const auto dot = name.find('.');
  const auto* variable = b.notebook.scope.own(name.substr(0, dot));
  if (variable == nullptr || !variable->missing.empty()) return Kind::none;
  if (dot == name.npos) return variable->type;
  const auto* made = b.class_of(variable->type);
  if (made == nullptr) return Kind::none;
  const auto member = made->members.find(name.substr(dot + 1));
  return member == made->members.end() ? Kind::none : member->second;
}

/// Whether a call of a function or method of the notebook changes the list or dict of a name.
bool Cells::call_changes(const Node& call, const std::string& name) {
  const auto called = call.func();
  const auto of = called.is(Ast::Attribute) ? called.value() : called;
  const auto* variable = of.is(Ast::Name) ? b.notebook.scope.find(of.id()) : nullptr;
  if (variable == nullptr) return false;
  if (variable->type.is(Kind::function)) {
    const auto& parameters = b.function_named(variable->type.name()).parameters;
    const auto given = call.args();
    for (std::size_t i = 0; i < std::min(given.size(), parameters.size()); ++i) {
      if (parameters[i].changes && written(given[i]) == name) return true;
    }
  }
  const auto* made = called.is(Ast::Attribute) ? b.class_of(variable->type) : nullptr;
  if (made == nullptr || !made->methods.contains(called.attr())) return false;
  const auto head = fmt::format("{}.", of.id());
  const auto& writes = made->methods.find(called.attr())->second.effects.writes;
  return name.starts_with(head) && writes.contains({cpp::Place::contents, name.substr(head.size() - 1)});
}

/// Whether a node changes a list or dict that a name shares.
bool Cells::changes_list(const Node& node, const Shared& of) {
  if (of.whole && node.is(Ast::Call) && call_changes(node, of.name)) return true;
  const auto places = places_changed(node);
  return std::any_of(places.begin(), places.end(), [&](Node place) {
    const bool deep = place.is(Ast::Subscript);
    while (place.is(Ast::Subscript)) place = place.value();
    return (deep ? of.parts || of.whole : of.whole) && written(place) == of.name;
  });
}

/// Whether a cell changes the shared value of two names after a statement that mentions both, or that
/// assigned one of them.
bool Cells::changes_shared(const std::vector<Node>& statements, const Shared& one, const Shared& other) {
  const auto root = [](const Shared& of) { return of.name.substr(0, of.name.find('.')); };
  const auto holds = [&](const Names& names, bool each) {
    const bool first = names.contains(root(one));
    return each ? first && names.contains(root(other)) : first || names.contains(root(other));
  };
  std::optional<std::size_t> both;
  std::optional<std::size_t> bound;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const bool first = !both && holds(names_in(statements[i]), true);
    if (first && holds(changed_names({statements[i]}), false)) both = i;
    if (holds(assigned_names({statements[i]}), false)) bound = i;
  }
  const auto begun = both ? both : bound;
  for (std::size_t i = begun.value_or(0); i < statements.size(); ++i) {
    if (begun == i && !is_block(statements[i])) continue;
    const bool changes = statements[i].any(
        [&](const Node& node) { return changes_list(node, one) || changes_list(node, other); });
    if (changes) return true;
  }
  return false;
}

void Cells::refuse_changes_of_two(const PythonCell& cell) {
  const auto statements = statements_of(cell);
  for (const auto& [name, value] : cell.carried) {
    const auto type = type_held(name);
    const int depth = depth_of(type);
    const auto changes = [&, &name = name](const std::string& other, bool same) {
      const auto other_type = type_held(other);
      const int other_depth = depth_of(other_type);
      const auto shared = [same](const std::string& of, const Type& held, int deep, int with) {
        const bool container = held.is(Kind::list) || held.is(Kind::dict);
        return Shared{.name = of, .whole = container && (same || deep < with), .parts = deep > 1};
      };
      return depth > 0 && other_depth > 0 &&
             changes_shared(statements, shared(name, type, depth, other_depth),
                            shared(other, other_type, other_depth, depth));
    };
    for (const auto& other : value.same) {
      if (changes(other, true))
        refuse("{0} and {1} are one {2}, which it changes; {2}({0}) copies it", name, other,
               type.is(Kind::list) ? "list" : "dict");
    }
    for (const auto& other : value.parts) {
      if (changes(other, false)) refuse("{} and {} have a list in common, which it changes", name, other);
    }
  }
}

void Cells::refuse_large_ints(const PythonCell& cell) {
  for (const auto& [name, value] : cell.carried) {
    if (value.why == "an int is too large for C++") refuse("{} holds an int of more than 64 bits", name);
  }
}

}  // namespace torchbook::translate
