#include <tools/import/translate/rows/layers.h>
#include <tools/import/translate/syntax/names.h>

#include <algorithm>
#include <initializer_list>

namespace torchbook::translate {
namespace {

/// Methods that change the object that they are called on, besides those whose names end with `_`.
const Names changing_methods = {
    "append",  "appendleft", "backward", "clear", "eval", "extend", "insert", "load_state_dict", "pop",
    "popleft", "remove",     "reverse",  "sort",  "step", "train",  "update", "zero_grad"};

/// Adds the names that an assignment's target assigns.
void add_targets(const Node& target, Names& names) {
  if (target.is(Ast::Name)) {
    names.emplace(target.id());
  } else if (target.is(Ast::Tuple) || target.is(Ast::List)) {
    for (const auto& item : target.elts()) add_targets(item, names);
  } else if (target.is(Ast::Starred)) {
    add_targets(target.value(), names);
  }
}

/// Returns the names that a node itself assigns, without its children.
Names assigned_by(const Node& node) {
  Names names;
  for (const auto& target : targets_of(node)) add_targets(target, names);
  if (node.is(Ast::AnnAssign) || node.is(Ast::For) || node.is(Ast::NamedExpr)) {
    add_targets(node.target(), names);
  } else if (node.is(Ast::FunctionDef) || node.is(Ast::ClassDef)) {
    names.emplace(node.name());
  } else if (node.is(Ast::withitem) && node.has_optional_vars()) {
    add_targets(node.optional_vars(), names);
  }
  return names;
}

/// Whether a node calls a function that changes its first argument: `F.relu(x, inplace=True)`,
/// `torch.relu_(x)`.
bool changes_first_argument(const Node& node) {
  if (!node.is(Ast::Call)) return false;
  const auto function = node.func();
  if (function.is(Ast::Attribute) && function.value().is_name("torch") && function.attr().ends_with('_'))
    return true;
  const auto keywords = node.keywords();
  return std::any_of(keywords.begin(), keywords.end(),
                     [](const Node& each) { return each.has_arg() && each.arg() == "inplace"; });
}

/// Returns the names that are written by an assignment to an element, a `del` of one, or a call in place or
/// with `out=`. LibTorch requires that these tensors are not const.
Names written_through(const Node& node) {
  Names names;
  const auto given = changes_first_argument(node) ? node.args() : std::vector<Node>{};
  if (!given.empty() && given[0].is(Ast::Name)) names.emplace(given[0].id());
  const bool out = node.is(Ast::keyword) && node.has_arg() && node.arg() == "out";
  if (out && node.value().is(Ast::Name)) names.emplace(node.value().id());
  for (const auto& target : node.is(Ast::Delete) ? node.targets() : targets_of(node)) {
    if (target.is(Ast::Subscript)) names.merge(names_in(target.value()));
  }
  return names;
}

/// Returns the names of values whose attributes a statement assigns.
Names with_changed_attributes(const Node& node) {
  Names names;
  for (const auto& target : targets_of(node)) {
    if (!target.is(Ast::Attribute)) continue;
    auto of = target.value();
    while (of.is(Ast::Attribute)) of = of.value();
    if (of.is(Ast::Name)) names.emplace(of.id());
  }
  return names;
}

/// Returns the names of the objects that a node itself changes in place.
Names changed_in_place(const Node& node) {
  Names names = with_changed_attributes(node);
  names.merge(written_through(node));
  if (node.is(Ast::AugAssign)) add_targets(node.target(), names);
  const auto method = called_method(node);
  if (!method.ends_with('_') && !changing_methods.contains(method)) return names;
  auto of = node.func().value();
  while (of.is(Ast::Subscript)) of = of.value();
  if (of.is(Ast::Name)) names.emplace(of.id());
  return names;
}

bool has_names_of_its_own(const Node& node) {
  return node.is(Ast::FunctionDef) || node.is(Ast::ClassDef) || node.is(Ast::Lambda);
}

/// The surroundings of a piece of Python.
enum class Inside { nothing, function, new_class };

struct Place {
  Inside inside = Inside::nothing;
  Names own{};                ///< names of the functions and comprehensions around it
  Names globals{};            ///< names that the function around it declares global
  std::size_t cell = 0;       ///< as in Use
  std::vector<int> path{};    ///< as in Use
  int outermost = 0;          ///< as in Use
  bool divides = false;       ///< as in Use
  std::vector<int> blocks{};  ///< as in Use
};

/// Returns the names that statements of a function declare as those of others.
Names declared_names(const Node& function, std::initializer_list<Ast> kinds) {
  Names names;
  for (const auto& statement : function.is(Ast::FunctionDef) ? function.body() : std::vector<Node>{}) {
    statement.walk([&](const Node& each) {
      if (std::any_of(kinds.begin(), kinds.end(), [&](Ast kind) { return each.is(kind); })) {
        for (auto& name : each.texts("names")) names.insert(std::move(name));
      }
      return !has_names_of_its_own(each);
    });
  }
  return names;
}

/// Returns the local names of a function: its parameters and the names that it assigns.
Names own_names(const Node& node) {
  if (node.is(Ast::ClassDef)) return {};
  Names names;
  const auto given = node.parameters();
  for (const auto& list : {given.posonlyargs(), given.args(), given.kwonlyargs()}) {
    for (const auto& parameter : list) names.emplace(parameter.arg());
  }
  if (given.has_vararg()) names.emplace(given.vararg().arg());
  if (given.has_kwarg()) names.emplace(given.kwarg().arg());
  if (node.is(Ast::FunctionDef)) names.merge(assigned_names(node.body()));
  for (const auto& name : declared_names(node, {Ast::Global, Ast::Nonlocal})) names.erase(name);
  return names;
}

void add_use(const Node& node, int line, const Place& place, Uses& uses) {
  const auto inside = place.inside;
  const bool changes = node.is(Ast::AugAssign) && node.target().is(Ast::Name);
  const bool reads = changes || (node.is(Ast::Name) && node.ctx().is(Ast::Load));
  if (is_of_self(node)) uses.members.emplace(node.attr());
  if (node.is(Ast::Attribute) && node.value().is_name("random") && node.attr() != "seed")
    uses.draws_in_python = true;
  if (node.is(Ast::Attribute) && node.attr() != "seed" && node.value().is(Ast::Attribute) &&
      node.value().attr() == "random")
    uses.draws_in_numpy = true;
  if (node.is(Ast::FunctionDef) && inside == Inside::new_class) uses.members.emplace(node.name());
  if (inside != Inside::nothing && !reads) return;  // a name of its own
  if (node.is(Ast::FunctionDef) || node.is(Ast::ClassDef))
    uses.lines[std::string(node.name())].push_back({.cell = place.cell,
                                                    .line = line + node.line(),
                                                    .above = line,
                                                    .assigns = true,
                                                    .path = place.path,
                                                    .blocks = place.blocks});
  const auto add = [&](const std::string& name) {
    if (place.own.contains(name)) return;
    const auto& at = changes ? node.target() : node;
    uses.lines[name].push_back({.cell = place.cell,
                                .line = line + at.line(),
                                .above = line,
                                .column = at.column(),
                                .reads = reads,
                                .assigns = changes || !reads,
                                .divides = place.divides,
                                .path = place.path,
                                .outermost = place.outermost,
                                .blocks = place.blocks});
    if (inside != Inside::nothing) uses.read_by_functions.insert(name);
    if (inside == Inside::new_class) uses.read_by_classes.insert(name);
  };
  if (changes) {
    add(std::string(node.target().id()));
  } else if (node.is(Ast::Name)) {
    add(std::string(node.id()));
  }
}

/// A part of a node. Parts with the same block number, except 0, run together or not at all.
struct Part {
  Node node;
  int block = 0;
};

void add_parts(const std::vector<Node>& nodes, int block, std::vector<Part>& parts) {
  for (const auto& each : nodes) parts.push_back({each, block});
}

/// Returns the fields of a node in the order in which Python evaluates them.
std::vector<Part> in_order(const Node& node) {
  std::vector<Part> parts;
  if (node.is(Ast::Assign) || node.is(Ast::AnnAssign)) {
    if (node.has_value()) parts.push_back({node.value()});
    add_parts(node.is(Ast::Assign) ? node.targets() : std::vector{node.target()}, 0, parts);
  } else if (node.is(Ast::For) || node.is(Ast::If) || node.is(Ast::While)) {
    parts.push_back({node.is(Ast::For) ? node.iter() : node.test()});
    if (node.is(Ast::For)) parts.push_back({node.target(), 1});
    add_parts(node.body(), 1, parts);
    add_parts(node.orelse(), 2, parts);
  } else if (node.is(Ast::Try)) {
    add_parts(node.body(), 1, parts);
    int block = 2;
    for (const auto& each : node.handlers()) parts.push_back({each, block++});
    add_parts(node.orelse(), 1, parts);
    add_parts(node.finalbody(), 0, parts);
  } else {
    add_parts(node.children(), 0, parts);
  }
  return parts;
}

/// Adds the attributes that a statement assigns to objects other than self.
void add_assigned_attributes(const Node& node, Uses& uses) {
  for (const auto& target : targets_of(node)) {
    if (target.is(Ast::Attribute) && !is_of_self(target)) uses.assigned_attributes.emplace(target.attr());
  }
}

void add_uses_below(const Node& node, int line, const Place& place, Uses& uses) {
  add_assigned_attributes(node, uses);
  for (const auto& name : assigned_by(node)) {
    const bool global = place.globals.contains(name);
    if (global) uses.assigned_by_functions.insert(name);
    if (place.inside != Inside::nothing && !global) continue;
    ++uses.assignments[name];
    if (!node.is(Ast::AugAssign)) ++uses.bindings[name];
  }
  if (place.inside == Inside::nothing) {
    for (const auto& name : written_through(node)) ++uses.assignments[name];
  }
  uses.changed.merge(changed_in_place(node));
  add_use(node, line, place, uses);
  auto below = place;
  if (node.is(Ast::ClassDef)) {
    below.inside = Inside::new_class;
  } else if (place.inside == Inside::nothing && has_names_of_its_own(node)) {
    below.inside = Inside::function;
  }
  if (has_names_of_its_own(node)) {
    below.own.merge(own_names(node));
    below.globals = declared_names(node, {Ast::Global});
    for (const auto& name : below.globals) below.own.erase(name);
  }
  if (node.is(Ast::ListComp) || node.is(Ast::GeneratorExp) || node.is(Ast::DictComp) ||
      node.is(Ast::SetComp)) {
    for (const auto& generator : node.generators()) add_targets(generator.target(), below.own);
  }
  below.divides = node.is(Ast::BinOp) && node.op().is(Ast::Div);
  const int first = uses.blocks;
  for (const auto& part : in_order(node)) {
    auto within = below;
    if (part.block > 0) within.blocks.push_back(first + part.block);
    if (part.block > 0) within.path.push_back(first + part.block);
    if (part.block == 0 && (node.is(Ast::With) || node.is(Ast::Try))) within.path.push_back(-node.line());
    if (below.path.empty() && !within.path.empty()) within.outermost = line + node.line();
    uses.blocks = std::max(uses.blocks, first + part.block);
    add_uses_below(part.node, line, within, uses);
  }
}

/// Returns the arguments of a call that may be the dimensions of a reduction: `x.mean(dim, keepdim=True)`.
std::vector<Node> reduced_dims(const Node& node, const Names& methods) {
  static const std::set<std::string_view> reductions = {"amax", "amin", "mean", "std", "sum", "var"};
  const auto method = called_method(node);
  if (!reductions.contains(method) || methods.contains(method)) return {};
  std::vector<Node> dims;
  const auto given = node.args();
  if (!given.empty()) dims.push_back(given[0]);
  for (const auto& each : node.keywords()) {
    if (each.has_arg() && each.arg() == "dim") dims.push_back(each.value());
  }
  return dims;
}

bool is_definition(const Node& node) { return node.is(Ast::FunctionDef) || node.is(Ast::ClassDef); }

/// Whether evaluating a definition has no visible effect: it calls nothing for a default value, a base or an
/// attribute of a class.
bool is_calm_definition(const Node& node) {
  if (!is_definition(node)) return false;
  const auto calls = [](const Node& part) {
    return part.any([](const Node& each) { return each.is(Ast::Call); });
  };
  if (node.is(Ast::FunctionDef)) return !calls(node.parameters());
  const auto bases = node.bases();
  const auto body = node.body();
  return node.decorator_list().empty() && std::none_of(bases.begin(), bases.end(), calls) &&
         std::all_of(body.begin(), body.end(), [](const Node& each) {
           const bool docstring = each.is(Ast::Expr) && each.value().is(Ast::Constant);
           return docstring || each.is(Ast::Pass) || (each.is(Ast::FunctionDef) && is_calm_definition(each));
         });
}

/// Returns the names that a definition reads at once: those in default values and bases.
Names read_in_place(const Node& definition) {
  if (definition.is(Ast::FunctionDef)) return names_in(definition.parameters());
  Names names;
  for (const auto& base : definition.bases()) names.merge(names_in(base));
  for (const auto& each : definition.body()) {
    if (each.is(Ast::FunctionDef)) names.merge(read_in_place(each));
  }
  return names;
}

/// Definitions that move down, in the order in which they are written.
class Waiting {
 public:
  Waiting(std::function<Names(const Node&)> used, std::vector<Node>& ordered)
      : used_(std::move(used)), ordered_(ordered) {}

