// Copies values, and the state of the generator, from Python's run for cells that are not
// translated.
#include <fmt/format.h>
#include <torchbook/translate/cells.h>

#include <algorithm>

namespace torchbook::translate {

/// Declares the names that this cell made unknown with their values from Python's run, if later
/// cells read them.
void Cells::carry_values(int last_line) {
  for (const auto& name : notebook_.scope.lost_to(cell_)) {
    if (carry_value(name, last_line)) carrying_->carried.emplace(name, held_in_python_.at(name).first);
  }
  if (lost_draws_.cell == cell_) carry_generator();
}

bool Cells::carry_value(const std::string& name, int last_line) {
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
  try {
    assign_carried(name, value);
    return true;
  } catch (const NotPorted&) {  // no variable of C++ can hold it
    return refuse(in_words(value.type));
  }
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
    note_numbers(*variable, value.type);
    variable->missing.clear();
    variable->missing_of = 0;
    return emit(cpp::Stmt{.kind = cpp::Assign{.to = cpp::name(variable->code), .value = std::move(taken)},
                          .comment = comment});
  }
  if (variable->code.empty() == false) refuse_if_read_by_functions(name);
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
