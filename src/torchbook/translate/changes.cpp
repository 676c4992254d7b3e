// Translates augmented assignments: `total += x`.
#include <fmt/format.h>
#include <torchbook/translate/translator.h>

#include <map>
#include <string_view>

namespace torchbook::translate {

namespace {

const std::map<std::string_view, std::string_view> signs = {
    {"Add", "+="}, {"Sub", "-="}, {"Mult", "*="}, {"Div", "/="}};

/// Returns the new value of a number, with `+= 2` if C++ computes it in the same way.
Value changed(Value computed, const Value& from, std::string_view operation, const Value& by) {
  const bool sums = (operation == "Add" || operation == "Sub") && from.type.is_number();
  if (sums && computed.type == from.type)
    computed.in_place = fmt::format("{} {}", signs.at(operation), by.code);
  return computed;
}

}  // namespace

/// `total += x`: Python finds the target, then evaluates the value, and then changes the target.
void Translator::change(const Node& node) {
  const auto target = node.child("target");
  const auto operation = node.child("op").kind();
  if (target.is("Name")) return change_name(node, std::string(target.text("id")));
  const int acts = acts_;
  auto to = expression(target);
  if (acts != acts_) throw NotPorted("it draws or changes something to find what it changes");
  const auto before = progress();
  const auto value = expression(node.child("value"));
  const bool later = changes_ != before.changes;  // the target is read before the value changes something
  if (later && (lines_->size() != before.lines || !(to.type.is_number() || to.is(Kind::string))))
    throw NotPorted("its order of evaluation would change");
  if (later) to = hold(to, "before");
  ++changes_;
  if (later) return change_element(target, to, binary_of(operation, to, value));
  if (!to.is(Kind::tensor))
    return change_element(target, to, changed(binary_of(operation, to, value), to, operation, value));
  const bool one_index = !target.is("Subscript") || to.code.ends_with(']');
  if (!one_index) return assign_subscript(target, binary_of(operation, to, value));
  if (!signs.contains(operation)) throw NotPorted("it changes a tensor in a way that is not translated");
  line(fmt::format("{} {} {};", to.code, signs.at(operation), value.code));
}

void Translator::change_name(const Node& node, const std::string& name) {
  const auto target = node.child("target");
  const auto operation = node.child("op").kind();
  const auto value = expression(node.child("value"));
  auto* const variable = scope().own(name);
  if (variable == nullptr)
    throw NotPorted(fmt::format("it changes {}, which is not a name of its own", name));
  if (!variable->missing.empty()) throw NotPorted(variable->missing);
  if (variable->optional) throw NotPorted("it changes a parameter that may be None");
  const bool tensor = variable->type.is(Kind::tensor);
  note_change(!frame_->is_notebook && !tensor);
  const bool of_loop = variable->is_constant && variable->definition.empty();
  if (of_loop) return change_in_loop(*variable, operation, value);
  if (variable->type.is(Kind::list) && variable->is_constant)
    throw NotPorted("it changes a list that has another name, too");
  const auto* later = facts_->later(variable->definition);
  if (variable->may_be_number) refuse_number_beside(*variable, value);
  if (!tensor || (later != nullptr && later->name != "either")) {
    const auto from = value_of(variable->type, variable->code);
    return change_number(target, *variable,
                         changed(binary_of(operation, from, value), from, operation, value));
  }
  if (!signs.contains(operation)) throw NotPorted("it changes a tensor in a way that is not translated");
  line(fmt::format("{} {} {};", expression(target).code, signs.at(operation), value.code));
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
  line(stored(variable.code, value));
}

}  // namespace torchbook::translate
