// Finds the names of a notebook that may refer to the same object: through assignments, and through
// calls that return one of their arguments.
#include <absl/strings/str_split.h>
#include <tools/import/translate/aliases.h>
#include <tools/import/translate/tables/layers.h>
#include <tools/import/translate/tables/signatures.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

namespace torchbook::translate {
namespace {

using Words = std::set<std::string_view>;

/// Methods and functions whose result may be the object itself, or share its memory or its items.
/// LibTorch's own are not in the list, because their schemas say so.
const Names views = absl::StrSplit(
    "T apply as_tensor asarray buffers children copy cpu cuda data dict double enumerate eval filter "
    "float from_numpy BoolTensor DoubleTensor FloatTensor IntTensor LongTensor Tensor get getattr "
    "half int items iter keys list long mT map max min modules named_buffers named_children "
    "named_modules named_parameters next numpy parameters pop reversed set setdefault sorted "
    "state_dict train tuple type type_as zip",
    ' ');

/// Built-in functions that change their first argument, or run code given as text.
const Words changing_functions = {"next", "setattr", "delattr", "exec", "eval"};

/// Methods that store their arguments in the object that they are called on.
const Words keeping_methods = {"add",        "add_module",      "append",          "extend",
                               "insert",     "register_buffer", "register_module", "register_parameter",
                               "setdefault", "update"};

/// Modules whose functions neither keep nor change their arguments, except those in changing_paths.
const Words harmless_modules = {
    "IPython",   "PIL",      "collections", "copy",       "datetime", "functools", "gc",      "inspect",
    "itertools", "json",     "math",        "matplotlib", "numpy",    "os",        "pandas",  "pathlib",
    "platform",  "plotly",   "pprint",      "random",     "re",       "requests",  "seaborn", "string",
    "sys",       "textwrap", "time",        "timeit",     "typing",   "urllib",    "warnings"};

/// Functions of those modules, and of torch, that may change an argument.
const Names changing_paths = absl::StrSplit(
    "numpy.copyto numpy.fill_diagonal numpy.place numpy.put numpy.putmask numpy.random.shuffle "
    "random.shuffle torch.nn.functional.batch_norm torch.nn.functional.instance_norm "
    "torch.nn.utils.vector_to_parameters functools.reduce",
    ' ');

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('.') + 1); }
std::string_view first_part(std::string_view path) { return path.substr(0, path.find('.')); }

/// Whether a function or method of this name may return its argument, or something that shares its
/// memory.
bool may_share(std::string_view name) {
  static const Words others = {"dropout", "einsum", "flatten", "relu"};  // the schemas do not tell
  const auto& signatures = signatures_of(name);
  return views.contains(name) || others.contains(name) ||
         std::any_of(signatures.begin(), signatures.end(), [](const Signature& each) { return each.shares; });
}

/// Returns the names that a function declares global or nonlocal.
Names globals_of(const Node& function) {
  Names names;
  function.walk([&](const Node& node) {
    if (node.is("Global") || node.is("Nonlocal")) {
      for (const auto& name : node.texts("names")) names.insert(name);
    }
  });
  return names;
}

/// Whether a node itself changes an object: assigns to an element or attribute, changes in place,
/// or is a layer that counts its calls. A constructor's assignments to `self` are no change.
bool changes(const Node& node, bool in_constructor) {
  const auto counts = [](std::string_view word) {
    return word.find("BatchNorm") != word.npos || word.find("InstanceNorm") != word.npos ||
           (word.ends_with('_') && !word.starts_with('_'));
  };
  const auto is_changed = [&](const Node& target) {
    return target.is("Subscript") || (target.is("Attribute") && !(in_constructor && is_of_self(target)));
  };
  if (node.is("Global") || node.is("Nonlocal")) return true;
  if (node.is("Attribute")) return counts(node.text("attr"));
  if (node.is("keyword")) return node.has("arg") && node.text("arg") == "inplace";
  const auto targets = targets_of(node);
  return is_changing_method(called_method(node)) || std::any_of(targets.begin(), targets.end(), is_changed);
}

/// Whether a piece of Python contains a change.
bool has_changes(const Node& node, bool in_constructor = false) {
  in_constructor = in_constructor || is_constructor(node);
  if (changes(node, in_constructor)) return true;
  const auto parts = node.children();
  return std::any_of(parts.begin(), parts.end(),
                     [&](const Node& part) { return has_changes(part, in_constructor); });
}

