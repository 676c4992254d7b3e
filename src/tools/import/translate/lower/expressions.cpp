// Translates literals, names and lists.
#include <fmt/format.h>
#include <tools/import/translate/dtypes.h>
#include <tools/import/translate/lower/translator.h>

namespace torchbook::translate {
namespace {

/// Returns a list or tuple as an expression with a type if C++ has one for it, and otherwise in
/// braces.
cpp::Expr written_out(const Value& list) {
  if (list.elements.empty()) return cpp::braces({});
  try {
    return printable(list);
  } catch (const NotPorted&) {
    return in_braces(list.elements);
  }
}

}  // namespace

Value Translator::expression(const Node& node) {
  using Part = Value (Translator::*)(const Node&);
  static const std::map<std::string_view, Part> parts = {
      {"Constant", &Translator::constant},      {"Name", &Translator::name},
      {"Tuple", &Translator::sequence},         {"List", &Translator::sequence},
      {"BinOp", &Translator::binary},           {"UnaryOp", &Translator::unary},
      {"Compare", &Translator::compare},        {"BoolOp", &Translator::both_or_either},
      {"IfExp", &Translator::choice},           {"Call", &Translator::call},
      {"Attribute", &Translator::attribute},    {"Subscript", &Translator::subscript},
      {"JoinedStr", &Translator::f_string},     {"Dict", &Translator::dictionary},
      {"ListComp", &Translator::comprehension}, {"GeneratorExp", &Translator::comprehension},
      {"DictComp", &Translator::comprehension}, {"Lambda", &Translator::lambda}};
  const auto found = parts.find(node.kind());
  if (found == parts.end()) throw NotPorted("{} is not translated", in_words(node));
  auto value = with_line(node.line(), [&] { return (this->*found->second)(node); });
  if (is_immutable(value.type) && !value.is(Kind::function) && !value.is(Kind::none))
    value.expr = value.expr.unrecorded();
  value.place = value.place || (node.is("Attribute") && !value.type.is_number() && !path_of(node));
  return value;
}

Value Translator::constant(const Node& node) {
  const auto type = node.text("type");
  const auto text = std::string(node.text("value"));
  Value value;
  if (type == "str") value = value_of(Kind::string, string_literal(text));
  if (type == "bool") value = value_of(Kind::boolean, cpp::boolean(text == "True"));
  if (type == "int") {
    constexpr std::size_t most_digits = 18;  // an int64_t holds them
    if (text.size() > most_digits) throw NotPorted("an int is too large for C++");
    value = value_of(Kind::integer, cpp::number(text));
    value.number = text;
  }
  if (type == "float") {
    const auto spelled = std::string(node.has("spelled") ? node.text("spelled") : text);
    value = text == "inf" ? infinity() : value_of(Kind::floating, cpp::number(spelled));
  }
  if (type == "NoneType") value = value_of(Kind::none, cpp::name("c10::nullopt"));
  if (!value.expr) throw NotPorted("a constant of type {} is not translated", type);
  value.literal = true;
  value.natural = value.is(Kind::integer);
  return value;
}

void Translator::note_reading(std::string_view name, const Variable& variable) {
  const auto& type = variable.type;
  const bool lasts = variable.is_static || type.is(Kind::new_class) ||
                     (type.is(Kind::function) && function_named(type.name()).is_static);
  for (auto* frame = frame_; !frame->is_notebook && frame->scope.own(name) == nullptr; frame = frame->outer) {
    frame->reads_outside = frame->reads_outside || !lasts;
    frame->outer_names.emplace(name);
    if (frame->of_class != nullptr && !lasts)
      throw NotPorted("a class of C++ cannot read {}, a variable of the notebook", name);
  }
}

Value Translator::name(const Node& node) {
  const auto id = node.text("id");
  const auto* variable = scope().find(id);
  if (variable == nullptr && notebook_.uses.assignments.contains(id))
    throw NotPorted("{} is assigned only in a cell below", id);
  if (const auto path = variable == nullptr ? path_of(node) : std::nullopt) return path_value(*path);
  if (variable == nullptr) throw NotPorted("the name {} is not known", id);
  refuse_missing(*variable);
  note_reading(id, *variable);
  if (variable->still_int) widen_int(*variable, id);
  if (is_empty(variable->type)) open_ = fmt::format("what {} holds is not known", id);
  auto value = value_of(variable->type, cpp::name(variable->code));
  value.natural = variable->natural;
  const bool seen_by_function = variable != scope().own(id);
  if (const auto* seen = facts_->later(in_functions(*variable)); seen != nullptr && seen_by_function)
    value.type = *seen;
  if (is_recorded(value.type)) value.expr = value.expr.recorded();
  if (variable->optional && !value.is(Kind::module))
    value.expr = cpp::method(value.expr, "value").with_only({});
  if (value.is(Kind::error)) {
    value.expr = cpp::call("torchbook::error_text", {value.expr});
  }
  value.temporary = false;
  value.number = variable->number;
  return value;
}

Value Translator::sequence(const Node& node) {
  const auto elements = node.list("elts");
  if (elements.size() == 1 && elements[0].is("Starred")) {  // a copy of a list
    auto list = expression(elements[0].child("value"));
    if (list.is(Kind::list) && node.is("List") && !list.literal) return value_of(list.type, list.expr);
  }
  Value value = value_of(node.is("List") ? Kind::list : Kind::tuple, {});
  for (const auto& element : elements) {
    if (element.is("Starred")) throw NotPorted("a list has a starred element");
    value.elements.push_back(expression(element));
  }
  for (const auto& element : value.elements) {
    if (value.is(Kind::tuple)) value.type.items.push_back(without_numbers(element.type));
  }
  if (value.is(Kind::list) && !value.elements.empty()) {
    std::optional<Type> common = as_item(value.elements[0].type);
    for (const auto& element : value.elements) {
      const auto both =
          common ? common_container(list_of(*common), list_of(as_item(element.type))) : std::nullopt;
      common = both ? std::optional(both->items[0]) : std::nullopt;
    }
    // Elements of different types can only become a tensor.
    value.type.items = {common.value_or(Type{})};
  }
  value.literal = true;
  value.expr = written_out(value);
  return value;
}

}  // namespace torchbook::translate
