// Translates augmented assignments: `total += x`.
#include <fmt/format.h>
#include <tools/import/translate/lower/translator.h>

#include <map>
#include <string_view>

namespace torchbook::translate {

namespace {

const std::map<std::string_view, std::string_view> signs = {
    {"Add", "+="}, {"Sub", "-="}, {"Mult", "*="}, {"Div", "/="}};

/// The methods of tensors that do the same.
const std::map<std::string_view, std::string_view> in_place = {
    {"Add", "add_"}, {"Sub", "sub_"}, {"Mult", "mul_"}, {"Div", "div_"}};

}  // namespace

/// `total += x`: Python finds the target, then evaluates the value, and then changes the target.
void Translator::change(const Node& node) {
  const auto target = node.child("target");
  const auto operation = node.child("op").kind();
  if (target.is("Name")) return change_name(node, std::string(target.text("id")));
  change_place(target, operation, expression(node.child("value")));
}

/// `self.count += 1`, `counts[draw()] += 1`, `x[0] += 1`
void Translator::change_place(const Node& target, std::string_view operation, const Value& value) {
  auto to = expression(target);
  const auto sign = signs.find(operation);
  if (to.is(Kind::tensor)) {
    const bool one_index = !target.is("Subscript") || to.expr.is(cpp::Kind::subscript);
    if (one_index && sign == signs.end())
      throw NotPorted("it changes a tensor in a way that is not translated");
    note_attached(to.type, value.type);
    if (to.expr.is(cpp::Kind::method, "data"))  // `weight.data -= rate * weight.grad`
      return emit(cpp::Evaluate{cpp::method(to.expr, in_place.at(operation), {value.expr})});
    if (one_index)
      return emit(cpp::Assign{.to = to.expr, .value = value.expr, .sign = std::string(sign->second)});
    if (to.expr.acts()) throw NotPorted("an index of what it changes draws or changes something");
    return assign_subscript(target, binary_of(operation, to, value));
  }
  const bool chosen = target.is("Subscript") &&
                      (target.child("slice").is("Compare") || target.child("slice").is("Name")) &&
                      expression(target.child("slice")).is(Kind::array);
  if (chosen) throw NotPorted("it changes elements that an array of NumPy chooses");  // C++ has a copy
  if (to.is(Kind::array)) return change_array(operation, to, value);
  auto changed = binary_of(operation, to, value);
  if (!(to.type == changed.type))
    throw NotPorted("it changes {} to {}", in_words(to.type), in_words(changed.type));
  if ((operation == "Add" || operation == "Sub") && to.type.is_number()) {
    changed.sign = sign->second;
    changed.operand = value.expr;
  } else if (to.expr.acts() || conflict(to.expr.effects(), value.expr.effects())) {
    throw NotPorted("an index of what it changes draws or changes something");
  }
  if (target.is("Attribute")) return assign_attribute(target, changed);
  assign_subscript(target, changed);
}

void Translator::change_name(const Node& node, const std::string& name) {
  const auto target = node.child("target");
  const auto operation = node.child("op").kind();
  const auto value = expression(node.child("value"));
  auto* const variable = scope().own(name);
  if (variable == nullptr) throw NotPorted("it changes {}, which is not a name of its own", name);
  refuse_missing(*variable);
  if (variable->type.is(Kind::array)) return change_array(operation, expression(target), value);
  const bool tensor = variable->type.is(Kind::tensor);
  const bool of_loop = variable->is_constant && variable->definition.empty();
  if (of_loop) return change_in_loop(*variable, operation, value);
  if (variable->type.is(Kind::list) && variable->is_constant)
    throw NotPorted("it changes a list that no variable of C++ holds");
  const auto* later = facts_->later(variable->definition);
  if (variable->still_int) widen_int_beside(*variable, name, value);
  if (!tensor || (later != nullptr && !later->is(types::Leaf::either)))
    return change_number(target, *variable, operation, value);
  if (!signs.contains(operation)) throw NotPorted("it changes a tensor in a way that is not translated");
  note_attached(variable->type, value.type);
  emit(cpp::Assign{
      .to = expression(target).expr, .value = value.expr, .sign = std::string(signs.at(operation))});
}

/// `for p in parameters: p -= rate * p.grad`
void Translator::change_in_loop(const Variable& variable, std::string_view operation, const Value& value) {
  const auto found = in_place.find(operation);
  const bool fits = value.is(Kind::tensor) || value.type.is_number();
  if (!variable.type.is(Kind::tensor) || found == in_place.end() || !fits)
    throw NotPorted("a loop assigns to its own name");
  note_attached(variable.type, value.type);
  emit(cpp::Evaluate{cpp::method(cpp::name(variable.code), found->second, {value.expr})});
}

/// `total += x` of a variable that holds no tensor
void Translator::change_number(const Node& target, Variable& variable, std::string_view operation,
                               const Value& value) {
  const auto from =
      variable.optional ? expression(target) : value_of(variable.type, cpp::name(variable.code));
  const auto computed = binary_of(operation, from, value);
  if (!takes(std::string(target.text("id")), variable, computed.type)) return assign_name(target, computed);
  note_numbers(variable, computed.type);
  const bool sums = (operation == "Add" || operation == "Sub") && from.type.is_number();
  if (sums && (computed.type == from.type || from.is(Kind::scalar)))
    return emit(cpp::Assign{
        .to = from.expr, .value = value.expr, .sign = std::string(signs.at(operation)), .of_number = true});
  emit(cpp::Assign{.to = from.expr, .value = computed.expr});
}

}  // namespace torchbook::translate
