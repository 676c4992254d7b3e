// Decides what is kept of a cell that is not translated, and what is unknown to later cells.
#include <fmt/format.h>
#include <tools/import/translate/cells.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>
#include <utility>

namespace torchbook::translate {
namespace {

/// Returns how a statement trains. `trainers` has the functions that do.
Training training_of(const Node& statement, const std::map<std::string, Training, std::less<>>& trainers) {
  auto training = Training::none;
  statement.walk([&](const Node& node) {
    if (called_method(node) == "step") training = Training::by_optimizer;
    if (called_method(node) == "backward") training = std::max(training, Training::by_hand);
    const auto found = trainers.find(called_name(node));
    if (found != trainers.end()) training = std::max(training, found->second);
  });
  return training;
}

/// Whether statements may update weights, whose gradients were computed above them.
bool may_update(const std::vector<Node>& statements) {
  static const std::set<std::string_view> harmless = {"print", "len", "round", "float", "int", "str"};
  const auto updates = [](const Node& node) {
    const auto function = called_name(node);
    const auto method = called_method(node);
    if (node.is("AugAssign") || method.ends_with('_') || method == "step") return true;
    const auto targets = targets_of(node);
    return (!function.empty() && !harmless.contains(function)) ||
           std::any_of(targets.begin(), targets.end(), [](const Node& target) { return !target.is("Name"); });
  };
  return std::any_of(statements.begin(), statements.end(),
                     [&](const Node& statement) { return statement.any(updates); });
}

/// Whether a node is `globals()` or the like, which gives all names and their values.
bool gives_names(const Node& node) {
  static const std::set<std::string_view> functions = {"globals", "locals", "vars"};
  return functions.contains(called_name(node)) && node.list("args").empty();
}

/// Returns the places of the calls of globals() and the like in a statement that only ask for names, as
/// `"model" in globals()` does.
std::set<std::pair<int, int>> questions_for_names(const Node& statement) {
  static const std::set<std::string_view> asking = {"len", "list", "print", "sorted"};
  std::set<std::pair<int, int>> places;
  const auto add = [&](const Node& node) {
    if (gives_names(node)) places.emplace(node.line(), node.column());
  };
  statement.walk([&](const Node& node) {
    const auto asks = [](const Node& each) { return each.is("In") || each.is("NotIn"); };
    if (node.is("Compare") && node.any(asks)) {
      for (const auto& each : node.list("comparators")) add(each);
    }
    if (called_method(node) == "keys") add(node.child("func").child("value"));
    if (!asking.contains(called_name(node))) return;
    for (const auto& each : node.list("args")) add(each);
  });
  return places;
}

/// Counts how often a statement binds or deletes each name, inside of functions, too.
void add_bindings(const Node& statement, std::map<std::string, int, std::less<>>& bindings) {
  statement.walk([&](const Node& node) {
    if (node.is("Name") && !node.child("ctx").is("Load")) ++bindings[std::string(node.text("id"))];
    if (node.is("alias")) {
      const auto name = node.text(node.has("asname") ? "asname" : "name");
      ++bindings[std::string(name.substr(0, name.find('.')))];
    }
    for (const auto* kind : {"FunctionDef", "ClassDef", "ExceptHandler", "MatchAs", "MatchStar"}) {
      if (node.is(kind) && node.has("name")) ++bindings[std::string(node.text("name"))];
    }
  });
}

}  // namespace

/// Restores the names from before the cell.
void Cells::take_back() {
  frame_ = &notebook_;
  notebook_.scope.undo();
  notebook_.hoisted.clear();
  notebook_.loops = 0;
  notebook_.broken.clear();
  notebook_.branches = 0;
}

/// Whether a cell below a line, or a function, reads the value that a name has there.
bool Cells::is_needed(const std::string& name, int last_line) const {
  return is_read_behind(notebook_.uses, name, last_line) || notebook_.uses.read_by_functions.contains(name);
}

/// Returns how many statements of a cell that is not ported are kept: the first `translated` ones
/// or none. They are kept if one has an effect, such as setting a seed or drawing, or if later cells read
/// what they assign.
std::size_t Cells::needed(const std::vector<Node>& statements, std::size_t translated) const {
  if (translated == 0) return 0;
  const int last_line = first_line_ + statements.back().last_line();
  const std::vector<Node> kept(statements.begin(),
                               statements.begin() + static_cast<std::ptrdiff_t>(translated));
  const auto names = changed_names(kept);
  const bool any =
      std::any_of(kept.begin(), kept.end(),
                  [&](const Node& each) { return each.is("Expr") || aliases_.may_draw(each); }) ||
      std::any_of(names.begin(), names.end(), [&](const auto& name) { return is_needed(name, last_line); });
  return any ? translated : 0;
}

/// Returns how many statements of a cell ran before it raised. They run again in C++, so that later
/// cells have their names.
std::size_t Cells::statements_above(const PythonCell& cell) const {
  std::size_t count = 0;
  for (const auto& each : statements_of(cell)) {
    if (each.last_line() >= cell.raised_line) break;
    ++count;
  }
  return count;
}

/// Returns the names whose values statements may change that are translated. `effects` are those of their
/// C++.
Names Cells::touched_by(const std::vector<Node>& statements, const cpp::Effects& effects) const {
  auto names = assigned_names(statements);
  if (!cpp::changes_values(effects)) return names;
  for (const auto& each : statements) {
    names.merge(aliases_.changed_by(each));
    if (training_of(each, trainers_) != Training::none)
      for (const auto& name : notebook_.scope.names()) names.insert(name);
  }
  return names;
}

/// Translates the first `count` statements of a cell that is not ported. Names that the other
/// statements would change become unknown.
cpp::Stmts Cells::kept_statements(const PythonCell& cell, std::size_t count) {
  const auto statements = statements_of(cell);
  const auto rest = statements.begin() + static_cast<std::ptrdiff_t>(count);
  // What is below a statement that raised did not run.
  const auto end = cell.raised_line > 0 && rest != statements.end() ? rest + 1 : statements.end();
  cpp::Stmts written;
  begin_statements(written);
  comments_.clear();  // the Python above has them
  try {
    for (auto each = statements.begin(); each != rest; ++each) statement_of_notebook(*each, cell.shapes);
    touched_ = touched_by({statements.begin(), rest}, cpp::effects_of(written));
    if (may_update({rest, end})) lose_trained(statements);
    lose_names({rest, end}, cell.raised_line > 0);
    lose_assigned(unassigned({end, statements.end()}));
    if (cell.why.empty()) keep_below({rest, end});
    if (is_carried_ && lost_draws_.cell == cell_) carry_generator();
    return written;
  } catch (const NotPorted&) {
    take_back();
    import_what_is_known(statements);
    begin_statements(written);
    touched_ = {};
    lose_names(statements);
    if (is_carried_ && lost_draws_.cell == cell_) carry_generator();
    return written;
  }
}

/// Whether an expression is a number or computed from constants alone.
bool Cells::is_constant(const Node& value) {
  static const std::set<std::string_view> computing = {"Constant", "Load", "BinOp", "UnaryOp",  "USub",
                                                       "Add",      "Sub",  "Mult",  "FloorDiv", "Mod"};
  return !value.any([&](const Node& part) {
    if (!part.is("Name")) return !computing.contains(part.kind());
    const auto* const variable = notebook_.scope.own(part.text("id"));
    return variable == nullptr || !variable->missing.empty() || !variable->type.is_number();
  });
}

/// Whether a statement defines a function or class without values that are computed when it is defined.
static bool is_plain_definition(const Node& statement) {
  if (statement.is("ClassDef")) return statement.list("decorator_list").empty();
  if (!statement.is("FunctionDef") || !statement.list("decorator_list").empty()) return false;
  const auto defaults = statement.child("args").list("defaults");
  return std::all_of(defaults.begin(), defaults.end(), [](const Node& each) { return each.is("Constant"); });
}

/// Returns the name that a statement gives to a function, a class or a value; empty if it gives none or
/// several.
static std::string name_given_by(const Node& statement) {
  if (statement.is("FunctionDef") || statement.is("ClassDef")) return std::string(statement.text("name"));
  const auto targets = statement.is("Assign") ? statement.list("targets") : std::vector<Node>{};
  return targets.size() == 1 && targets[0].is("Name") ? std::string(targets[0].text("id")) : "";
}

/// Translates those statements of a cell that is not translated which have one result, whatever the others
/// do: constants such as `max_length = 4`, functions and classes, and `net = Net(3)` if its state is carried.
void Cells::keep_below(const std::vector<Node>& statements) {
  if (statements.empty() || !lost_defaults_.why.empty()) return;
  std::map<std::string, int, std::less<>> bindings;
  for (const auto& statement : statements) add_bindings(statement, bindings);
  if (bindings.contains("*")) return;  // an import of all names of a module
  Names changed;
  for (const auto& statement : statements) changed.merge(aliases_.changed_by(statement));
  const auto wanted = wanted_of(statements);
  for (const auto& statement : statements) {
    const auto name = name_given_by(statement);
    const bool kept = carrying_ != nullptr && carrying_->carried.contains(name);
    const bool once = bindings[name] == 1 && !aliases_.is_assigned_inside(name);
    if (!wanted.contains(name) || kept || !once) continue;
    if (is_plain_definition(statement) && !changed.contains(name)) keep_statement(statement, name);
    if (!statement.is("Assign")) continue;
    if (is_constant(statement.child("value"))) this->statement(statement);
    make_again(statement, name, changed, bindings);
  }
}

/// Returns the names that statements give to functions, classes and values and that cells below read, with
/// those that the statements of these names read.
Names Cells::wanted_of(const std::vector<Node>& statements) const {
  const int last_line = first_line_ + statements.back().last_line();
  Names wanted;
  for (std::size_t i = statements.size(); i-- > 0;) {
    const auto name = name_given_by(statements[i]);
    if (name.empty() || !(wanted.contains(name) || is_needed(name, last_line))) continue;
    wanted.insert(name);
    wanted.merge(statements[i].is("Assign") ? names_in(statements[i].child("value"))
                                            : free_names(statements[i]));
  }
  return wanted;
}

/// Translates a statement of a cell that is not translated. Returns false if that cannot be done; its name is
/// unknown then.
bool Cells::keep_statement(const Node& statement, const std::string& name) {
  const auto missing = notebook_.scope.own(name)->missing;
  const auto declared = declared_bases_;
  try {
    add(captured([&] { this->statement(statement); }));
    return true;
  } catch (const NotPorted&) {
    frame_ = &notebook_;
    declared_bases_ = declared;
    notebook_.scope.close_all();
    notebook_.scope.lose(name, missing, cell_);
    return false;
  }
}

/// Makes unknown what statements may train. Without an optimizer, they may train any tensor that
/// they name.
void Cells::lose_trained(const std::vector<Node>& statements) {
  Training all = Training::none;
  Names read;
  for (const auto& statement : statements) {
    const auto training = training_of(statement, trainers_);
    if (statement.is("FunctionDef")) {
      trainers_[std::string(statement.text("name"))] = training;
      continue;
    }
    all = std::max(all, training);
    read.merge(names_in(statement));
  }
  if (all == Training::none) return;
  for (const auto& name : read) {
    const auto* variable = notebook_.scope.find(name);
    if (variable == nullptr || !variable->missing.empty()) continue;
    const auto& type = variable->type;
    const bool tensors = type.is(Kind::tensor) ||
                         (type.is(Kind::list) && !type.items.empty() && type.items[0].is(Kind::tensor));
    const bool trained = type.is(Kind::module) || type.is(Kind::optimizer);
    if (trained || (tensors && all == Training::by_hand))
      notebook_.scope.lose(name, lost_here("may train " + name).why, cell_);
  }
}

/// Returns the names that statements which did not run would assign, and that have no value from above.
Names Cells::unassigned(const std::vector<Node>& statements) {
  auto names = assigned_names(statements);
  std::erase_if(names, [&](const auto& name) {
    const auto* variable = notebook_.scope.own(name);
    return variable != nullptr && variable->missing.empty();
  });
  return names;
}

/// Makes names unknown that a cell which is not translated assigns, or would assign.
void Cells::lose_assigned(const Names& names) {
  for (const auto& name : names)
    notebook_.scope.lose(name, fmt::format("{} comes from cell @{}, which is not ported", name, cell_),
                         cell_);
}

/// Makes unknown the names that statements would assign, and the names of objects that they may
/// change. If they are one that `raised`, an assignment assigned nothing.
void Cells::lose_names(const std::vector<Node>& statements, bool raised) {
  lose_trained(statements);
  lose_settings(statements);
  const bool assigns = !raised || statements.empty() || !statements[0].is("Assign");  // before it raises
  lose_assigned(assigns ? assigned_names(statements) : unassigned(statements));
  for (const auto& statement : statements) {
    for (const auto& name : aliases_.changed_by(statement)) {
      const auto* variable = notebook_.scope.own(name);
      if (variable == nullptr || !variable->missing.empty()) continue;
      if (is_immutable(variable->type) && !aliases_.is_assigned_inside(name)) continue;
      notebook_.scope.lose(name, lost_here("may change " + name).why, cell_);
    }
  }
  if (is_carried_ && !statements.empty()) carry_values(statements);
  lose_functions();
  graphs_.know(notebook_.scope.lost());  // C++ cannot read them
}

/// Makes functions, classes and objects unknown that read an unknown name.
void Cells::lose_functions() {
  lose_readers(notebook_.scope.lost(), [this](const std::string& read) -> Lost {
    const auto* variable = notebook_.scope.own(read);
    return {fmt::format(": {}", variable->missing), variable->missing_of};
  });
}

/// Returns that something is not known because of this cell, and what the cell does.
Lost Cells::lost_here(std::string_view does) const {
  return {fmt::format("cell @{}, which is not ported, {}", cell_, does), cell_};
}

/// Whether a function of this name may write, move or remove a file that torch.save wrote.
static bool may_write_file(std::string_view name) {
  static const std::set<std::string_view> others = {"Popen",  "chdir",  "copy2",  "copyfile", "move",
                                                    "open",   "remove", "rename", "run",      "replace",
                                                    "rmtree", "system", "unlink"};
  return others.contains(name) || name.starts_with("save") || name.starts_with("write");
}

/// Notes what a cell may change, judged by the name of a called function or of an assigned
/// attribute. `asking` has the places of calls that change nothing.
void Cells::lose_by_name(const Node& node, const std::set<std::pair<int, int>>& asking) {
  static const std::set<std::string_view> texts = {"exec", "eval", "globals", "locals", "vars", "__import__"};
  if (texts.contains(called_name(node)) && !asking.contains({node.line(), node.column()}))
    lost_defaults_ = lost_here(fmt::format("calls {}()", called_name(node)));
  const auto function = called_name(node).empty() ? called_method(node) : called_name(node);
  if (may_write_file(function))
    lost_files_ = lost_here(fmt::format("calls {}(), which may write a file", function));
  const bool of_notebook = node.is("Call") && !path_of(node.child("func")) &&
                           (called_name(node).empty() || notebook_.scope.find(called_name(node)) != nullptr);
  if (functions_save_states_ && of_notebook) lost_files_ = lost_here("may call what saves a state_dict");
  if (lost_files_.cell == cell_) saved_.clear();
  const auto targets = node.is("Assign") ? node.list("targets") : std::vector<Node>{};
  for (const auto& target : targets) {
    const auto path = target.is("Attribute") ? path_of(target) : std::nullopt;
    if (path && path->starts_with("torch.") && !path->starts_with("torch.backends."))
      lost_defaults_ = lost_here("assigns to " + *path);
  }
}

/// Returns the effects of calling what a name of the notebook stands for; nullopt if that is not known.
std::optional<cpp::Effects> Cells::effects_of_named(const Node& name) {
  const auto* variable = name.is("Name") ? notebook_.scope.find(name.text("id")) : nullptr;
  if (variable == nullptr || !variable->missing.empty()) return std::nullopt;
  const auto& type = variable->type;
  if (type.is(Kind::module)) return effects_of_module(type);
  if (const auto found = functions_.find(type.name()); type.is(Kind::function) && found != functions_.end())
    return found->second.effects;
  if (const auto found = classes_.find(type.name()); type.is(Kind::new_class) && found != classes_.end())
    return found->second.methods.at("__init__").effects;
  return std::nullopt;
}

/// Returns whether a known callee draws random numbers; nullopt if the callee is unknown.
std::optional<bool> Cells::draws(const Node& call) {
  const auto effects = effects_of_named(call.child("func"));
  if (!effects) return std::nullopt;
  return effects->writes.contains({cpp::Place::generator, {}});
}

/// Whether a node may be a loader: by its type, or because it is an unknown name in a notebook that
/// uses DataLoader.
bool Cells::may_be_loader(const Node& node) const {
  if (!node.is("Name")) return false;
  const auto* variable = notebook_.scope.find(node.text("id"));
  if (variable == nullptr) return false;
  if (variable->missing.empty())
    return variable->type.name().starts_with("torchbook::data::DataLoader<") ||
           variable->type.name().starts_with(pass_of_loader);
  return notebook_.scope.imported("DataLoader").has_value() || notebook_.uses.members.contains("DataLoader");
}

/// Whether a statement unconditionally sets the seed of the CPU's generator.
static bool sets_seed(const cpp::Stmt& statement) {
  const auto* evaluates = std::get_if<cpp::Evaluate>(&statement.kind);
  return evaluates != nullptr && evaluates->value.is(cpp::Kind::call, "torch::manual_seed");
}

/// Refuses statements from `first` on that draw while the state of the generator is unknown.
/// Setting a seed makes it known again.
void Cells::refuse_lost_draws(std::size_t first) {
  if (lost_draws_.why.empty()) return;
  const cpp::Effect generator{cpp::Place::generator, {}};
  for (auto each = first; each < statements_->size(); ++each) {
    const auto effects = cpp::effects_of(cpp::Stmts{(*statements_)[each]});
    if (effects.reads.contains(generator)) lost_draws_.refuse();
    if (sets_seed((*statements_)[each])) return void(lost_draws_ = {});
  }
}

/// Whether a statement may draw from NumPy's generator: by name, or by what is not known.
bool Cells::may_draw_in_numpy(const Node& statement) {
  static const std::set<std::string_view> calm = {
      "IPython", "collections", "copy", "itertools", "json", "math", "matplotlib", "numpy", "os",
      "pathlib", "random",      "re",   "string",    "sys",  "time", "torch",      "typing"};
  return statement.any([&](const Node& node) {
    if (node.is("Attribute") && node.text("attr") == "random")
      return path_of(node).value_or("") != "torch.random";
    if (!node.is("Call")) return false;
    const auto called = node.child("func");
    if (const auto path = path_of(called)) return !calm.contains(path->substr(0, path->find('.')));
    if (called.is("Name"))
      return notebook_.scope.find(called.text("id")) != nullptr ||
             notebook_.uses.assignments.contains(called.text("id"));
    const auto* variable = called.is("Attribute") && called.child("value").is("Name")
                               ? notebook_.scope.find(called.child("value").text("id"))
                               : nullptr;
    const bool plain = variable != nullptr && variable->missing.empty() && !variable->type.is(Kind::object) &&
                       !variable->type.is(Kind::module);
    return !plain;
  });
}

/// Notes that statements may set what later cells depend on: the default dtype and device, print options.
void Cells::lose_settings(const std::vector<Node>& statements) {
  static const std::set<std::string_view> defaults = {
      "torch.set_default_device", "torch.set_default_dtype", "torch.set_default_tensor_type",
      "torch.set_grad_enabled", "torch.use_deterministic_algorithms"};
  for (const auto& statement : statements) {
    const bool draws = aliases_.may_draw(statement);
    if (draws && notebook_.uses.functions_draw_in_python) random_has_seed_ = false;
    if (may_draw_in_numpy(statement)) numpy_has_seed_ = false;
    if (draws) lost_draws_ = lost_here("may draw random numbers");
    if (aliases_.may_compute_gradients(statement)) {
      lost_gradients_ = lost_here("may compute gradients");
      graphs_.lose(in_graphs(statement, assigned_names(statements)));
    }
    const auto asking = questions_for_names(statement);
    std::set<std::pair<int, int>> contexts;  // whose settings end with their with statement
    statement.walk([&](const Node& node) {
      if (node.is("withitem"))
        contexts.emplace(node.child("context_expr").line(), node.child("context_expr").column());
      lose_by_name(node, asking);
      const auto path = node.is("Call") ? path_of(node.child("func")) : std::nullopt;
      if (!path) return;
      if (path->starts_with("random.")) random_has_seed_ = false;
      if (defaults.contains(*path) && !contexts.contains({node.line(), node.column()}))
        lost_defaults_ = lost_here("calls " + *path);
      if (path->ends_with(".set_printoptions")) lost_options_ = lost_here("sets print options");
    });
  }
}

/// Returns the names behind a statement that may hold a part of a graph of autograd. Those of `unknown` may
/// hold anything.
Names Cells::in_graphs(const Node& statement, const Names& unknown) {
  const auto holds = [&](const std::string& name) {
    if (unknown.contains(name)) return true;
    const bool assigned = notebook_.uses.assignments.contains(name);
    const auto* variable = notebook_.scope.find(name);
    if (variable == nullptr) {
      const bool later = is_read_behind(notebook_.uses, name, first_line_ + statement.last_line());
      return assigned && (later || !assigned_names({statement}).contains(name));
    }
    const auto& type = variable->type;
    const bool definition = type.is(Kind::function) || type.is(Kind::new_class);
    if (!variable->missing.empty()) return true;
    return !is_immutable(type) && !definition && (!type.is(Kind::tensor) || is_recorded(type));
  };
  auto names = aliases_.names_behind(statement);
  std::erase_if(names, [&](const auto& name) { return !holds(name); });
  return names;
}

/// Notes which names a statement computes from each other.
void Cells::note_graphs(const Node& statement, const Names& unknown) {
  Names rebound;
  if (statement.is("Assign")) rebound = assigned_names({statement});
  graphs_.join(in_graphs(statement, unknown), rebound);
}

bool Cells::holds_plain_items(const std::string& name) const {
  const auto* variable = notebook_.scope.find(name);
  if (variable == nullptr) return false;
  const auto& type = variable->type;
  const bool container = type.is(Kind::list) || type.is(Kind::dict) || type.is(Kind::tuple);
  return container && !type.items.empty() && std::all_of(type.items.begin(), type.items.end(), is_immutable);
}

/// Returns what is known about a callee that has these effects.
static Callee callee_with(const cpp::Effects& effects) {
  return cpp::changes_values(effects) ? Callee::unknown : Callee::harmless;
}

Callee Cells::callee_of(const Node& call) {
  const auto called = call.child("func");
  if (called.is("Attribute")) return callee_of_method(call);
  auto root = called;
  while (root.is("Subscript")) root = root.child("value");
  if (!root.is("Name")) return Callee::unknown;
  if (notebook_.scope.find(root.text("id")) == nullptr)  // of Python itself
    return called.is("Name") ? Callee::pure : Callee::unknown;
  return callee_with(effects_of_named(root).value_or(cpp::everything()));
}

Callee Cells::callee_of_method(const Node& call) {
  const auto called = call.child("func");
  const auto name = called.text("attr");
  const auto of = called.child("value");
  const auto* variable = of.is("Name") ? notebook_.scope.find(of.text("id")) : nullptr;
  static const std::set<std::string_view> telling = {"numpy", "tolist", "format", "join", "dim", "backward"};
  if (variable == nullptr || !variable->missing.empty())
    return !signatures_of(name).empty() || telling.contains(name) ? Callee::pure : Callee::unknown;
  const auto& type = variable->type;
  const bool hooks = name.starts_with("register_") || name == "retain_grad";
  if (hooks && type.is(Kind::tensor)) return Callee::unknown;
  if (!type.is(Kind::module) && !type.is(Kind::object)) return Callee::pure;
  if (const auto* made = class_of(type)) {
    if (const auto method = made->methods.find(name); method != made->methods.end())
      return callee_with(method->second.effects);
    if (const auto member = made->members.find(name); member != made->members.end())
      return callee_with(member->second.is(Kind::module) ? effects_of_module(member->second)
                                                         : cpp::everything());
  }
  static const std::set<std::string_view> changing = {"apply",    "bfloat16", "cpu",           "cuda",
                                                      "double",   "float",    "half",          "to",
                                                      "to_empty", "type",     "requires_grad_"};
  return changing.contains(name) || name.starts_with("register_") ? Callee::unknown : Callee::harmless;
}

}  // namespace torchbook::translate
