// Carries the results of untranslated cells over to later cells: the values of names, the state of modules,
// optimizers and the generator, and settings.
#include <fmt/format.h>
#include <tools/import/translate/cells/cells.h>
#include <tools/import/translate/classes/classes.h>
#include <tools/import/translate/core/dtypes.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/rows/calls_by_schema.h>
#include <tools/import/translate/statements/assignments.h>
#include <tools/import/translate/statements/statements.h>

#include <algorithm>
#include <utility>

namespace torchbook::translate {
namespace {

/// Whether C++ constructs the value itself, so that only its state is carried.
bool has_state(const Type& type) { return type.is(Kind::module) || type.is(Kind::optimizer); }

/// Whether statements call a method or function of this name.
bool calls(const std::vector<Node>& statements, std::string_view name) {
  return std::any_of(statements.begin(), statements.end(), [&](const Node& statement) {
    return statement.any(
        [&](const Node& node) { return called_name(node) == name || called_method(node) == name; });
  });
}

}  // namespace

/// Returns the names that statements mention, with those in the functions and classes that they mention.
Names Cells::mentioned_in(const std::vector<Node>& statements) const {
  Names names;
  for (const auto& each : statements) names.merge(free_names(each));
  std::vector<std::string> open(names.begin(), names.end());
  while (!open.empty()) {
    const auto found = definitions_.find(open.back());
    open.pop_back();
    if (found == definitions_.end()) continue;
    for (const auto& name : found->second) {
      if (names.insert(name).second) open.push_back(name);
    }
  }
  return names;
}

/// Marks everything that untranslated statements change as unknown, and carries the part that later cells
/// read. `kept` says that the port has the statements of the cell above them.
void Cells::carry_over(const std::vector<Node>& statements, const PythonCell& cell, bool kept) {
  const bool raised = cell.raised_line > 0 && !statements.empty();
  const bool assigns = !raised || !statements[0].is(Ast::Assign);  // before it raises
  lose_assigned(assigns ? assigned_names(statements) : unassigned(statements));
  const auto mentioned = mentioned_in(statements);
  const auto changed = cell.is_recorded ? changed_in(cell, kept, mentioned) : changed_names(statements);
  for (const auto& name : b.notebook.scope.names()) {
    if (changed.contains(name)) b.notebook.scope.lose(name, lost_here("changes " + name).why, b.here.cell);
  }
  note_settings(statements, cell, kept, mentioned);
  if (!statements.empty() && !cell.keeps_nothing) {
    const auto rebound = assigned_names(statements);
    for (const auto& name : b.notebook.scope.lost_to(b.here.cell)) {
      if (is_needed(name, statements)) carry_value(name, !rebound.contains(name), kept);
    }
  }
  lose_readers(b, b.notebook.scope.lost(), [this](const std::string& read) -> Lost {
    const auto* variable = b.notebook.scope.own(read);
    return {fmt::format(": {}", variable->missing), variable->missing_of};
  });
}

/// Returns the names whose values differ between Python and C++ after the cell. Its untranslated statements
/// have `mentioned` these names.
Names Cells::changed_in(const PythonCell& cell, bool kept, const Names& mentioned) const {
  const bool mentions_state = std::any_of(mentioned.begin(), mentioned.end(), [&](const auto& name) {
    const auto* variable = b.notebook.scope.find(name);
    return variable != nullptr && has_state(variable->type);
  });
  const auto is_changed = [&](const std::string& name) {
    const auto& type = b.notebook.scope.find(name)->type;
    const auto held = cell.carried.find(name);
    const bool unrecorded = cell.unrecorded.contains(name) && !has_state(type) && !is_immutable(type);
    if (unrecorded) return mentioned.contains(name);
    if (!cell.changed.contains(name) && held == cell.carried.end()) return false;
    if (!kept || mentioned.contains(name)) return true;
    if (has_state(type)) return mentions_state;
    return held != cell.carried.end() &&
           std::any_of(held->second.shares.begin(), held->second.shares.end(),
                       [&](const auto& each) { return mentioned.contains(each); });
  };
  Names names;
  for (const auto& name : b.notebook.scope.names()) {
    const auto& type = b.notebook.scope.find(name)->type;
    const bool definition = type.is(Kind::function) || type.is(Kind::new_class);
    if (!definition && is_changed(name)) names.insert(name);
  }
  return names;
}

/// Notes which settings statements have changed: generators, gradients, print options, files.
void Cells::note_settings(const std::vector<Node>& statements, const PythonCell& cell, bool kept,
                          const Names& mentioned) {
  const auto changes = [&](std::string_view setting, std::string_view by) {
    return cell.changed.contains(setting) && (!kept || calls(statements, by));
  };
  const auto draws_in = [&](std::string_view setting, std::string_view module) {
    return cell.changed.contains(setting) &&
           (!kept || std::any_of(mentioned.begin(), mentioned.end(), [&](const auto& name) {
             return b.notebook.scope.imported(name).value_or("").starts_with(module);
           }));
  };
  if (draws_in("random.getstate()", "random")) b.state.random = lost_here("draws from Python's random");
  if (draws_in("np.random.get_state()", "numpy")) b.state.numpy_random = lost_here("draws from numpy.random");
  if (cell.draws) b.lost.draws = lost_here("draws random numbers");
  if (changes("torch.is_grad_enabled()", "set_grad_enabled"))
    b.lost.defaults = lost_here("sets whether gradients are recorded");
  if (changes("torch.get_printoptions()", "set_printoptions"))
    b.lost.options = lost_here("sets print options");
  if (!cell.writes_files || kept) return;
  b.lost.files = lost_here("writes files");
  b.state.saved.clear();
}

/// Returns the reason for which later cells do not know something: what this cell `does`.
Lost Cells::lost_here(std::string_view does) const {
  return {fmt::format("cell @{}, which is not ported, {}", b.here.cell, does), b.here.cell};
}

/// Returns the names that statements which did not run would assign, and that have no value from above.
Names Cells::unassigned(const std::vector<Node>& statements) {
  auto names = assigned_names(statements);
  std::erase_if(names, [&](const auto& name) {
    const auto* variable = b.notebook.scope.own(name);
    return variable != nullptr && variable->missing.empty();
  });
  return names;
}

/// Marks the names that an untranslated cell assigns, or would assign, as unknown.
void Cells::lose_assigned(const Names& names) {
  for (const auto& name : names)
    b.notebook.scope.lose(name, fmt::format("{} comes from cell @{}, which is not ported", name, b.here.cell),
                          b.here.cell);
}

/// Marks a name as known again: its variable holds its value.
const Variable& Cells::find_again(const std::string& name) {
  auto& variable = *b.notebook.scope.own(name);
  variable.missing.clear();
  variable.missing_of = 0;
  return variable;
}

/// Restores the value or state that a name has in Python, after this cell made it unknown. `is_bound` says
/// that only a translated statement binds it.
void Cells::carry_value(const std::string& name, bool is_bound, bool kept) {
  const auto found = held_in_python_.find(name);
  if (found == held_in_python_.end()) return;
  const auto& value = found->second.second;
  auto& variable = *b.notebook.scope.own(name);
  const auto refuse = [&](std::string_view why) {
    variable.missing += fmt::format(", and {} cannot be carried", why);
  };
  if (!value.why.empty()) return refuse(value.why);
  const auto changes = [&](const std::string& each) { return b.notebook.uses.changed.contains(each); };
  const bool shared = !value.shares.empty() &&
                      (changes(name) || std::any_of(value.shares.begin(), value.shares.end(), changes));
  if (shared) return refuse("a changed value with two names");
  if (has_state(value.type)) {
    const bool is_here = is_bound && has_state(variable.type) && (kept || !value.is_new);
    return is_here ? restore_state(name)
                   : refuse(fmt::format("{} that the cell makes", in_words(value.type)));
  }
  if (value.type.is(Kind::none)) {  // which has no variable
    lose_readers_of(b, name);
    b.notebook.scope.declare(name, value.type).definition = fmt::format("carried:{}:{}", b.here.cell, name);
    return;
  }
  try {
    assign_carried(name, value);
    carrying_->carried.emplace(name, found->second.first);
  } catch (const NotPorted&) {  // no variable of C++ can hold it
    refuse(in_words(value.type));
  }
}

/// If C++ has just constructed a module or optimizer, restores Python's state of it.
void Cells::restore_if_carried(const std::string& name) {
  const auto found = held_in_python_.find(name);
  if (!has_state(b.notebook.scope.own(name)->type)) return;
  const bool told = found != held_in_python_.end() && found->second.first == b.here.cell &&
                    found->second.second.why.empty() && has_state(found->second.second.type);
  if (told) return restore_state(name);
  b.notebook.scope.lose(name, lost_here("trains " + name).why, b.here.cell);
}

/// `nb.carried<torchbook::CarriedState>("net").restore(*net);`
void Cells::restore_state(const std::string& name) {
  const auto& variable = find_again(name);
  const auto held = value_of(variable.type, cpp::name(variable.code));
  const auto taken = cpp::method(cpp::name("nb"), "carried<torchbook::CarriedState>", {cpp::string(name)});
  const auto restored = held.is(Kind::module) ? module_itself(held) : held.expr;
  b.emit(cpp::Evaluate{cpp::method(taken, "restore", {restored})});
  carrying_->carried.emplace(name, held_in_python_.at(name).first);
}
/// `const Tensor X = nb.carried<Tensor>("X");`
void Cells::assign_carried(const std::string& name, const CarriedValue& value) {
  const auto type = cpp_type(value.type);
  auto taken = cpp::method(cpp::name("nb"), fmt::format("carried<{}>", type), {cpp::string(name)})
                   .with_only(cpp::reads(cpp::Place::world));
  if (value.gradient) taken = cpp::method(taken, "requires_grad_").with_only({});
  auto& scope = b.notebook.scope;
  auto* variable = scope.own(name);
  const bool same = !variable->code.empty() && !variable->is_constant && variable->depth == 0 &&
                    !variable->definition.empty() && assignable(variable->type, value.type);
  const auto comment = value.shape;
  if (same) {
    find_again(name);
    return b.emit(cpp::Stmt{.kind = cpp::Assign{.to = cpp::name(variable->code), .value = std::move(taken)},
                            .comment = comment});
  }
  lose_readers_of(b, name);
  auto& declared = scope.declare(name, value.type);
  declared.definition = fmt::format("carried:{}:{}", b.here.cell, name);
  declared.is_static = is_read_by_classes(b, name);
  declared.is_global = b.notebook.uses.assigned_by_functions.contains(name);
  if (declared.is_static) return declare_static(b, declared, taken);
  declared.is_constant = b.notebook.uses.assignments[name] == 1 && value.type.is(Kind::tensor);
  b.emit(cpp::Stmt{.kind = cpp::Declare{.type = declared.is_constant ? "const " + type : type,
                                        .name = declared.code,
                                        .value = std::move(taken)},
                   .comment = comment});
}

/// Restores the state that the generator had in Python's run.
void Cells::carry_generator() {
  b.lost.draws = {};
  if (generator_of_ == 0) return;  // nothing has drawn
  carrying_->generator = generator_of_;
  b.emit(cpp::Evaluate{cpp::method(cpp::name("nb"), "carried_generator").with_only(cpp::draws())});
}

/// Sets the default dtype that Python has at the end of the cell, if C++ has another one.
void Cells::carry_default_dtype(const PythonCell& cell) {
  if (cell.default_dtype == default_dtype_) return;
  const auto dtype = dtype_of_torch(cell.default_dtype.substr(cell.default_dtype.find('.') + 1));
  b.emit(
      cpp::Evaluate{cpp::call("c10::set_default_dtype", {cpp::call("c10::scalarTypeToTypeMeta", {dtype})})});
  default_dtype_ = cell.default_dtype;
}

}  // namespace torchbook::translate
