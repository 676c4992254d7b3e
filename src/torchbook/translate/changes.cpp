// Translates augmented assignments: `total += x`.
#include <fmt/format.h>
#include <torchbook/translate/translator.h>

namespace torchbook::translate {

void Translator::change(const Node& node) {
  ++changes_;
  const auto target = node.child("target");
  const auto value = expression(node.child("value"));
  const auto operation = node.child("op").kind();
  if (target.is("Name")) {
    const auto name = std::string(target.text("id"));
    auto* const variable = scope().own(name);
    if (variable == nullptr)
      throw NotPorted(fmt::format("it changes {}, which is not a name of its own", name));
    if (!variable->missing.empty()) throw NotPorted(variable->missing);
    if (variable->optional) throw NotPorted("it changes a parameter that may be None");
    const bool of_loop = variable->is_constant && variable->definition.empty();
    if (of_loop) return change_in_loop(*variable, operation, value);
    if (variable->type.is(Kind::list) && variable->is_constant)
      throw NotPorted("it changes a list that has another name, too");
    const auto* later = facts_->later(variable->definition);
    if (variable->may_be_number) refuse_number_beside(*variable, value);
    if (!variable->type.is(Kind::tensor) || (later != nullptr && later->name != "either")) {
      return change_number(target, *variable,
                           binary_of(operation, value_of(variable->type, variable->code), value));
    }
  }
  const auto to = expression(target);
  if (!to.is(Kind::tensor)) return change_element(target, to, binary_of(operation, to, value));
  const std::map<std::string_view, std::string_view> in_place = {
      {"Add", "+="}, {"Sub", "-="}, {"Mult", "*="}, {"Div", "/="}};
  const auto found = in_place.find(operation);
  const bool one_index = !target.is("Subscript") || to.code.ends_with(']');
  if (!one_index && !to.acts) return assign_subscript(target, binary_of(operation, to, value));
  if (found == in_place.end() || !one_index)
    throw NotPorted("it changes a tensor in a way that is not translated");
  line(fmt::format("{} {} {};", to.code, found->second, value.code));
}

/// `for p in parameters: p -= rate * p.grad`
void Translator::change_in_loop(const Variable& variable, std::string_view operation, const Value& value) {
  static const std::map<std::string_view, std::string_view> methods = {
      {"Add", "add_"}, {"Sub", "sub_"}, {"Mult", "mul_"}, {"Div", "div_"}};
  const auto found = methods.find(operation);
  const bool fits = value.is(Kind::tensor) || value.type.is_number();
  if (!variable.type.is(Kind::tensor) || found == methods.end() || !fits)
    throw NotPorted("a loop assigns to its own name");
  line(fmt::format("{}.{}({});", variable.code, found->second, value.code));
}

/// `self.count += 1`, `counts[0] += 1`
void Translator::change_element(const Node& target, const Value& to, const Value& value) {
  if (!(to.type == value.type)) {
    throw NotPorted(fmt::format("it changes {} to {}", in_words(to.type), in_words(value.type)));
  }
  if (target.is("Attribute")) return assign_attribute(target, value);
  assign_subscript(target, value);
}

void Translator::change_number(const Node& target, Variable& variable, const Value& value) {
  if (!takes(std::string(target.text("id")), variable, value.type)) return assign_name(target, value);
  note_numbers(variable, value.type);
  line(assignment(variable.code, value));
}

}  // namespace torchbook::translate