/// Whether a definition may change its arguments, or the variables that it reads.
bool changes_what_it_gets(const Node& definition) {
  if (has_changes(definition)) return true;
  if (!definition.is("FunctionDef")) return false;
  const auto statements = definition.list("body");
  const auto assigned = assigned_names(statements);
  const auto changed = changed_names(statements);
  return std::any_of(changed.begin(), changed.end(),
                     [&](const auto& name) { return !assigned.contains(name) && name != "self"; });
}

/// Returns the name at the root of an attribute or element: `a` for `a.b[0]`.
std::optional<std::string> root_of(Node node) {
  while (node.is("Attribute") || node.is("Subscript") || node.is("Starred")) node = node.child("value");
  if (!node.is("Name")) return std::nullopt;
  return std::string(node.text("id"));
}

/// Returns what a call calls: `Model` for `Model()(x)`.
Node first_called(Node call) {
  while (call.is("Call")) call = call.child("func");
  return call;
}

bool is_random(std::string_view function) {
  const auto& signatures = signatures_of(function);
  return draws_by_hand(function) ||
         std::any_of(signatures.begin(), signatures.end(), [](const Signature& each) { return each.draws; });
}

/// Whether a function of a library may draw from PyTorch's generator.
bool path_may_draw(std::string_view path) {
  static const Words libraries = {"accelerate", "diffusers", "lightning", "peft", "timm", "transformers"};
  static const Words calm = {"torch.nn.Module",    "torch.nn.ModuleDict", "torch.nn.ModuleList",
                             "torch.nn.Parameter", "torch.nn.Sequential", "torch.nn.utils.clip_grad_norm_"};
  const auto module = first_part(path);
  if (module != "torch") return module.starts_with("torch") || libraries.contains(module);
  const auto name = last_part(path);
  constexpr std::string_view layers = "torch.nn.";
  const bool makes = path.starts_with(layers) && path.find('.', layers.size()) == path.npos;
  if (makes && layer_named(name) != nullptr) return layer_named(name)->draws;
  if (makes || path.starts_with("torch.nn.init.")) return !calm.contains(path);
  static const Words others = {"gumbel_softmax", "multi_head_attention_forward", "pca_lowrank",
                               "random_split",   "scaled_dot_product_attention", "set_rng_state",
                               "svd_lowrank"};
  return name.find("seed") != name.npos || others.contains(name) || is_random(name) ||
         path.starts_with("torch.distributions.");
}

}  // namespace

Names free_names(const Node& node) {
  if (node.is("Name")) return {std::string(node.text("id"))};
  Names names;
  for (const auto& child : node.children()) names.merge(free_names(child));
  if (!node.is("FunctionDef") && !node.is("Lambda")) return names;
  Names own;
  node.child("args").walk([&](const Node& each) {
    if (each.is("arg")) own.emplace(each.text("arg"));
  });
  if (node.is("FunctionDef")) own.merge(assigned_names(node.list("body")));
  for (const auto& name : globals_of(node)) own.erase(name);
  for (const auto& name : own) names.erase(name);
  return names;
}

/// Whether a call is one of a function in harmless_modules, or of a method of an object that such a
/// function made. It neither keeps nor changes its arguments.
bool Aliases::is_outside(const Node& call) const {
  const auto called = call.child("func");
  if (const auto path = known_.path_of(called))
    return harmless_modules.contains(first_part(*path)) && !changing_paths.contains(*path);
  const auto root = root_of(called);
  return root && outside_.contains(*root);
}

void Aliases::add_definitions(const Node& tree) {
  tree.walk([&](const Node& node) {
    if (node.is("FunctionDef") || node.is("ClassDef")) add_definition(std::string(node.text("name")), node);
    const bool lambda =
        node.is("Assign") && node.child("value").is("Lambda") && node.list("targets")[0].is("Name");
    if (lambda) add_definition(std::string(node.list("targets")[0].text("id")), node.child("value"));
  });
}

void Aliases::add_definition(const std::string& name, const Node& definition) {
  auto& known = definitions_[name];
  known.nodes.push_back(definition);
  known.changes = known.changes || changes_what_it_gets(definition);
  known.names.merge(free_names(definition));
  globals_.merge(globals_of(definition));
  definition.walk([&](const Node& each) {
    if (const auto called = called_name(each); !called.empty()) known.calls.emplace(called);
  });
}

