// Reads the assignments and the names of Python's tree.
#include <tools/import/translate/names.h>
#include <tools/import/translate/tables/layers.h>

#include <algorithm>
#include <optional>

namespace torchbook::translate {
namespace {

/// Methods that change the object that they are called on, besides those whose names end with `_`.
const Names changing_methods = {"append",          "backward", "clear",    "eval",    "extend", "insert",
                                "load_state_dict", "pop",      "remove",   "reverse", "sort",   "step",
                                "train",           "update",   "zero_grad"};

/// Adds the names that an assignment's target assigns.
void add_targets(const Node& target, Names& names) {
  if (target.is("Name")) {
    names.emplace(target.text("id"));
  } else if (target.is("Tuple") || target.is("List")) {
    for (const auto& item : target.list("elts")) add_targets(item, names);
  } else if (target.is("Starred")) {
    add_targets(target.child("value"), names);
  }
}

/// Returns the names that a node itself assigns, without what is below it.
Names assigned_by(const Node& node) {
  Names names;
  for (const auto& target : targets_of(node)) add_targets(target, names);
  if (node.is("AnnAssign") || node.is("For") || node.is("NamedExpr")) {
    add_targets(node.child("target"), names);
  } else if (node.is("FunctionDef") || node.is("ClassDef")) {
    names.emplace(node.text("name"));
  } else if (node.is("withitem") && node.has("optional_vars")) {
    add_targets(node.child("optional_vars"), names);
  }
  return names;
}

/// Whether a node calls a function that changes its first argument: `F.relu(x, inplace=True)`,
/// `torch.relu_(x)`.
bool changes_first_argument(const Node& node) {
  if (!node.is("Call")) return false;
  const auto function = node.child("func");
  if (function.is("Attribute") && function.child("value").is_name("torch") &&
      function.text("attr").ends_with('_'))
    return true;
  const auto keywords = node.list("keywords");
  return std::any_of(keywords.begin(), keywords.end(),
                     [](const Node& each) { return each.has("arg") && each.text("arg") == "inplace"; });
}

/// Returns the names of what an assignment to an element, a `del` of one, or a call in place or with `out=`
/// writes to. LibTorch requires tensors not to be const there.
Names written_through(const Node& node) {
  Names names;
  const auto given = changes_first_argument(node) ? node.list("args") : std::vector<Node>{};
  if (!given.empty() && given[0].is("Name")) names.emplace(given[0].text("id"));
  const bool out = node.is("keyword") && node.has("arg") && node.text("arg") == "out";
  if (out && node.child("value").is("Name")) names.emplace(node.child("value").text("id"));
  for (const auto& target : node.is("Delete") ? node.list("targets") : targets_of(node)) {
    if (target.is("Subscript")) names.merge(names_in(target.child("value")));
  }
  return names;
}

/// Returns the names of values whose attributes a statement assigns.
Names with_changed_attributes(const Node& node) {
  Names names;
  for (const auto& target : targets_of(node)) {
    if (!target.is("Attribute")) continue;
    auto of = target.child("value");
    while (of.is("Attribute")) of = of.child("value");
    if (of.is("Name")) names.emplace(of.text("id"));
  }
  return names;
}

/// Returns the names of the objects that a node itself changes in place.
Names changed_in_place(const Node& node) {
  Names names = with_changed_attributes(node);
  names.merge(written_through(node));
  if (node.is("AugAssign")) add_targets(node.child("target"), names);
  const auto method = called_method(node);
  if (!method.ends_with('_') && !changing_methods.contains(method)) return names;
  auto of = node.child("func").child("value");
  while (of.is("Subscript")) of = of.child("value");
  if (of.is("Name")) names.emplace(of.text("id"));
  return names;
}

bool has_names_of_its_own(const Node& node) {
  return node.is("FunctionDef") || node.is("ClassDef") || node.is("Lambda");
}

/// What surrounds a piece of Python.
enum class Inside { nothing, function, new_class };

struct Place {
  Inside inside = Inside::nothing;
  Names own{};                ///< names of the functions and comprehensions around it
  std::vector<int> blocks{};  ///< as in Use
};

/// Returns the local names of a function: its parameters and the names that it assigns.
Names own_names(const Node& node) {
  if (node.is("ClassDef")) return {};
  Names names;
  const auto given = node.child("args");
  for (const auto* list : {"posonlyargs", "args", "kwonlyargs"}) {
    for (const auto& parameter : given.list(list)) names.emplace(parameter.text("arg"));
  }
  for (const auto* rest : {"vararg", "kwarg"}) {
    if (given.has(rest)) names.emplace(given.child(rest).text("arg"));
  }
  if (node.is("FunctionDef")) names.merge(assigned_names(node.list("body")));
  return names;
}

void add_use(const Node& node, int line, const Place& place, Uses& uses) {
  const auto inside = place.inside;
  const bool changes = node.is("AugAssign") && node.child("target").is("Name");
  const bool reads = changes || (node.is("Name") && node.child("ctx").is("Load"));
  if (is_of_self(node)) uses.members.emplace(node.text("attr"));
  if (node.is("Attribute") && node.child("value").is_name("random") && node.text("attr") != "seed")
    uses.draws_in_python = true;
  if (node.is("Attribute") && node.text("attr") != "seed" && node.child("value").is("Attribute") &&
      node.child("value").text("attr") == "random")
    uses.draws_in_numpy = true;
  if (node.is("FunctionDef") && inside == Inside::new_class) uses.members.emplace(node.text("name"));
  if (inside != Inside::nothing && !reads) return;  // a name of its own
  if (node.is("FunctionDef") || node.is("ClassDef"))
    uses.lines[std::string(node.text("name"))].push_back({line + node.line(), false, place.blocks});
  const auto add = [&](const std::string& name) {
    if (place.own.contains(name)) return;
    uses.lines[name].push_back({line + node.line(), reads, place.blocks});
    if (inside != Inside::nothing) uses.read_by_functions.insert(name);
    if (inside == Inside::new_class) uses.read_by_classes.insert(name);
  };
  if (changes) {
    add(std::string(node.child("target").text("id")));
  } else if (node.is("Name")) {
    add(std::string(node.text("id")));
  }
}

/// A part of a node. Parts of the same block other than 0 run together, or not at all.
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
  if (node.is("Assign") || node.is("AnnAssign")) {
    if (node.has("value")) parts.push_back({node.child("value")});
    add_parts(node.is("Assign") ? node.list("targets") : std::vector{node.child("target")}, 0, parts);
  } else if (node.is("For") || node.is("If") || node.is("While")) {
    parts.push_back({node.child(node.is("For") ? "iter" : "test")});
    if (node.is("For")) parts.push_back({node.child("target"), 1});
    add_parts(node.list("body"), 1, parts);
    add_parts(node.list("orelse"), 2, parts);
  } else if (node.is("Try")) {
    add_parts(node.list("body"), 1, parts);
    int block = 2;
    for (const auto& each : node.list("handlers")) parts.push_back({each, block++});
    add_parts(node.list("orelse"), 1, parts);
    add_parts(node.list("finalbody"), 0, parts);
  } else {
    add_parts(node.children(), 0, parts);
  }
  return parts;
}

/// Adds the attributes that a statement assigns to objects other than self.
void add_assigned_attributes(const Node& node, Uses& uses) {
  for (const auto& target : targets_of(node)) {
    if (target.is("Attribute") && !is_of_self(target)) uses.assigned_attributes.emplace(target.text("attr"));
  }
}

void add_uses_below(const Node& node, int line, const Place& place, Uses& uses) {
  add_assigned_attributes(node, uses);
  if (place.inside == Inside::nothing) {
    for (const auto& name : assigned_by(node)) {
      ++uses.assignments[name];
      if (!node.is("AugAssign")) ++uses.bindings[name];
    }
    for (const auto& name : written_through(node)) ++uses.assignments[name];
  }
  uses.changed.merge(changed_in_place(node));
  add_use(node, line, place, uses);
  auto below = place;
  if (node.is("ClassDef")) {
    below.inside = Inside::new_class;
  } else if (place.inside == Inside::nothing && has_names_of_its_own(node)) {
    below.inside = Inside::function;
  }
  if (has_names_of_its_own(node)) below.own.merge(own_names(node));
  if (node.is("ListComp") || node.is("GeneratorExp") || node.is("DictComp") || node.is("SetComp")) {
    for (const auto& generator : node.list("generators")) add_targets(generator.child("target"), below.own);
  }
  const int first = uses.blocks;
  for (const auto& part : in_order(node)) {
    auto within = below;
    if (part.block > 0) within.blocks.push_back(first + part.block);
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
  const auto given = node.list("args");
  if (!given.empty()) dims.push_back(given[0]);
  for (const auto& each : node.list("keywords")) {
    if (each.has("arg") && each.text("arg") == "dim") dims.push_back(each.child("value"));
  }
  return dims;
}

bool is_definition(const Node& node) { return node.is("FunctionDef") || node.is("ClassDef"); }

/// Whether nothing shows when a definition is evaluated: it calls nothing for a default value, a base or an
/// attribute of a class.
bool is_calm_definition(const Node& node) {
  if (!is_definition(node)) return false;
  const auto calls = [](const Node& part) {
    return part.any([](const Node& each) { return each.is("Call"); });
  };
  if (node.is("FunctionDef")) return !calls(node.child("args"));
  const auto bases = node.list("bases");
  const auto body = node.list("body");
  return node.list("decorator_list").empty() && std::none_of(bases.begin(), bases.end(), calls) &&
         std::all_of(body.begin(), body.end(), [](const Node& each) {
           const bool docstring = each.is("Expr") && each.child("value").is("Constant");
           return docstring || each.is("Pass") || (each.is("FunctionDef") && is_calm_definition(each));
         });
}

/// Returns the names whose values a definition reads where it stands: those in default values and bases.
Names read_in_place(const Node& definition) {
  if (definition.is("FunctionDef")) return names_in(definition.child("args"));
  Names names;
  for (const auto& base : definition.list("bases")) names.merge(names_in(base));
  for (const auto& each : definition.list("body")) {
    if (each.is("FunctionDef")) names.merge(read_in_place(each));
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
    for (const auto& each : definitions_) names.emplace(each.text("name"));
    return names;
  }
  void add(const Node& definition) { definitions_.push_back(definition); }
  /// Places the definitions that read no name for which `below` is true, and no definition that waits for
  /// one.
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
        if (waits(each)) held.emplace(each.text("name"));
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

bool meet(const Names& names, const Names& others) {
  return std::any_of(names.begin(), names.end(), [&](const auto& name) { return others.contains(name); });
}

Names dims_in(const std::vector<Node>& statements, const Names& methods) {
  std::map<std::string, int, std::less<>> others;  // how often a name occurs in another way
  Names ints;
  Names tuples;
  const auto visit = [&](const Node& node) {
    if (node.is("Name")) ++others[std::string(node.text("id"))];
    for (const auto& each : reduced_dims(node, methods)) {
      if (each.is("Name")) --others[std::string(each.text("id"))];
    }
    if (!node.is("Assign") || node.list("targets").size() != 1 || !node.list("targets")[0].is("Name")) return;
    const auto value = node.child("value");
    const auto parts = value.is("Tuple") ? value.list("elts") : std::vector{value};
    if (parts.empty() || !std::all_of(parts.begin(), parts.end(), is_written_number)) return;
    const auto name = std::string(node.list("targets")[0].text("id"));
    --others[name];
    (value.is("Tuple") ? tuples : ints).insert(name);
  };
  for (const auto& statement : statements) statement.walk(visit);
  std::erase_if(ints, [&](const auto& name) { return !tuples.contains(name) || others[name] != 0; });
  return ints;
}

void add_uses(const Node& node, int line, Uses& uses) {
  add_uses_below(node, line, {}, uses);
  uses.has_lazy_layers = uses.has_lazy_layers || names_lazy_layer(node);
}

Names free_names(const Node& node) {
  if (node.is("Name")) return {std::string(node.text("id"))};
  Names names;
  for (const auto& child : node.children()) names.merge(free_names(child));
  if (!node.is("FunctionDef") && !node.is("Lambda")) return names;
  Names own = own_names(node);
  node.walk([&](const Node& each) {
    if (!each.is("Global") && !each.is("Nonlocal")) return;
    for (const auto& name : each.texts("names")) own.erase(name);
  });
  for (const auto& name : own) names.erase(name);
  return names;
}

Names names_in(const Node& node) {
  Names names;
  node.walk([&](const Node& each) {
    if (each.is("Name")) names.emplace(each.text("id"));
  });
  return names;
}

std::vector<Node> targets_of(const Node& node) {
  if (node.is("Assign")) return node.list("targets");
  return node.is("AugAssign") ? std::vector{node.child("target")} : std::vector<Node>{};
}

Names assigned_to(const Node& target) {
  Names names;
  add_targets(target, names);
  return names;
}

bool changes_self(const Node& method) {
  const auto is_within_self = [](Node node) {
    while (node.is("Subscript")) node = node.child("value");
    return is_of_self(node);
  };
  return method.any([&](const Node& node) {
    auto changed = targets_of(node);
    if (node.is("AnnAssign")) changed = {node.child("target")};
    if (node.is("Delete")) changed = node.list("targets");
    if (changing_methods.contains(called_method(node))) changed = {node.child("func").child("value")};
    return std::any_of(changed.begin(), changed.end(), [&](const Node& each) {
      const auto parts = each.is("Tuple") ? each.list("elts") : std::vector{each};
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

bool is_read_behind(const Uses& uses, std::string_view name, int line, int last) {
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
  for (std::size_t i = 0; i < definitions.size(); ++i) places[definitions[i].text("name")] = i;
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
    if (meet(own, waiting.names())) waiting.place_all();
    const bool calm = is_calm_definition(each) && !any(read_in_place(each), [&](const auto& name) {
                        return is_later(last_changed, name);
                      });
    if (calm && (any(used(each), below) || meet(used(each), waiting.names()))) {
      waiting.add(each);
      continue;
    }
    if (meet(names_in(each), waiting.names())) waiting.place_all();
    ordered.push_back(each);
    waiting.place_without(below);
  }
  waiting.place_all();
  return ordered;
}

}  // namespace torchbook::translate
