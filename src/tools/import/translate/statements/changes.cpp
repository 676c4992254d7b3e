#include <fmt/format.h>
#include <tools/import/translate/classes/members.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/cpp/forms.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/expressions/operators.h>
#include <tools/import/translate/expressions/subscripts.h>
#include <tools/import/translate/kinds/array.h>
#include <tools/import/translate/kinds/list.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/rows/calls_by_schema.h>
#include <tools/import/translate/statements/assignments.h>
#include <tools/import/translate/statements/changes.h>

#include <map>
#include <string_view>

namespace torchbook::translate {

namespace {

const std::map<Ast, std::string_view> signs = {
    {Ast::Add, "+="}, {Ast::Sub, "-="}, {Ast::Mult, "*="}, {Ast::Div, "/="}};

/// The methods of tensors that do the same in place.
const std::map<Ast, std::string_view> in_place = {
    {Ast::Add, "add_"}, {Ast::Sub, "sub_"}, {Ast::Mult, "mul_"}, {Ast::Div, "div_"}};

/// Returns what `to += value` adds: a double has no operator that takes an int or a float.
cpp::Expr operand_of(const Value& to, const Value& value) {
  const auto number = number_of_element(value);
  return to.is(Kind::floating) && number.is(Kind::scalar) ? as_double(number) : number.expr;
}

}  // namespace

/// `for p in parameters: p -= rate * p.grad`
static void change_in_loop(Builder& b, const Variable& variable, Ast operation, const Value& value) {
  const auto found = in_place.find(operation);
  const bool fits = value.is(Kind::tensor) || value.type.is_number();
  if (!variable.type.is(Kind::tensor) || found == in_place.end() || !fits)
    refuse("a loop assigns to its own name");
  note_attached(b, variable.type, value.type);
  b.emit(cpp::Evaluate{cpp::method(cpp::name(variable.code), found->second, {value.expr})});
}

/// `total += x` of a variable that holds no tensor
static void change_number(Builder& b, const Node& target, Variable& variable, Ast operation,
                          const Value& value) {
  const auto from = variable.optional ? expression(b, target) : value_of(variable.type, variable.expr());
  const auto computed = binary_of(b, operation, from, value);
  if (!can_assign(b, std::string(target.id()), variable, computed.type))
    return assign_name(b, target, computed);
  const bool sums = (operation == Ast::Add || operation == Ast::Sub) && from.type.is_number();
  if (sums && (computed.type == from.type || from.is(Kind::scalar)))
    return b.emit(cpp::Assign{.to = from.expr,
                              .value = operand_of(from, value),
                              .sign = std::string(signs.at(operation)),
                              .of_number = true});
  b.emit(cpp::Assign{.to = from.expr, .value = computed.expr});
}

static void change_name(Builder& b, const Node& node, const std::string& name) {
  const auto target = node.target();
  const auto operation = node.op().kind();
  const auto value = expression(b, node.value());
  auto* const variable = b.scope().own(name);
  if (variable == nullptr) refuse("it changes {}, which is not a name of its own", name);
  refuse_missing(*variable);
  if (variable->type.is(Kind::array)) return change_array(b, operation, expression(b, target), value);
  const bool tensor = variable->type.is(Kind::tensor);
  const bool of_loop = variable->is_constant && variable->definition.empty();
  if (of_loop) return change_in_loop(b, *variable, operation, value);
  if (variable->type.is(Kind::list) && variable->is_constant)
    refuse("it changes a list that no variable of C++ holds");
  if (variable->type.is(types::Sequence::list) && operation == Ast::Add)
    return b.emit(cpp::Evaluate{extend_list(b, expression(b, target), value).expr});
  if (variable->still_int) refuse_int_beside(name, value);
  if (!tensor || (variable->widened && !variable->type.is(types::Leaf::either)))
    return change_number(b, target, *variable, operation, value);
  if (!signs.contains(operation)) refuse("it changes a tensor in a way that is not translated");
  note_attached(b, variable->type, value.type);
  b.emit(cpp::Assign{
      .to = expression(b, target).expr, .value = value.expr, .sign = std::string(signs.at(operation))});
}

/// `self.count += 1`, `counts[draw()] += 1`, `x[0] += 1`
static void change_place(Builder& b, const Node& target, Ast operation, const Value& value) {
  auto to = expression(b, target);
  const auto sign = signs.find(operation);
  if (to.is(Kind::tensor)) {
    const bool one_index = !target.is(Ast::Subscript) || to.expr.is(cpp::Kind::subscript);
    if (one_index && sign == signs.end()) refuse("it changes a tensor in a way that is not translated");
    note_attached(b, to.type, value.type);
    if (to.expr.is(cpp::form::data))  // `weight.data -= rate * weight.grad`
      return b.emit(cpp::Evaluate{cpp::method(to.expr, in_place.at(operation), {value.expr})});
    if (one_index)
      return b.emit(cpp::Assign{.to = to.expr, .value = value.expr, .sign = std::string(sign->second)});
    if (to.expr.acts()) refuse("an index of what it changes draws or changes something");
    return assign_item(b, target, binary_of(b, operation, to, value));
  }
  const bool chosen = target.is(Ast::Subscript) &&
                      (target.slice().is(Ast::Compare) || target.slice().is(Ast::Name)) &&
                      expression(b, target.slice()).is(Kind::array);
  if (chosen) refuse("it changes elements that an array of NumPy chooses");  // C++ has a copy
  if (to.is(Kind::array)) return change_array(b, operation, to, value);
  auto changed = binary_of(b, operation, to, value);
  if (!assignable(to.type, changed.type))
    refuse("it changes {} to {}", in_words(to.type), in_words(changed.type));
  if ((operation == Ast::Add || operation == Ast::Sub) && to.type.is_number()) {
    changed.sign = sign->second;
    changed.operand = operand_of(to, value);
  } else if (to.expr.acts() || conflict(to.expr.effects(), value.expr.effects())) {
    refuse("an index of what it changes draws or changes something");
  }
  if (target.is(Ast::Attribute)) return assign_attribute(b, target, changed);
  assign_item(b, target, changed);
}

void change(Builder& b, const Node& node) {
  const auto target = node.target();
  const auto operation = node.op().kind();
  if (target.is(Ast::Name)) return change_name(b, node, std::string(target.id()));
  change_place(b, target, operation, expression(b, node.value()));
}

}  // namespace torchbook::translate
