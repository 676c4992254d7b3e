#include <fmt/format.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/functions/function_calls.h>
#include <tools/import/translate/kinds/counter.h>
#include <tools/import/translate/kinds/dict.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/kinds/orders.h>
#include <tools/import/translate/kinds/tensor.h>
#include <tools/import/translate/rows/functions_by_hand.h>

#include <utility>

namespace torchbook::translate {
namespace {

std::optional<Node> argument_named(const Node& call, std::string_view name) {
  for (const auto& keyword : call.keywords()) {
    if (keyword.has_arg() && keyword.arg() == name) return keyword.value();
  }
  return std::nullopt;
}

/// Returns the items of a set as a list of that type, in C++'s order.
cpp::Expr list_of_set(const cpp::Expr& set, const std::string& type) {
  if (set.is(cpp::Kind::let)) return cpp::let(set.node().body, list_of_set(set.part(0), type));
  return cpp::call(type, {cpp::method(set, "begin"), cpp::method(set, "end")});
}

cpp::Stmts returning(cpp::Expr value) { return {{.kind = cpp::Return{std::move(value)}}}; }

}  // namespace

cpp::Expr key_function(Builder& b, const Node& key, const Type& item) {
  if (key.is(Ast::Name) && b.scope().find(key.id()) == nullptr) {
    const auto value = length_of(b, value_of(item, cpp::name("item")));
    if (key.id() != "len") refuse("the key of an order is not translated");
    return cpp::lambda("", {{.type = cpp_parameter(item), .name = "item"}}, returning(value.expr));
  }
  if (key.is(Ast::Attribute) && key.attr() == "get") {
    auto dict = expression(b, key.value());
    if (dict.is(Kind::counter)) dict = dict_of_counter(dict);
    if (!dict.is(Kind::dict) || dict.type.items.empty() || !(dict.type.items[0] == item) ||
        !has_order(dict.type.items[1]))
      refuse("the key of an order is not translated");
    const auto entry = cpp::method(dict.expr, "at", {cpp::name("key")});
    return cpp::lambda("&", {{.type = cpp_parameter(item), .name = "key"}}, returning(entry));
  }
  if (const auto function = key.is(Ast::Name) ? expression(b, key) : Value{}; function.is(Kind::function)) {
    const Call call = [&](std::vector<cpp::Expr> given) {
      return cpp::call(function.expr.text(), std::move(given));
    };
    const auto place = call_function(b, b.function_named(function.type.name()), call,
                                     {.positional = {value_of(item, cpp::name("item"))}});
    if (!has_order(place.type) || place.acts()) refuse("the key of an order is not translated");
    return cpp::lambda("&", {{.type = cpp_parameter(item), .name = "item"}}, returning(place.expr));
  }
  if (!key.is(Ast::Lambda) || key.parameters().args().size() != 1)
    refuse("the key of an order is not translated");
  const auto name = std::string(key.parameters().args()[0].arg());
  const auto* hidden = b.scope().own(name);
  const auto before = hidden == nullptr ? std::nullopt : std::optional(*hidden);
  b.scope().open();
  const auto parameter = b.scope().declare(name, item).code;
  auto value = expression(b, key.single_body());
  if (value.is(Kind::tensor)) value = item_of_tensor(value);  // Python raises unless it has one element
  auto body = b.captured([&] { b.emit(cpp::Return{value.expr}); });
  b.scope().close();
  if (before) b.scope().show(name, *before);
  if (!has_order(value.type) || value.acts()) refuse("the key of an order is not translated");
  return cpp::lambda("&", {{.type = cpp_parameter(item), .name = parameter}}, std::move(body),
                     value.is(Kind::scalar) ? cpp_type(value.type) : "");
}

Value ordered(Builder& b, std::string_view name, const Value& values, const Node& call) {
  if (is_empty(values.type)) refuse_empty(values.type);
  const auto key = argument_named(call, "key");
  const auto reverse = argument_named(call, "reverse");
  if (call.keywords().size() != std::size_t{key.has_value()} + std::size_t{reverse.has_value()} ||
      (reverse && name != "sorted")) {
    refuse("{} has an argument that is not translated", name);
  }
  auto rows =
      values.type.is(types::Sequence::set) ? value_of(list_of(values.type.items[0]), {}) : rows_of(b, values);
  if (values.type.is(types::Sequence::set)) {
    if (name != "sorted" && key) refuse("the order of a set differs from run to run; sorted(…) has one");
    rows.expr = list_of_set(values.expr, cpp_type(rows.type));
    if (name == "sorted" && !key && !reverse) return rows;
  }
  const auto& item = rows.type.items[0];
  const bool tensors = !key && item.is(Kind::tensor);  // Python raises unless each has one element
  if (!key && !tensors && !has_order(item)) refuse("{}() compares {}", name, in_words(item));
  std::vector<cpp::Expr> given = {rows.expr};
  cpp::Effects of_key;
  if (key) {
    given.push_back(key_function(b, *key, item));
    of_key = cpp::effects_of(given.back().node().body);
  } else if (tensors) {
    const auto number = cpp::method(cpp::name("item"), "item<double>");
    given.push_back(cpp::lambda("", {{.type = "const Tensor&", .name = "item"}}, returning(number)));
  } else if (reverse) {
    given.push_back(cpp::call("std::identity", {}));
  }
  if (reverse) {
    const auto value = expression(b, *reverse);
    if (!value.is(Kind::boolean)) refuse("the argument reverse of sorted() is not a bool");
    given.push_back(value.expr);
  }
  const std::map<std::string_view, std::string> functions = {
      {"sorted", "python::sorted"}, {"min", "python::smallest"}, {"max", "python::largest"}};
  return value_of(name == "sorted" ? list_of(item) : item,
                  cpp::call(functions.at(name), std::move(given)).with(of_key));
}

}  // namespace torchbook::translate
