// Takes from Python's run what a cell that is not translated left: values, the state of modules and
// optimizers, and that of the generator.
#include <fmt/format.h>
#include <tools/import/translate/cells.h>

#include <algorithm>
#include <utility>

namespace torchbook::translate {

/// Whether C++ makes a value itself, and only its state is carried.
static bool has_state(const Type& type) { return type.is(Kind::module) || type.is(Kind::optimizer); }

/// Declares the names that this cell made unknown with their values from Python's run, if later
/// cells read them.
void Cells::carry_values(const std::vector<Node>& lost) {
  const int last_line = first_line_ + lost.back().last_line();
  const auto rebound = assigned_names(lost);
  Names known;
  for (const auto& name : notebook_.scope.lost_to(cell_)) {
    if (is_unchanged(name, rebound)) {
      find_again(name);
      known.insert(name);
    } else if (carry_value(name, last_line, rebound)) {
      carrying_->carried.emplace(name, held_in_python_.at(name).first);
      known.insert(name);
    }
  }
  graphs_.know(known);
}

/// Makes a name known again, whose variable has its value.
const Variable& Cells::find_again(const std::string& name) {
  auto& variable = *notebook_.scope.own(name);
  variable.missing.clear();
  variable.missing_of = 0;
  return variable;
}

/// Whether Python's run shows that what a cell may change has the value that C++ has, too.
bool Cells::is_unchanged(const std::string& name, const Names& rebound) {
  const auto found = held_in_python_.find(name);
  const bool told =
      found != held_in_python_.end() && found->second.first < cell_ && found->second.second.why.empty();
  return told && !rebound.contains(name) && !touched_.contains(name) && !aliases_.is_assigned_inside(name);
}

bool Cells::carry_value(const std::string& name, int last_line, const Names& rebound) {
  const bool wanted = is_needed(name, last_line);
  const auto found = held_in_python_.find(name);
  if (!wanted || found == held_in_python_.end()) return false;
  const auto& value = found->second.second;
  const auto refuse = [&](std::string_view why) {
    auto& variable = *notebook_.scope.own(name);
    variable.missing += fmt::format(", and {} cannot be carried", why);
    return false;
  };
  if (!value.why.empty()) return refuse(value.why);
  const auto changes = [&](const std::string& each) { return notebook_.uses.changed.contains(each); };
  const bool shared = !value.shares.empty() &&
                      (changes(name) || std::any_of(value.shares.begin(), value.shares.end(), changes));
  if (shared) return refuse("a value with two names that is changed");
  if (has_state(value.type)) {
    const bool same = !rebound.contains(name) && !aliases_.is_assigned_inside(name);
    if (!same) return refuse(fmt::format("{} that the cell makes", in_words(value.type)));
    if (value.is_new && notebook_.uses.sets_attributes)
      return refuse(fmt::format("{} whose attributes may change", in_words(value.type)));
    restore_state(name);
    return true;
  }
  try {
    assign_carried(name, value);
    return true;
  } catch (const NotPorted&) {  // no variable of C++ can hold it
    return refuse(in_words(value.type));
  }
}

/// Makes a module or optimizer again that a cell made which is not translated, and gives it the state of
/// Python's. What it is made of is as it was then: nothing in the cell is assigned twice or changed.
void Cells::make_again(const Node& statement, const std::string& name, const Names& changed,
                       const std::map<std::string, int, std::less<>>& bindings) {
  const auto found = held_in_python_.find(name);
  if (found == held_in_python_.end() || found->second.first != cell_ || !statement.child("value").is("Call"))
    return;
  const auto& value = found->second.second;
  if (!has_state(value.type) || !value.why.empty() || !value.shares.empty() || notebook_.uses.sets_attributes)
    return;
  const auto stays = [&](const std::string& read) {
    if (notebook_.scope.imported(read)) return true;
    const auto* variable = notebook_.scope.own(read);
    const bool made =
        variable != nullptr && (variable->type.is(Kind::module) || variable->type.is(Kind::new_class));
    const auto bound = bindings.find(read);
    return (bound == bindings.end() || bound->second == 1) && (made || !changed.contains(read));
  };
  const auto read = names_in(statement.child("value"));
  if (!std::all_of(read.begin(), read.end(), stays) || !keep_statement(statement, name)) return;
  restore_state(name);
  carrying_->carried.emplace(name, cell_);
}

/// `nb.carried<torchbook::CarriedState>("net").restore(*net);`
void Cells::restore_state(const std::string& name) {
  const auto& variable = find_again(name);
  const auto held = value_of(variable.type, cpp::name(variable.code));
  const auto taken = cpp::method(cpp::name("nb"), "carried<torchbook::CarriedState>", {cpp::string(name)});
  const auto restored = held.is(Kind::module) ? module_itself(held) : held.expr;
  emit(cpp::Evaluate{cpp::method(taken, "restore", {restored})});
}

/// `const Tensor X = nb.carried<Tensor>("X");`
void Cells::assign_carried(const std::string& name, const CarriedValue& value) {
  const auto type = cpp_type(value.type);
  auto taken = cpp::method(cpp::name("nb"), fmt::format("carried<{}>", type), {cpp::string(name)})
                   .with_only(cpp::reads(cpp::Place::world));
  if (value.gradient) taken = cpp::method(taken, "requires_grad_").with_only({});
  auto& scope = notebook_.scope;
  auto* variable = scope.own(name);
  const bool same = !variable->code.empty() && !variable->is_constant && variable->depth == 0 &&
                    !variable->definition.empty() && assignable(variable->type, value.type);
  const auto comment = value.shape;
  if (same) {
    note_numbers(find_again(name), value.type);
    return emit(cpp::Stmt{.kind = cpp::Assign{.to = cpp::name(variable->code), .value = std::move(taken)},
                          .comment = comment});
  }
  lose_readers_of(name);
  auto& declared = scope.declare(name, value.type);
  declared.definition = fmt::format("carried:{}:{}", cell_, name);
  if (facts_->mixes(declared.definition)) declared.type = without_numbers(value.type);
  declared.is_static = is_read_by_classes(name);
  if (declared.is_static) return declare_static(declared, taken);
  declared.is_constant = notebook_.uses.assignments[name] == 1 && value.type.is(Kind::tensor);
  emit(cpp::Stmt{.kind = cpp::Declare{.type = declared.is_constant ? "const " + type : type,
                                      .name = declared.code,
                                      .value = std::move(taken)},
                 .comment = comment});
}

/// Restores the state that the generator had in Python's run.
void Cells::carry_generator() {
  lost_draws_ = {};
  if (generator_of_ == 0) return;  // nothing has drawn
  carrying_->generator = generator_of_;
  emit(cpp::Evaluate{cpp::method(cpp::name("nb"), "carried_generator").with_only(cpp::draws())});
}

}  // namespace torchbook::translate
