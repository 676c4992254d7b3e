#include <fmt/format.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/dtypes.h>
#include <tools/import/translate/expressions/attributes.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/comprehensions.h>
#include <tools/import/translate/expressions/conditions.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/expressions/operators.h>
#include <tools/import/translate/expressions/printing.h>
#include <tools/import/translate/expressions/subscripts.h>
#include <tools/import/translate/functions/functions.h>
#include <tools/import/translate/kinds/dict.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/kinds/sequences.h>
#include <tools/import/translate/rows/builtins.h>
#include <tools/import/translate/statements/later_types.h>

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

/// Gives `[]` beside `[1, 2]` the type of that.
static void give_items(Builder& b, std::vector<Value>& elements) {
  const auto filled = std::find_if(elements.begin(), elements.end(), [](const Value& each) {
    return each.type.is(types::Sequence::list) && !each.type.items.empty();
  });
  if (filled == elements.end()) return;
  const auto type = filled->type;
  for (auto& each : elements) {
    if (each.literal && each.is(Kind::list) && is_empty(each.type)) each = typed(b, each, type);
  }
}

static Value sequence(Builder& b, const Node& node) {
  const auto elements = node.elts();
  if (elements.size() == 1 && elements[0].is(Ast::Starred)) {  // a copy of a list
    auto list = expression(b, elements[0].value());
    if (list.is(Kind::list) && node.is(Ast::List) && !list.literal) return value_of(list.type, list.expr);
  }
  Value value = value_of(node.is(Ast::List) ? Kind::list : Kind::tuple, {});
  for (const auto& element : elements) {
    if (element.is(Ast::Starred)) refuse("a list has a starred element");
    value.elements.push_back(expression(b, element));
  }
  if (value.is(Kind::list)) give_items(b, value.elements);
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

/// `{1, 2}`
static Value set_written(Builder& b, const Node& node) {
  std::vector<Value> items;
  for (const auto& each : node.elts()) items.push_back(expression(b, each));
  const auto is_other = [&](const Value& each) { return !(each.type == items[0].type); };
  if (std::any_of(items.begin(), items.end(), is_other) || !has_order(items[0].type))
    refuse("a set in braces holds something other than numbers or strs of one type");
  const auto type = list_of(items[0].type, types::Sequence::set);
  return value_of(type, cpp::braces(expressions_of(items), cpp_type(type)));
}

Value expression(Builder& b, const Node& node) {
  using Part = Value (*)(Builder&, const Node&);
  static const std::map<Ast, Part> parts = {
      {Ast::Constant, constant},      {Ast::Name, name},
      {Ast::Tuple, sequence},         {Ast::List, sequence},
      {Ast::BinOp, binary},           {Ast::UnaryOp, unary},
      {Ast::Compare, compare},        {Ast::BoolOp, both_or_either},
      {Ast::IfExp, choice},           {Ast::Call, call},
      {Ast::Attribute, attribute},    {Ast::Subscript, subscript},
      {Ast::JoinedStr, f_string},     {Ast::Dict, dictionary},
      {Ast::ListComp, comprehension}, {Ast::GeneratorExp, comprehension},
      {Ast::DictComp, comprehension}, {Ast::Lambda, lambda},
      {Ast::Set, set_written}};
  const auto found = parts.find(node.kind());
  if (found == parts.end()) refuse("{} is not translated", in_words(node));
  auto value = with_line(node.line(), [&] { return found->second(b, node); });
  if (is_immutable(value.type) && !value.is(Kind::function) && !value.is(Kind::none))
    value.expr = value.expr.unrecorded();
  value.place = value.place || (node.is(Ast::Attribute) && !value.type.is_number() && !b.path_of(node));
  return value;
}

Value constant(Builder& /*b*/, const Node& node) {
  const auto type = node.type();
  const auto text = std::string(node.constant());
  Value value;
  if (type == "str") value = value_of(Kind::string, string_literal(text));
  if (type == "bool") value = value_of(Kind::boolean, cpp::boolean(text == "True"));
  if (type == "int") {
    constexpr std::size_t most_digits = 18;  // an int64_t holds them
    if (text.size() > most_digits) refuse("an int is too large for C++");
    value = value_of(Kind::integer, cpp::number(text));
    value.number = text;
  }
  if (type == "float") {
    const auto spelled = std::string(node.has_spelled() ? node.spelled() : text);
    value = text == "inf" ? infinity() : value_of(Kind::floating, cpp::number(spelled));
  }
  if (type == "NoneType") value = value_of(Kind::none, cpp::name("c10::nullopt"));
  if (!value.expr) refuse("a constant of type {} is not translated", type);
  value.literal = true;
  value.natural = value.is(Kind::integer);
  return value;
}

Value name(Builder& b, const Node& node) {
  const auto id = node.id();
  const auto* variable = b.scope().find(id);
  if (variable == nullptr && b.notebook.uses.assignments.contains(id))
    refuse("{} is assigned only in a cell below", id);
  if (const auto path = variable == nullptr ? b.path_of(node) : std::nullopt) return path_value(b, *path);
  if (variable == nullptr) refuse("the name {} is not known", id);
  refuse_missing(*variable);
  b.note_reading(id, *variable);
  if (variable->still_int) refuse_int(id);
  if (is_empty(variable->type)) b.here.open = fmt::format("the value of {} is not known", id);
  auto value = value_of(variable->type, variable->expr());
  value.place = variable->is_global;
  value.natural = variable->natural;
  const bool seen_by_function = variable != b.scope().own(id);
  if (seen_by_function) value.type = type_for_functions(b, std::string(id), *variable);
  if (b.is_recorded(value.type)) value.expr = value.expr.recorded();
  value.type.optional = variable->optional;
  value = not_none(value);
  if (value.is(Kind::error)) {
    value.expr = cpp::call("torchbook::error_text", {value.expr});
  }
  value.temporary = false;
  value.number = variable->number;
  return value;
}

}  // namespace torchbook::translate
