#include <fmt/format.h>
#include <tools/import/translate/classes/members.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/dtypes.h>
#include <tools/import/translate/core/seen_types.h>
#include <tools/import/translate/cpp/forms.h>
#include <tools/import/translate/cpp/order.h>
#include <tools/import/translate/cpp/walk.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/statements/assignments.h>
#include <tools/import/translate/statements/statements.h>

#include <algorithm>
#include <utility>

namespace torchbook::translate {

namespace {

/// Whether later operands may assign another object to the member that a place reads. C++ would
/// then use the new object.
bool is_rebound(const cpp::Expr& place, const cpp::Effects& later) {
  const bool reads = place.is(cpp::Kind::name) || place.is(cpp::Kind::member);
  if (!reads) return place.is(cpp::Kind::subscript) && is_rebound(place.part(0), later);
  const auto& read = place.effects().reads;
  return std::any_of(read.begin(), read.end(), [&](const cpp::Effect& each) {
    return each.place == cpp::Place::field && later.writes.contains(each);
  });
}

/// Whether an argument assigns another object to the member that a receiver is read from.
bool rebinds_receiver(const cpp::Expr& expr) {
  bool found = false;
  cpp::for_each_part(expr, [&](const cpp::Expr& node) {
    if (!node.is(cpp::Kind::method) && !node.is(cpp::Kind::subscript)) return;
    cpp::Effects later;
    for (std::size_t i = 1; i < node.parts().size(); ++i) later.add(node.part(i).effects());
    found = found || is_rebound(node.part(0), later);
  });
  return found;
}

/// Whether the value of `to += value` reassigns the member that `to` is, or belongs to.
bool rebinds_target(const cpp::Assign& assign) {
  return assign.sign != "=" && !assign.of_number && is_rebound(assign.to, assign.value.effects());
}

}  // namespace

/// Whether an expression moves something to a device that not every machine has, as `x.to("cuda")`
/// does.
static bool needs_device(const cpp::Expr& expr) {
  bool needs = false;
  cpp::for_each_part(expr, [&](const cpp::Expr& node) {
    needs = needs || (node.is(cpp::form::cuda) && node.parts().size() == 1);
    const bool moves =
        node.is(cpp::form::to) || node.is(cpp::form::device_options) || node.is(cpp::form::device_of_options);
    const bool given = moves && !node.parts().empty() && node.parts().back().is(cpp::form::device);
    needs = needs || (given && node.parts().back().part(0).is(cpp::Kind::string));
  });
  return needs;
}

std::string Builder::key(const Node& node, std::string_view name) const {
  return key_of_definition(here.cell, node.line(), node.column(), name);
}

void Builder::emit(const cpp::Stmt& statement) {
  cpp::for_each_expression(statement, [&](const cpp::Expr& expr) {
    if (frame->branches == 0 && needs_device(expr))
      refuse("it needs a device that is not everywhere; torch.cuda.is_available() asks for it");
  });
  bool rebinds = false;
  cpp::for_each_expression(statement,
                           [&](const cpp::Expr& expr) { rebinds = rebinds || rebinds_receiver(expr); });
  const auto* assign = std::get_if<cpp::Assign>(&statement.kind);
  if (rebinds || (assign != nullptr && rebinds_target(*assign)))
    refuse("an attribute that it reads or changes gets another object in the same expression");
  add(cpp::in_order(statement, [this](std::string_view hint) { return scope().fresh(hint); }));
}

void Builder::add(cpp::Stmts statements) {
  found.changes += cpp::changes_values(cpp::effects_of(statements)) ? 1 : 0;
  for (auto& statement : statements) this->statements->push_back(std::move(statement));
}

Value Builder::held(const Value& value, const std::string& name) const {
  auto result = value;
  result.expr = cpp::name(name);
  result.literal = result.place = false;
  result.temporary = value.is(Kind::list) || value.is(Kind::dict);  // only the expression names the variable
  return result;
}

Value Builder::hold(const Value& value, std::string_view hint) {
  const auto name = scope().fresh(hint);
  emit(cpp::Declare{
      .type = value.is(Kind::module) ? "auto" : "const auto", .name = name, .value = value.expr});
  return held(value, name);
}

Value Builder::named(const Value& value, std::string_view hint,
                     const std::function<Value(const Value&)>& use) {
  if (value.expr.is(cpp::Kind::name)) return use(value);
  const auto name = scope().fresh(hint);
  auto result = use(held(value, name));
  auto holder = captured([&] {
    emit(cpp::Declare{
        .type = value.is(Kind::module) ? "auto" : "const auto", .name = name, .value = value.expr});
  });
  result.expr = cpp::let(std::move(holder), result.expr);
  return result;
}

bool Builder::wants_gradients() {
  if (!traits.wants_gradients) {
    traits.wants_gradients = std::any_of(cells.begin(), cells.end(), [](const PythonCell& cell) {
      return cell.tree != nullptr && Node(*cell.tree).any([](const Node& node) {
        return node.is(Ast::Attribute) && (node.attr() == "backward" || node.attr() == "autograd");
      });
    });
  }
  return *traits.wants_gradients;
}

bool Builder::is_recorded(const Type& type) {
  const bool tensor = type.is(Kind::tensor);
  if (!tensor && !type.is(Kind::module)) return false;
  return wants_gradients() && !(tensor && is_detached(type) && !traits.attaches);
}

bool is_inferred(Builder& b, const Type& type, bool constant) {
  const bool function = type.is(Kind::function);
  if (function && !constant && !is_function_of_torch(type)) refuse("a name holds several functions");
  const auto* made = b.class_of(type);
  return type.is(Kind::size) || type.is(Kind::tuple) || (function && constant) ||
         (made != nullptr && made->is_shared) || is_of_class_below(b, type);
}

std::optional<std::string> Builder::path_of(const Node& node) const {
  if (node.is(Ast::Name)) {
    const auto id = node.id();
    if (frame->scope.find(id) != nullptr) return std::nullopt;
    return frame->scope.imported(id);
  }
  if (!node.is(Ast::Attribute)) return std::nullopt;
  auto path = path_of(node.value());
  if (path) *path += fmt::format(".{}", node.attr());
  return path;
}

void Builder::note_reading(std::string_view name, const Variable& variable) {
  const auto& type = variable.type;
  const bool lasts = variable.is_static || type.is(Kind::new_class) ||
                     (type.is(Kind::function) && function_named(type.name()).is_static);
  for (auto* each = frame; !each->is_notebook && each->scope.own(name) == nullptr; each = each->outer) {
    each->reads_outside = each->reads_outside || !lasts;
    each->outer_names.emplace(name);
    if (each->of_class != nullptr && !lasts)
      refuse("a class of C++ cannot read {}, a variable of the notebook", name);
  }
}

NewClass* Builder::class_of(const Type& type) {
  if (!type.is(Kind::module) && !type.is(Kind::object)) return nullptr;
  constexpr std::string_view pointer = "std::shared_ptr<";
  auto name = type.name();
  if (name.starts_with(pointer)) name = name.substr(pointer.size(), name.size() - pointer.size() - 1);
  for (auto& [key, made] : defined.classes) {
    if (made.code == name) return &made;
  }
  for (auto& [key, made] : defined.classes_below) {
    if (made.code == name) return &made;
  }
  return nullptr;
}

Function& Builder::function_named(const std::string& key) {
  if (const auto found = defined.functions.find(key); found != defined.functions.end()) return found->second;
  return function_below(*this, key);
}

const Observed* Builder::observed() const {
  const auto& cell = cells.at(here.cell - 1);
  return cell.is_recorded ? &cell.observed : nullptr;
}

const CalledFunction* Builder::called(const Node& function) const {
  const auto* const all = observed();
  return all == nullptr ? nullptr : all->calls_of(function);
}

}  // namespace torchbook::translate