  Names names() const {
    Names names;
    for (const auto& each : definitions_) names.emplace(each.name());
    return names;
  }
  void add(const Node& definition) { definitions_.push_back(definition); }
  /// Places the definitions that read no name for which `below` is true, directly or through other
  /// definitions.
  void place_without(const std::function<bool(const std::string&)>& below) {
    Names held;
    const auto waits = [&](const Node& each) {
      const auto names = used_(each);
      return std::any_of(names.begin(), names.end(),
                         [&](const auto& name) { return below(name) || held.contains(name); });
    };
    std::size_t before = 0;
    do {
      before = held.size();
      for (const auto& each : definitions_) {
        if (waits(each)) held.emplace(each.name());
      }
    } while (held.size() != before);
    const auto ready = std::stable_partition(definitions_.begin(), definitions_.end(), waits);
    place({ready, definitions_.end()});
    definitions_.erase(ready, definitions_.end());
  }
  void place_all() {
    place(definitions_);
    definitions_.clear();
  }

 private:
  void place(const std::vector<Node>& definitions) {
    for (const auto& each : in_order_of_use(definitions, used_)) ordered_.push_back(each);
  }

  std::function<Names(const Node&)> used_;
  std::vector<Node>& ordered_;
  std::vector<Node> definitions_{};
};

}  // namespace

bool intersect(const Names& names, const Names& others) {
  return std::any_of(names.begin(), names.end(), [&](const auto& name) { return others.contains(name); });
}

Names dims_in(const std::vector<Node>& statements, const Names& methods) {
  std::map<std::string, int, std::less<>> others;  // how often a name occurs otherwise
  Names ints;
  Names tuples;
  const auto visit = [&](const Node& node) {
    if (node.is(Ast::Name)) ++others[std::string(node.id())];
    for (const auto& each : reduced_dims(node, methods)) {
      if (each.is(Ast::Name)) --others[std::string(each.id())];
    }
    if (!node.is(Ast::Assign) || node.targets().size() != 1 || !node.targets()[0].is(Ast::Name)) return;
    const auto value = node.value();
    const auto parts = value.is(Ast::Tuple) ? value.elts() : std::vector{value};
    if (parts.empty() || !std::all_of(parts.begin(), parts.end(), is_written_number)) return;
    const auto name = std::string(node.targets()[0].id());
    --others[name];
    (value.is(Ast::Tuple) ? tuples : ints).insert(name);
  };
  for (const auto& statement : statements) statement.walk(visit);
  std::erase_if(ints, [&](const auto& name) { return !tuples.contains(name) || others[name] != 0; });
  return ints;
}

void add_uses(const Node& node, int line, Uses& uses, std::size_t cell) {
  add_uses_below(node, line, {.cell = cell}, uses);
  uses.has_lazy_layers = uses.has_lazy_layers || names_lazy_layer(node);
}

Names free_names(const Node& node) {
  if (node.is(Ast::Name)) return {std::string(node.id())};
  Names names;
  for (const auto& child : node.children()) names.merge(free_names(child));
  if (!node.is(Ast::FunctionDef) && !node.is(Ast::Lambda)) return names;
  for (const auto& name : own_names(node)) names.erase(name);
  return names;
}

Names names_in(const Node& node) {
  Names names;
  node.walk([&](const Node& each) {
    if (each.is(Ast::Name)) names.emplace(each.id());
  });
  return names;
}

std::vector<Node> targets_of(const Node& node) {
  if (node.is(Ast::Assign)) return node.targets();
  return node.is(Ast::AugAssign) ? std::vector{node.target()} : std::vector<Node>{};
}

Names assigned_to(const Node& target) {
  Names names;
  add_targets(target, names);
  return names;
}

bool changes_receiver(std::string_view method) { return changing_methods.contains(method); }

bool changes_self(const Node& method) {
  const auto is_within_self = [](Node node) {
    while (node.is(Ast::Subscript)) node = node.value();
    return is_of_self(node);
  };
  return method.any([&](const Node& node) {
    auto changed = targets_of(node);
    if (node.is(Ast::AnnAssign)) changed = {node.target()};
    if (node.is(Ast::Delete)) changed = node.targets();
    if (changing_methods.contains(called_method(node))) changed = {node.func().value()};
    return std::any_of(changed.begin(), changed.end(), [&](const Node& each) {
      const auto parts = each.is(Ast::Tuple) ? each.elts() : std::vector{each};
      return std::any_of(parts.begin(), parts.end(), is_within_self);
    });
  });
}

void sort_lines(Uses& uses) {
  for (auto& [name, lines] : uses.lines) {
    std::stable_sort(lines.begin(), lines.end(),
                     [](const auto& a, const auto& b) { return a.line < b.line; });
  }
}

bool is_read_after(const Uses& uses, std::string_view name, int line, int last) {
  const auto found = uses.lines.find(name);
  if (found == uses.lines.end()) return false;
  const auto& lines = found->second;
  const auto next =
      std::partition_point(lines.begin(), lines.end(), [&](const auto& use) { return use.line <= line; });
  std::vector<const Use*> assignments;
  const auto is_around = [](const std::vector<int>& blocks, const std::vector<int>& inner) {
    return blocks.size() <= inner.size() && std::equal(blocks.begin(), blocks.end(), inner.begin());
  };
  for (auto use = next; use != lines.end() && use->line <= last; ++use) {
    const bool renewed = std::any_of(assignments.begin(), assignments.end(),
                                     [&](const auto* each) { return is_around(each->blocks, use->blocks); });
    if (use->reads && !renewed) return true;
    if (!use->reads && use->blocks.empty()) return false;
    if (!use->reads && !renewed) assignments.push_back(&*use);
  }
  return false;
}

bool is_read_between(const Uses& uses, std::string_view name, int first, int last) {
  const auto found = uses.lines.find(name);
  return found != uses.lines.end() &&
         std::any_of(found->second.begin(), found->second.end(),
                     [&](const auto& use) { return use.reads && use.line > first && use.line < last; });
}

bool is_read(const Uses& uses, std::string_view name) {
  const auto found = uses.lines.find(name);
  return found != uses.lines.end() &&
         std::any_of(found->second.begin(), found->second.end(), [](const auto& use) { return use.reads; });
}

Names assigned_names(const std::vector<Node>& statements) {
  Names names;
  for (const auto& statement : statements) {
    statement.walk([&](const Node& node) {
      names.merge(assigned_by(node));
      return !has_names_of_its_own(node);
    });
  }
  return names;
}

Names changed_names(const std::vector<Node>& statements) {
  auto names = assigned_names(statements);
  for (const auto& statement : statements) {
    statement.walk([&](const Node& node) {
      names.merge(changed_in_place(node));
      return !has_names_of_its_own(node);
    });
  }
  return names;
}

std::vector<Node> in_order_of_use(const std::vector<Node>& definitions,
                                  const std::function<Names(const Node&)>& used) {
  std::map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < definitions.size(); ++i) places[definitions[i].name()] = i;
  std::vector<Node> ordered;
  std::vector<bool> added(definitions.size());
  const std::function<void(std::size_t)> add = [&](std::size_t place) {
    if (added[place]) return;
    added[place] = true;
    std::set<std::size_t> first;
    for (const auto& name : used(definitions[place])) {
      const auto found = places.find(name);
      if (found != places.end()) first.insert(found->second);
    }
    for (const auto each : first) add(each);
    ordered.push_back(definitions[place]);
  };
  for (std::size_t i = 0; i < definitions.size(); ++i) add(i);
  return ordered;
}

