#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/expressions/operators.h>
#include <tools/import/translate/kinds/operations.h>

namespace torchbook::translate {
const Variable* int_as_double(Scope& scope, const Node& node) {
  const auto* variable = node.is(Ast::Name) ? scope.own(node.id()) : nullptr;
  return variable != nullptr && variable->still_int ? variable : nullptr;
}

void refuse_int(std::string_view name) { refuse("{} is an int first, and then a float", name); }

void refuse_int_beside(std::string_view name, const Value& partner) {
  const bool of_floats = partner.is(Kind::tensor) && partner.type.numbers() == Numbers::floating;
  if (!partner.is(Kind::floating) && !of_floats) refuse_int(name);
}

std::pair<Value, Value> two(Builder& b, const Node& left, const Node& right, bool divides) {
  // An int held as a double is only beside a float or in a division. Elsewhere, the result would differ.
  const auto operand = [&](const Node& node) {
    const auto* number = int_as_double(b.scope(), node);
    return number == nullptr ? expression(b, node) : value_of(number->type, cpp::name(number->code));
  };
  const auto* one = int_as_double(b.scope(), left);
  const auto* other = int_as_double(b.scope(), right);
  auto first = operand(left);
  auto second = operand(right);
  const auto check = [&](const Node& of, const Value& partner) {
    if (!divides || !partner.type.is_number()) refuse_int_beside(of.id(), partner);
  };
  if (one != nullptr && other != nullptr) refuse_int(left.id());
  if (one != nullptr) check(left, second);
  if (other != nullptr) check(right, first);
  return {std::move(first), std::move(second)};
}

Value binary(Builder& b, const Node& node) {
  const auto operation = node.op().kind();
  const auto [left, right] = two(b, node.left(), node.right(), operation == Ast::Div);
  return binary_of(b, operation, left, right);
}

}  // namespace torchbook::translate