/// Returns the definitions of a name, and those that their names or calls lead to.
std::vector<const Aliases::Definition*> Aliases::reached(const std::string& name,
                                                         Names Definition::*through) const {
  std::vector<const Definition*> all;
  Names seen;
  std::vector<std::string> open = {name};
  while (!open.empty()) {
    const auto each = open.back();
    open.pop_back();
    const auto found = definitions_.find(each);
    if (found == definitions_.end() || !seen.insert(each).second) continue;
    all.push_back(&found->second);
    open.insert(open.end(), (found->second.*through).begin(), (found->second.*through).end());
  }
  return all;
}

/// Returns the name of a callee, or of the class that it is an object of; nullopt if it has none.
std::optional<std::string> Aliases::definition_of(const Node& called) const {
  const auto root = root_of(called);
  const auto made = root ? definition_of_.find(*root) : definition_of_.end();
  return made == definition_of_.end() ? root : made->second;
}

/// Returns the names in the definition of a callee, and in the definitions that it uses. A function
/// may change what it reads, and return or keep it.
Names Aliases::in_definitions(const Node& call) const {
  Names names;
  const auto definition = definition_of(first_called(call));
  if (!definition) return names;
  for (const auto* each : reached(*definition, &Definition::names))
    names.insert(each->names.begin(), each->names.end());
  return names;
}

/// Returns what is known about the callee of a call whose name has no path. A definition of the notebook is
/// harmless if neither it nor its callees change their arguments.
Callee Aliases::known(const Node& call) const {
  if (is_outside(call)) return Callee::harmless;
  const auto callee = known_.callee_of(call);
  if (callee != Callee::unknown) return callee;
  const auto called = first_called(call);
  if (called.is("Name") && calm_.contains(called.text("id"))) return Callee::harmless;
  const auto all = reached(definition_of(called).value_or(""), &Definition::calls);
  const bool harmless =
      !all.empty() && std::none_of(all.begin(), all.end(), [](const auto* each) { return each->changes; });
  return harmless ? Callee::harmless : Callee::unknown;
}

/// Whether a value is a new layer of PyTorch whose calls change neither the layer nor their
/// arguments.
bool Aliases::is_calm_layer(const Node& value) const {
  const auto path = value.is("Call") ? known_.path_of(value.child("func")) : std::nullopt;
  if (!path || !path->starts_with("torch.nn.") || changes_what_it_gets(value)) return false;
  const auto given = value.list("args");
  return std::all_of(given.begin(), given.end(),
                     [&](const Node& each) { return !each.is("Call") || is_calm_layer(each); });
}

Names Aliases::of_arguments(const Node& call) const {
  Names names;
  for (const auto& each : call.list("args")) names.merge(shared(each));
  for (const auto& each : call.list("keywords")) names.merge(shared(each.child("value")));
  return names;
}

/// Returns the names of the objects that the result of a call may be, or may hold.
Names Aliases::shared_by_call(const Node& call) const {
  const auto called = call.child("func");
  if (const auto path = known_.path_of(called)) {
    const auto name = last_part(*path);
    const bool makes = path->starts_with("torch.nn.") && !path->starts_with("torch.nn.functional.");
    const bool holds = makes || path->starts_with("torch.optim.") || path->starts_with("torch.utils.data.");
    const bool harmless =
        (first_part(*path) == "torch" && !holds) || harmless_modules.contains(first_part(*path));
    return harmless && !may_share(name) && !name.ends_with('_') ? Names{} : of_arguments(call);
  }
  if (called.is("Name")) {
    const bool pure = known(call) == Callee::pure && !views.contains(called.text("id"));
    auto names = pure ? Names{} : of_arguments(call);
    if (!pure) names.merge(in_definitions(call));
    return names;
  }
  if (!called.is("Attribute")) return of_arguments(call);
  const auto name = called.text("attr");
  if (is_outside(call) || (known(call) == Callee::pure && !may_share(name) && !name.ends_with('_')))
    return {};
  auto names = shared(called.child("value"));
  names.merge(of_arguments(call));
  return names;
}

/// Returns the names of the objects that a value may be, or may hold.
Names Aliases::shared(const Node& value) const {
  if (value.is("Name")) return {std::string(value.text("id"))};
  if (value.is("Call")) return shared_by_call(value);
  if (value.is("Attribute") || value.is("Subscript")) {
    if (known_.path_of(value)) return {};
    return value.is("Subscript") ? items_of(value.child("value")) : shared(value.child("value"));
  }
  constexpr std::array holding = {"Tuple",        "List",      "Set",           "Dict",     "IfExp",
                                  "BoolOp",       "NamedExpr", "Starred",       "ListComp", "SetComp",
                                  "GeneratorExp", "DictComp",  "comprehension", "Lambda"};
  Names names;
  const bool holds =
      std::any_of(holding.begin(), holding.end(), [&](const char* kind) { return value.is(kind); });
  if (holds) {
    for (const auto& child : value.children()) names.merge(shared(child));
  }
  return names;
}

