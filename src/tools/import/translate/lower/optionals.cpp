// Translates parameters that are None in some calls, and a number, a str or a module in others.
#include <fmt/format.h>
#include <tools/import/translate/lower/translator.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

/// What a test says about a parameter if it is true: `x is None`, `x is not None`.
enum class Asked { nothing, none, given };

Asked asked_of(const Node& test, std::string_view parameter) {
  if (!test.is("Compare") || test.list("ops").size() != 1) return Asked::nothing;
  const auto left = test.child("left");
  const auto right = test.list("comparators")[0];
  const bool none = right.is("Constant") && right.text("type") == "NoneType";
  if (!left.is_name(parameter) || !none) return Asked::nothing;
  const auto operation = test.list("ops")[0];
  return operation.is("Is") ? Asked::none : operation.is("IsNot") ? Asked::given : Asked::nothing;
}

}  // namespace

cpp::Expr none_of(const Type& type) {
  if (!type.optional) return cpp::call(type.is(Kind::random) ? "torch::Generator" : "Tensor", {});
  return cpp::name(type.is(Kind::module) ? "nullptr" : "std::nullopt");
}

/// Returns the branch of an if that runs, if its test asks for a parameter that is None in every
/// call. Applies only if the other branch unpacks or calls the parameter, which is a tensor in C++.
/// Otherwise nullopt.
std::optional<std::vector<Node>> Translator::known_branch(const Node& node) {
  const auto test = node.child("test");
  const auto of = test.is("Compare") ? test.child("left") : test;
  const auto* variable = of.is("Name") ? scope().find(of.text("id")) : nullptr;
  if (variable == nullptr || !variable->is_none) return std::nullopt;
  const auto asked = asked_of(test, of.text("id"));
  if (asked == Asked::nothing) return std::nullopt;
  const bool none = asked == Asked::none;
  const auto takes_apart = [&](const Node& inner) {
    const bool unpacks = inner.is("Assign") && inner.list("targets")[0].is("Tuple");
    return (unpacks && inner.child("value").is_name(of.text("id"))) || called_name(inner) == of.text("id");
  };
  const auto other = node.list(none ? "orelse" : "body");
  const bool any =
      std::any_of(other.begin(), other.end(), [&](const Node& each) { return each.any(takes_apart); });
  return any ? std::optional(node.list(none ? "body" : "orelse")) : std::nullopt;
}

/// `x is None` for a parameter that may be None; nullopt if it is another comparison.
std::optional<Value> Translator::asked_for_none(const Node& left, const Node& operation, const Node& right) {
  const auto* variable = left.is("Name") ? scope().find(left.text("id")) : nullptr;
  const bool none = right.is("Constant") && right.text("type") == "NoneType";
  const auto* made = is_of_self(left) ? frame_->of_class : nullptr;
  if (none && made != nullptr && made->empty_parts.contains(left.text("attr")) &&
      (operation.is("Is") || operation.is("IsNot"))) {
    const auto empty = cpp::method(own_member(left.text("attr")).expr, "is_empty").with_only({});
    return value_of(Kind::boolean, operation.is("Is") ? empty : cpp::unary("!", empty));
  }
  if (variable == nullptr || !variable->optional || !none) return std::nullopt;
  if (!operation.is("Is") && !operation.is("IsNot"))
    throw NotPorted("it compares a parameter with None by ==");
  note_reading(left.text("id"), *variable);
  const bool module = variable->type.is(Kind::module);
  const bool negated = operation.is("Is") != module;
  const auto asked = cpp::method(cpp::name(variable->code), module ? "is_empty" : "has_value").with_only({});
  return value_of(Kind::boolean, negated ? cpp::unary("!", asked) : asked);
}

}  // namespace torchbook::translate
