// Emits statements, and holds values in variables.
#include <fmt/format.h>
#include <tools/import/translate/classes/members.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/dtypes.h>
#include <tools/import/translate/cpp/order.h>
#include <tools/import/translate/cpp/walk.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/statements/assignments.h>
#include <tools/import/translate/statements/statements.h>

#include <algorithm>

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
    needs = needs || (node.is(cpp::Kind::method, "cuda") && node.parts().size() == 1);
    const bool moves = node.is(cpp::Kind::method, "to") || node.is(cpp::Kind::call, "torch::device") ||
                       node.is(cpp::Kind::method, "device");
    const bool given =
        moves && !node.parts().empty() && node.parts().back().is(cpp::Kind::call, "torch::Device");
    needs = needs || (given && node.parts().back().part(0).is(cpp::Kind::string));
  });
  return needs;
}

std::string Builder::key(const Node& node, std::string_view name) const {
  return fmt::format("{}:{}:{}:{}", here.cell, node.line(), node.column(), name);
}

void Builder::emit(const cpp::Stmt& statement) {
  cpp::for_each_expression(statement, [&](const cpp::Expr& expr) {
    if (this->frame->branches == 0 && needs_device(expr))
      refuse("it needs a device that is not everywhere; torch.cuda.is_available() asks for it");
  });
  bool rebinds = false;
  cpp::for_each_expression(statement,
                           [&](const cpp::Expr& expr) { rebinds = rebinds || rebinds_receiver(expr); });
  const auto* assign = std::get_if<cpp::Assign>(&statement.kind);
  if (rebinds || (assign != nullptr && rebinds_target(*assign)))
    refuse("what it changes or reads gets another object while it is evaluated");
  add(cpp::in_order(statement, [this](std::string_view wish) { return scope().fresh(wish); }));
}

void Builder::add(cpp::Stmts statements) {
  found.changes += cpp::changes_values(cpp::effects_of(statements)) ? 1 : 0;
  for (auto& statement : statements) this->statements->push_back(std::move(statement));
}

Value Builder::held(const Value& value, const std::string& name) const {
  auto result = value;
  result.expr = cpp::name(name);
  result.literal = result.place = false;
  result.temporary = value.is(Kind::list) || value.is(Kind::dict);  // the expression alone knows the variable
  return result;
}

Value Builder::hold(const Value& value, std::string_view wish) {
  const auto name = scope().fresh(wish);
  emit(cpp::Declare{
      .type = value.is(Kind::module) ? "auto" : "const auto", .name = name, .value = value.expr});
  return held(value, name);
}

Value Builder::named(const Value& value, std::string_view wish,
                     const std::function<Value(const Value&)>& use) {
  if (value.expr.is(cpp::Kind::name)) return use(value);
  const auto name = scope().fresh(wish);
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
    traits.wants_gradients = std::any_of(this->cells.begin(), this->cells.end(), [](const PythonCell& cell) {
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
  return wants_gradients() && !(tensor && is_detached(type) && !this->facts->attaches());
}

bool is_inferred(Builder& b, const Type& type, bool constant) {
  const bool function = type.is(Kind::function);
  if (function && !constant && !is_function_of_torch(type)) refuse("a name holds several functions");
  const auto* made = b.class_of(type);
  return type.is(Kind::size) || type.is(Kind::tuple) || (function && constant) ||
         (made != nullptr && made->is_shared) || is_of_class_below(b, type);
}

}  // namespace torchbook::translate