/// Returns the names of the objects that an item of a value may be, or may hold.
Names Aliases::items_of(const Node& value) const {
  auto names = shared(value);
  std::erase_if(names, known_.holds_plain_items);
  return names;
}

void Aliases::link(const Node& target, const Names& names) {
  if (target.is("Tuple") || target.is("List")) {
    for (const auto& each : target.list("elts")) link(each, names);
    return;
  }
  const auto root = root_of(target);
  if (!root) return;
  for (const auto& name : names) {
    if (name == *root) continue;
    links_[*root].insert(name);
    links_[name].insert(*root);
  }
}

void Aliases::add(const Node& statement) {
  statement.walk([&](const Node& node) {
    if (node.is("FunctionDef") || node.is("ClassDef") || node.is("Lambda")) return false;
    if (node.is("Assign")) {
      const auto value = node.child("value");
      for (const auto& target : node.list("targets")) {
        link(target, shared(value));
        if (value.is("Call") && is_outside(value)) outside_.merge(assigned_names({node}));
        if (is_calm_layer(value)) calm_.merge(assigned_names({node}));
        const bool made = value.is("Call") && value.child("func").is("Name") && target.is("Name");
        if (made) {
          definition_of_[std::string(target.text("id"))] = value.child("func").text("id");
          // A change of the class changes its objects, but not the other way round.
          links_[std::string(value.child("func").text("id"))].emplace(target.text("id"));
        }
      }
    } else if ((node.is("AnnAssign") || node.is("AugAssign") || node.is("NamedExpr")) && node.has("value")) {
      link(node.child("target"), shared(node.child("value")));
    } else if (node.is("For")) {
      link(node.child("target"), items_of(node.child("iter")));
    } else if (node.is("withitem") && node.has("optional_vars")) {
      link(node.child("optional_vars"), shared(node.child("context_expr")));
    } else if (node.is("Call") && node.child("func").is("Attribute") && !known_.path_of(node.child("func")) &&
               (keeping_methods.contains(node.child("func").text("attr")) || known(node) != Callee::pure)) {
      if (!is_outside(node)) link(node.child("func"), of_arguments(node));
    }
    return true;
  });
}

/// Returns the names of what a call may change, without their aliases.
Names Aliases::changed_by_call(const Node& call) const {
  const auto called = call.child("func");
  Names names;
  const auto keywords = call.list("keywords");
  if (const auto path = known_.path_of(called)) {
    const auto module = first_part(*path);
    const bool named = std::any_of(keywords.begin(), keywords.end(), [](const Node& each) {
      return each.has("arg") && (each.text("arg") == "inplace" || each.text("arg") == "out");
    });
    const bool changes =
        named || path->ends_with('_') || path->ends_with(".at") || changing_paths.contains(*path);
    const bool harmless =
        module == "torch" || harmless_modules.contains(module) || path->starts_with("sklearn.metrics.");
    if (changes || !harmless) names.merge(of_arguments(call));
    return names;
  }
  const bool changes = called.is("Name") && changing_functions.contains(called.text("id"));
  const bool unknown = known(call) == Callee::unknown;
  const bool in_place = called.is("Attribute") && called.text("attr").ends_with('_');
  if (unknown || changes) names.merge(of_arguments(call));
  if (unknown) names.merge(in_definitions(call));
  if ((unknown || in_place) && !is_class(called))
    names.merge(called.is("Attribute") ? shared(called.child("value")) : shared(called));
  return names;
}

/// Whether a callee is a class of the notebook. A call makes a new object, and changes no other one but by a
/// name that its definition has.
bool Aliases::is_class(const Node& called) const {
  const auto found = called.is("Name") ? definitions_.find(called.text("id")) : definitions_.end();
  if (found == definitions_.end()) return false;
  const auto& nodes = found->second.nodes;
  return std::all_of(nodes.begin(), nodes.end(), [](const Node& node) { return node.is("ClassDef"); });
}

