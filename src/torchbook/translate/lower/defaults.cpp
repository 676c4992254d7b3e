// Translates the default values of parameters.
#include <fmt/format.h>
#include <torchbook/translate/lower/translator.h>

namespace torchbook::translate {
namespace {

bool calls_anything(const Node& node) {
  bool calls = false;
  node.walk([&](const Node& each) {
    calls = calls || each.is("Call");
    return true;
  });
  return calls;
}

}  // namespace

bool Writer::reads_variables(const Node& node) const {
  bool reads = false;
  node.walk([&](const Node& each) {
    reads = reads || (each.is("Name") && frame_->scope.find(each.text("id")) != nullptr);
    return true;
  });
  return reads;
}

/// Returns the default value of a parameter in C++; empty if each call must pass it instead.
cpp::Expr Translator::default_code(const Node& node, const Type& type) {
  if (named_constant(node) != nullptr) return {};
  const auto value = expression(node);
  if (value.is(Kind::none) && !type.optional) return type.is(Kind::tensor) ? cpp::braces({}) : cpp::Expr();
  if (value.is(Kind::none)) return none_of(type);
  if (type.is(Kind::tuple) && !(value.type == type))
    throw NotPorted("a default value has another type than what a call gives");
  if (value.type.name() == tensor_function)
    return {};  // C++ does not learn the type of a function from its default
  if (reads_variables(node) || (!value.literal && !value.is(Kind::floating) && !value.is(Kind::dtype)))
    throw NotPorted("a default value is not a number, a str, a bool or None");
  return type.is(Kind::floating) ? floating_literal(value) : value.expr;
}

/// Returns the variable of the notebook that a default value names, if nothing ever changes it;
/// otherwise nullptr.
const Variable* Translator::named_constant(const Node& node) {
  const auto* variable = node.is("Name") ? notebook_.scope.find(node.text("id")) : nullptr;
  if (variable == nullptr || !variable->is_constant || !variable->missing.empty()) return nullptr;
  const auto& type = variable->type;
  const bool plain =
      type.is_number() || type.is(Kind::string) || type.is(Kind::dtype) || type.is(Kind::device);
  return plain ? variable : nullptr;
}

/// Returns the default value for an argument that a call leaves out.
Value Translator::default_value(const Node& node) {
  const auto* named = named_constant(node);
  const bool stands = named != nullptr && scope().find(node.text("id")) == named && named->depth == 0 &&
                      !named->definition.empty();
  if (stands) return name(node);
  // default_code() let it pass, so it named a constant where the function was defined.
  if (named != nullptr || reads_variables(node))
    throw NotPorted("a default value has a name that means something else where it is called");
  if (calls_anything(node)) throw NotPorted("a default value is not a number, a str, a bool or None");
  return expression(node);
}

}  // namespace torchbook::translate