/// Returns, for each name that `names_of` finds, the place of the last statement in which it finds it.
static std::map<std::string, std::size_t> last_places(const std::vector<Node>& statements,
                                                      Names (*names_of)(const std::vector<Node>&)) {
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    for (const auto& name : names_of({statements[i]})) places[name] = i;
  }
  return places;
}

std::vector<Node> after_what_they_read(const std::vector<Node>& statements,
                                       const std::function<Names(const Node&)>& used,
                                       const std::function<bool(const std::string&)>& is_new) {
  const auto last_assigned = last_places(statements, assigned_names);
  const auto last_changed = last_places(statements, changed_names);
  std::vector<Node> ordered;
  Waiting waiting(used, ordered);
  Names assigned;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const auto& each = statements[i];
    const auto own = assigned_names({each});
    assigned.insert(own.begin(), own.end());
    const auto is_later = [i](const auto& last, const std::string& name) {
      const auto found = last.find(name);
      return found != last.end() && found->second > i;
    };
    const auto below = [&](const std::string& name) {
      return is_later(last_assigned, name) && !assigned.contains(name) && is_new(name);
    };
    const auto any = [](const Names& names, const auto& holds) {
      return std::any_of(names.begin(), names.end(), holds);
    };
    if (intersect(own, waiting.names())) waiting.place_all();
    const bool calm = is_calm_definition(each) && !any(read_in_place(each), [&](const auto& name) {
                        return is_later(last_changed, name);
                      });
    if (calm && (any(used(each), below) || intersect(used(each), waiting.names()))) {
      waiting.add(each);
      continue;
    }
    if (intersect(names_in(each), waiting.names())) waiting.place_all();
    ordered.push_back(each);
    waiting.place_without(below);
  }
  waiting.place_all();
  return ordered;
}

}  // namespace torchbook::translate