/// Whether a call may draw random numbers. `seen` holds the definitions that were visited already.
bool Aliases::call_may_draw(const Node& call, Names& seen) const {
  const auto called = call.child("func");
  if (const auto path = known_.path_of(called)) return path_may_draw(*path);
  if (is_outside(call)) return false;
  const auto given = call.list("args");
  const bool iterates = called.is("Name") && std::any_of(given.begin(), given.end(), known_.may_be_loader);
  if (iterates) return true;
  if (const auto known = known_.draws(call)) return *known;
  if (uses_.has_lazy_layers && known(call) == Callee::unknown) return true;  // its first call draws weights
  if (called.is("Attribute")) {
    const auto name = called.text("attr");
    static const Words others = {"apply", "manual_seed", "reset_parameters", "rsample", "sample"};
    if (is_random(name) || others.contains(name)) return true;
  }
  const auto found = definitions_.find(definition_of(called).value_or(""));
  const bool computed = !called.is("Name") && !called.is("Attribute");  // such as getattr(torch, "rand")
  if (found == definitions_.end()) return computed && known_.callee_of(call) == Callee::unknown;
  if (!seen.insert(found->first).second) return false;
  const auto& nodes = found->second.nodes;
  return std::any_of(nodes.begin(), nodes.end(), [&](const Node& each) { return part_may_draw(each, seen); });
}

/// Whether a piece of Python may draw random numbers: by a call, a Dropout layer, or a loop over a
/// loader.
bool Aliases::part_may_draw(const Node& part, Names& seen) const {
  return part.any([&](const Node& node) {
    const bool drops = node.is("Attribute") && node.text("attr").find("Dropout") != std::string_view::npos;
    const bool iterates =
        (node.is("For") || node.is("comprehension")) && known_.may_be_loader(node.child("iter"));
    return drops || iterates || (node.is("Call") && call_may_draw(node, seen));
  });
}

bool Aliases::may_draw(const Node& statement) const {
  Names seen;
  const auto draw = [&](const std::vector<Node>& parts) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](const Node& each) { return part_may_draw(each, seen); });
  };
  if (statement.is("FunctionDef"))  // its defaults and decorators are evaluated where it is defined
    return part_may_draw(statement.child("args"), seen) || draw(statement.list("decorator_list"));
  if (!statement.is("ClassDef")) return part_may_draw(statement, seen);
  const auto body = statement.list("body");
  return std::any_of(body.begin(), body.end(), [&](const Node& each) { return may_draw(each); });
}

Names Aliases::names_behind(const Node& statement) const {
  auto names = names_in(statement);
  for (const auto& name : Names(names)) {
    const auto made = definition_of_.find(name);
    for (const auto* each : reached(made == definition_of_.end() ? name : made->second, &Definition::names))
      names.insert(each->names.begin(), each->names.end());
  }
  return names;
}

bool Aliases::may_compute_gradients(const Node& statement) const {
  if (statement.is("FunctionDef")) return false;  // until it is called
  const auto computes = [](const Node& part) {
    return part.any([](const Node& node) { return node.is("Attribute") && node.text("attr") == "backward"; });
  };
  if (computes(statement)) return true;
  for (const auto& name : names_in(statement)) {
    const auto made = definition_of_.find(name);
    for (const auto* each : reached(made == definition_of_.end() ? name : made->second, &Definition::names)) {
      if (std::any_of(each->nodes.begin(), each->nodes.end(), computes)) return true;
    }
  }
  return false;
}

Names Aliases::changed_by(const Node& statement) const {
  Names changed;
  statement.walk([&](const Node& node) {
    if (node.is("FunctionDef") || node.is("ClassDef")) return false;
    const auto add_target = [&](const Node& target) {
      const auto root = root_of(target);
      if (root && (!target.is("Name") || node.is("AugAssign"))) changed.insert(*root);
    };
    for (const auto& target : node.is("Delete") ? node.list("targets") : targets_of(node)) add_target(target);
    if (node.is("Call")) changed.merge(changed_by_call(node));
    return true;
  });
  const auto assigned = assigned_names({statement});
  for (const auto& name : changed_names({statement})) {
    if (!assigned.contains(name)) changed.insert(name);
  }
  std::vector<std::string> open(changed.begin(), changed.end());
  while (!open.empty()) {
    const auto found = links_.find(open.back());
    open.pop_back();
    if (found == links_.end()) continue;
    for (const auto& other : found->second) {
      if (changed.insert(other).second) open.push_back(other);
    }
  }
  return changed;
}

}  // namespace torchbook::translate
