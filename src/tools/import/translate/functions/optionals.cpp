#include <fmt/format.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/cpp/forms.h>
#include <tools/import/translate/expressions/attributes.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/functions/optionals.h>
#include <tools/import/translate/rows/functions_by_hand.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

/// What a test says about a parameter if it is true: `x is None`, `x is not None`.
enum class Asked { nothing, none, given };

Asked asked_of(const Node& test, std::string_view parameter) {
  if (!test.is(Ast::Compare) || test.ops().size() != 1) return Asked::nothing;
  const auto left = test.left();
  const auto right = test.comparators()[0];
  const bool none = right.is(Ast::Constant) && right.type() == "NoneType";
  if (!left.is_name(parameter) || !none) return Asked::nothing;
  const auto operation = test.ops()[0];
  return operation.is(Ast::Is) ? Asked::none : operation.is(Ast::IsNot) ? Asked::given : Asked::nothing;
}

}  // namespace

cpp::Expr none_of(const Type& type) {
  if (is_function_of_torch(type)) return cpp::name("nullptr");
  if (!type.optional) return cpp::call(type.is(Kind::random) ? "torch::Generator" : "Tensor", {});
  return cpp::name(type.is(Kind::module) || type.is(Kind::optimizer) ? "nullptr" : "std::nullopt");
}

std::optional<std::vector<Node>> known_branch(Builder& b, const Node& node) {
  const auto test = node.test();
  const auto of = test.is(Ast::Compare) ? test.left() : test;
  const auto* variable = of.is(Ast::Name) ? b.scope().find(of.id()) : nullptr;
  if (variable == nullptr || !variable->is_none) return std::nullopt;
  const auto asked = asked_of(test, of.id());
  if (asked == Asked::nothing) return std::nullopt;
  const bool none = asked == Asked::none;
  const auto takes_apart = [&](const Node& inner) {
    const bool unpacks = inner.is(Ast::Assign) && inner.targets()[0].is(Ast::Tuple);
    return (unpacks && inner.value().is_name(of.id())) || called_name(inner) == of.id();
  };
  const auto other = none ? node.orelse() : node.body();
  const bool any =
      std::any_of(other.begin(), other.end(), [&](const Node& each) { return each.any(takes_apart); });
  return any ? std::optional(none ? node.body() : node.orelse()) : std::nullopt;
}

std::optional<Value> asked_for_none(Builder& b, const Node& left, const Node& operation, const Node& right) {
  const auto* variable = left.is(Ast::Name) ? b.scope().find(left.id()) : nullptr;
  const bool none = right.is(Ast::Constant) && right.type() == "NoneType";
  const auto* made = is_of_self(left) ? b.frame->of_class : nullptr;
  if (none && made != nullptr && made->empty_parts.contains(left.attr()) &&
      (operation.is(Ast::Is) || operation.is(Ast::IsNot))) {
    const auto empty = cpp::method(own_member(b, left.attr()).expr, "is_empty").with_only({});
    return value_of(Kind::boolean, operation.is(Ast::Is) ? empty : cpp::unary("!", empty));
  }
  if (none && left.is(Ast::Attribute) && (operation.is(Ast::Is) || operation.is(Ast::IsNot))) {
    const auto value = expression(b, left);
    if (!value.expr.is(cpp::form::value_of_optional)) return std::nullopt;
    const auto has = cpp::method(value.expr.part(0), "has_value").with_only(value.expr.effects());
    return value_of(Kind::boolean, operation.is(Ast::Is) ? cpp::unary("!", has) : has);
  }
  if (variable == nullptr || !(variable->optional || variable->none_first) || !none) return std::nullopt;
  if (!operation.is(Ast::Is) && !operation.is(Ast::IsNot))
    refuse("it compares {} with None by ==", left.id());
  b.note_reading(left.id(), *variable);
  if (variable->type.is(Kind::optimizer))
    return value_of(Kind::boolean, cpp::binary(cpp::name(variable->code),
                                               operation.is(Ast::Is) ? "==" : "!=", cpp::name("nullptr")));
  const bool module = variable->type.is(Kind::module);
  const bool negated = operation.is(Ast::Is) != (module || variable->none_first);
  const auto* const method = module ? "is_empty" : variable->none_first ? "empty" : "has_value";
  const auto contents = cpp::reads(cpp::Place::contents, variable->code);
  const auto asked = cpp::method(cpp::name(variable->code), method)
                         .with_only(variable->none_first ? contents : cpp::Effects{});
  return value_of(Kind::boolean, negated ? cpp::unary("!", asked) : asked);
}

}  // namespace torchbook::translate
