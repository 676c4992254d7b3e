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

/// Whether a test is `x is None` or `x == None`.
bool is_none_test(const Node& test) {
  if (!test.is("Compare") || test.list("ops").size() != 1) return false;
  const auto right = test.list("comparators")[0];
  const auto operation = test.list("ops")[0];
  return right.is("Constant") && right.text("type") == "NoneType" &&
         (operation.is("Is") || operation.is("Eq"));
}

/// Whether the parameter is not None after the statements, whatever it was before.
bool gives(const std::vector<Node>& statements, std::string_view parameter) {
  return std::any_of(statements.begin(), statements.end(), [&](const Node& each) {
    if (!each.is("Assign") || each.child("value").is("Constant"))
      return each.is("Raise") || each.is("Return");
    const auto targets = each.list("targets");
    return targets.size() == 1 && targets[0].is_name(parameter);
  });
}

void refuse(const Node& node, std::string_view parameter);

void refuse_in(const std::vector<Node>& statements, std::string_view parameter) {
  for (const auto& each : statements) {
    refuse(each, parameter);
    const bool behind = each.is("If") && asked_of(each.child("test"), parameter) == Asked::none &&
                        gives(each.list("body"), parameter);
    const bool assigned = each.is("Assign") && gives({each}, parameter) && !each.is("Return");
    if (behind || assigned) return;
  }
}

/// Throws if a node reads the parameter where it may be None.
void refuse(const Node& node, std::string_view parameter) {
  if (node.is_name(parameter) && node.child("ctx").is("Load"))
    throw NotPorted("{} may be None where it is read", parameter);
  if (asked_of(node, parameter) != Asked::nothing) return;
  if (node.is("If") || node.is("IfExp")) {
    const auto asked = asked_of(node.child("test"), parameter);
    refuse(node.child("test"), parameter);
    const auto parts = [&](const char* name) {
      return node.is("If") ? node.list(name) : std::vector{node.child(name)};
    };
    if (asked != Asked::given) refuse_in(parts("body"), parameter);
    if (asked != Asked::none) refuse_in(parts("orelse"), parameter);
    return;
  }
  for (const auto& each : node.children()) refuse(each, parameter);
}

}  // namespace

void refuse_unless_asked(const Node& function, std::string_view parameter) {
  refuse_in(function.is("Lambda") ? std::vector{function.child("body")} : function.list("body"), parameter);
}

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

/// Notes the variables that are numbers only if a parameter is None:
/// `if targets is None: loss = 0` with `else: loss = F.cross_entropy(logits, targets)`.
void Translator::note_number_if_none(const Node& node) {
  const auto of = node.child("test").is("Compare") ? node.child("test").child("left") : node;
  const auto name = of.is("Name") ? std::string(of.text("id")) : "";
  const auto* parameter = scope().own(name);
  const bool given = parameter != nullptr && parameter->is_given && !parameter->definition.empty();
  if (!given || !is_none_test(node.child("test")) || scope().depth() > 0 || frame_->loops > 0) return;
  std::map<std::string, int, std::less<>> inside;
  for (const auto& each : node.list("orelse")) {
    each.walk([&](const Node& part) {
      for (const auto& target : targets_of(part)) {
        for (const auto& assigned : assigned_to(target)) ++inside[assigned];
      }
    });
  }
  const auto all = frame_->uses.assignments.find(name);
  if (all != frame_->uses.assignments.end() && all->second != inside[name]) return;  // it may change above
  const auto assigns_number = [](const Node& each, const std::string& to) {
    const auto targets = targets_of(each);
    return each.is("Assign") && targets.size() == 1 && targets[0].is_name(to) &&
           each.child("value").is("Constant");
  };
  for (const auto& assigned : assigned_names(node.list("body"))) {
    auto* variable = scope().own(assigned);
    const auto body = node.list("body");
    const auto otherwise = node.list("orelse");
    const bool number = std::any_of(body.begin(), body.end(),
                                    [&](const Node& each) { return assigns_number(each, assigned); });
    const bool tensor = std::any_of(otherwise.begin(), otherwise.end(), [&](const Node& each) {
      const auto targets = targets_of(each);
      return each.is("Assign") && targets.size() == 1 && targets[0].is_name(assigned) &&
             !each.child("value").is("Constant");
    });
    const auto times = frame_->uses.assignments.find(assigned);
    const bool only = times != frame_->uses.assignments.end() && times->second == 2;
    if (variable != nullptr && variable->may_be_number && variable->type.is(Kind::tensor) && number &&
        tensor && only)
      variable->number_if_none = name;
  }
}

/// Whether an argument is a tensor that cannot be None: not a parameter that a call may leave out, nor a
/// variable that holds None at first.
bool Translator::is_surely_given(const Value& value) const {
  if (!value.is(Kind::tensor)) return false;
  if (value.temporary) return !value.expr.is(cpp::Kind::choice);  // `y if given else None`
  const auto* variable =
      value.expr.is(cpp::Kind::name) ? frame_->scope.with_code(value.expr.text()) : nullptr;
  if (variable == nullptr) return false;
  const bool parameter = variable->is_given && !variable->definition.empty();
  return !parameter && facts_->later(variable->definition) == nullptr;
}

/// Refuses a call whose result may have a number where C++ has a tensor, unless no one reads that part.
void Translator::refuse_numbers_if_none(const Function& function, const Arguments& arguments) {
  const auto& all = function.parameters;
  for (const auto& [part, name] : function.numbers_if_none) {
    std::size_t place = 0;
    while (place < all.size() && all[place].name != name) ++place;
    const auto* given = place < all.size() ? arguments.find(name, place) : nullptr;
    if (given != nullptr && is_surely_given(*given)) continue;
    const bool unread = call_ == unpacked_ && part < unpacked_names_.size() &&
                        !unpacked_names_[part].empty() && !is_read(frame_->uses, unpacked_names_[part]);
    if (!unread) throw NotPorted("part {} of a result may be a number, and not a tensor", part + 1);
  }
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
  if (none && left.is("Attribute") && made == nullptr) {
    const auto* base = class_of(expression(left.child("value")).type);
    if (base != nullptr && base->partial.contains(left.text("attr")))
      throw NotPorted("not all classes that the object may have have the attribute {}", left.text("attr"));
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
