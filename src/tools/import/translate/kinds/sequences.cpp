#include <fmt/format.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/dtypes.h>
#include <tools/import/translate/cpp/forms.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/expressions/printing.h>
#include <tools/import/translate/expressions/subscripts.h>
#include <tools/import/translate/functions/function_calls.h>
#include <tools/import/translate/kinds/dict.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/kinds/orders.h>
#include <tools/import/translate/kinds/record.h>
#include <tools/import/translate/kinds/sequences.h>
#include <tools/import/translate/kinds/size.h>
#include <tools/import/translate/kinds/tuple.h>
#include <tools/import/translate/rows/builtins.h>
#include <tools/import/translate/rows/row.h>

namespace torchbook::translate {
namespace {

/// Returns a function that calls a function value. Adds the statements that define it to `before`.
Call call_of(const cpp::Expr& function, cpp::Stmts& before) {
  if (function.is(cpp::Kind::let)) {
    before.insert(before.end(), function.node().body.begin(), function.node().body.end());
    return call_of(function.part(0), before);
  }
  return [function](std::vector<cpp::Expr> given) {
    return function.is(cpp::Kind::name) ? cpp::call(function.text(), std::move(given))
                                        : cpp::invoke(function, std::move(given));
  };
}

}  // namespace

Value typed(Builder& b, const Value& list, const Type& fallback) {
  if (!list.is(Kind::list)) return list;
  if (list.literal && list.elements.empty()) return value_of(fallback, cpp::braces({}, cpp_type(fallback)));
  const bool mixes = list.literal && is_list_like(fallback) && fallback.items[0].is(Kind::scalar) &&
                     list.type.items[0].is_number();
  if (mixes) return list_with_type(list, list.elements, fallback);
  return rows_of(b, list);
}

Value slice_of(Builder& b, const Value& from, const Node& slice) {
  const auto bound = [&](const std::optional<Node>& at) {
    return at ? slice_bound(b, at) : cpp::name("std::nullopt");
  };
  auto start = bound(slice.lower());
  const auto stop = bound(slice.upper());
  const auto step = slice.step() ? bound(slice.step()) : cpp::number(1);
  const bool steps = !step.is(cpp::form::one);
  if (!slice.lower() && !steps) start = cpp::number(0);
  std::vector<cpp::Expr> given = {from.is(Kind::string) ? as_string(from) : typed(b, from, from.type).expr,
                                  start};
  if (slice.upper() || steps) given.push_back(stop);
  if (steps) given.push_back(step);
  return value_of(from.type, cpp::call("python::slice", std::move(given)));
}

/// `map(str, values)` of len, str, int and float
static Value mapped(Builder& b, const Node& function, const Value& values) {
  const auto name = function.is(Ast::Name) && b.scope().find(function.id()) == nullptr ? function.id() : "";
  const auto rows = rows_of(b, values);
  const auto& type = rows.type.items[0];
  const auto item = b.scope().fresh("item");
  auto each = value_of(type, cpp::name(item));
  each.temporary = false;
  cpp::Stmts before;  // they define a lambda
  if (name == "len") {
    each = length_of(b, each);
  } else if (name == "str") {
    each = filled(b, "{!s}", {each});
  } else if (name == "int" || name == "float") {
    each = converted(b, name, each);
  } else {
    const auto called = expression(b, function);
    if (!called.is(Kind::function)) refuse("map() is called with a function that is not translated");
    each = call_function(b, b.function_named(called.type.name()), call_of(called.expr, before),
                         {.positional = {each}});
  }
  const auto items = b.scope().fresh("items");
  auto collected = b.captured([&] {
    b.add(std::move(before));
    b.emit(cpp::Declare{.type = cpp_type(list_of(each.type)), .name = items});
    b.emit(cpp::Each{.declared = fmt::format("{} {}", cpp_parameter(type), item),
                     .over = rows.expr,
                     .body = b.captured([&] {
                       b.emit(cpp::Evaluate{cpp::method(cpp::name(items), "push_back", {each.expr})});
                     }),
                     .is_short = true});
  });
  return value_of(view_of(each.type), cpp::let(std::move(collected), cpp::name(items)));
}

Value numbers_of_range(const std::vector<Value>& bounds) {
  for (const auto& bound : bounds) {
    if (!bound.is(Kind::integer)) refuse("range takes {}", in_words(bound.type));
  }
  auto given = expressions_of(bounds);
  if (given.size() == 1) given.insert(given.begin(), cpp::number(0));
  if (given.size() != 2 && given.size() != 3) refuse("range has a wrong number of arguments");
  return value_of(list_of(Kind::integer, types::Sequence::range),
                  cpp::call(cpp::form::range, std::move(given)));
}

/// `zip(a, b)`: a list of tuples
static Value zipped(Builder& b, const RowCall& given) {
  const auto& values = given.arguments.positional;
  if (values.empty() || !given.arguments.named.empty()) given.refuse_form();
  Type item = Kind::tuple;
  std::vector<cpp::Expr> lists;
  for (const auto& each : values) {
    const auto rows = rows_of(b, each);
    item.items.push_back(rows.type.items[0]);
    lists.push_back(rows.expr);
  }
  return value_of(view_of(item), cpp::call("python::zip", std::move(lists)));
}

/// `enumerate(a, start=1)`: a list of tuples
static Value enumerated(Builder& b, const RowCall& given) {
  const auto [values, start] = given.as<2>();
  const auto rows = rows_of(b, *values);
  std::vector<cpp::Expr> parts = {rows.expr};
  if (start != nullptr) parts.push_back(start->expr);
  return value_of(view_of(tuple_type({Type(Kind::integer), rows.type.items[0]})),
                  cpp::call("python::enumerate", std::move(parts)));
}

static Value list_from(Builder& b, const RowCall& given) {
  const auto [values] = given.as<1>();
  if (values == nullptr) return Value{.type = Type(Kind::list), .expr = cpp::braces({}), .literal = true};
  if (values->type.is(types::Sequence::set)) return *values;  // a set, which has no order
  if (values->literal && values->is(Kind::list)) return *values;
  auto rows = rows_of(b, *values);
  rows.temporary = rows.temporary || !values->literal;  // C++ copies a named list when it gets another name
  return rows;
}

static Value tuple_from(Builder& b, const RowCall& given) {
  const auto [values] = given.as<1>();
  return values->is(Kind::tuple) ? *values : tuple_of(b, *values);
}

static Value reversed(Builder& b, const RowCall& given) {
  const auto rows = rows_of(b, *given.values[0]);
  return value_of(view_of(rows.type.items[0]), cpp::call("python::reversed", {rows.expr}));
}

/// `any(values)`, `all(values)`
static Value truth_of_all(Builder& b, const RowCall& given) {
  const auto rows = rows_of(b, *given.values[0]);
  if (!rows.type.items[0].is(Kind::boolean) || rows.acts())
    refuse("{} takes something other than bools", given.whole);
  return value_of(Kind::boolean, cpp::call(fmt::format("python::{}", given.name), {rows.expr}));
}

static Value range_of(Builder& /*b*/, const RowCall& given) {
  return numbers_of_range(given.arguments.positional);
}

static const std::vector<Row> functions_of_sequences = {
    {"zip", {}, zipped},
    {"enumerate", {{"iterable"}, {"start", {Kind::integer}, true}}, enumerated},
    {"list", {{"iterable", {}, true}}, list_from},
    {"tuple", {{"iterable"}}, tuple_from},
    {"reversed", {{"sequence"}}, reversed},
    {"any all", {{"iterable"}}, truth_of_all},
    {"range", {}, range_of}};

std::optional<Value> call_of_sequence(Builder& b, std::string_view name, const Node& node) {
  const auto given = node.args();
  const bool orders = name == "sorted" || name == "min" || name == "max";
  if (orders && given.size() == 1) return ordered(b, name, expression(b, given[0]), node);
  if (name == "map" && given.size() == 2) return mapped(b, given[0], expression(b, given[1]));
  const auto* row = row_named(functions_of_sequences, name);
  if (row == nullptr) return std::nullopt;
  return call_row(b, *row, name, fmt::format("{}()", name), arguments(b, node));
}

Value found_in(const Value& value, const cpp::Expr& all) {
  return value_of(Kind::boolean, cpp::call("python::contains", {all, value.expr}).in_order({1, 0}));
}

Value found_by_method(const Value& value, const Value& values) {
  return value_of(Kind::boolean, cpp::method(values.expr, "contains", {value.expr}).in_order({1, 0}));
}

Value found_in_rows(Builder& b, const Value& value, const Value& values) {
  if (is_empty(values.type) && !values.literal)
    return value_of(Kind::boolean, cpp::boolean(false));  // the second walk knows the items
  if (values.type.is(types::Sequence::set) && values.type.items[0] == value.type)
    return found_by_method(value, values);
  const auto rows = rows_of(b, values);
  if (!(rows.type.items[0] == value.type) || !has_equality(value.type))
    refuse("it looks for {} in {}", in_words(value.type), in_words(values.type));
  return found_in(value, rows.expr);
}

static Value joined_lists(Builder& b, const Value& left, const Value& right) {
  const auto type = left.type.items.empty()    ? right.type
                    : right.type.items.empty() ? left.type
                    : left.type == right.type  ? with_common_numbers(left.type, right.type)
                                               : left.type;
  const auto first = typed(b, left, type);
  const auto second = typed(b, right, type);
  if (!(first.type == second.type)) refuse("a list holds values of different types; a tuple may");
  return value_of(type, cpp::call(cpp::form::joined, {first.expr, second.expr}));
}

Value sequence_binary(Builder& b, Ast operation, const Value& left, const Value& right) {
  if (auto sizes = joined_sizes(operation, left, right)) return *sizes;
  const bool joins = operation == Ast::Add && left.is(Kind::list) && right.is(Kind::list);
  const bool empty = left.type.items.empty() && right.type.items.empty();
  if (joins && !empty) return joined_lists(b, left, right);
  const bool repeats = operation == Ast::Mult && left.is(Kind::list) && right.is(Kind::integer);
  if (!repeats || left.type.items.empty()) refuse_operands(left, right);
  if (left.type.items[0].is(Kind::list))
    b.found.limits.emplace("C++ repeats copies of a list, Python the list itself");
  return value_of(left.type, cpp::call("python::repeated", {typed(b, left, left.type).expr, right.expr}));
}

}  // namespace torchbook::translate
