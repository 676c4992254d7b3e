// Translates sorted(), min() and max() of sequences, with their keys.
#include <fmt/format.h>
#include <tools/import/translate/lower/translator.h>

#include <algorithm>
#include <utility>

namespace torchbook::translate {
namespace {

std::optional<Node> argument_named(const Node& call, std::string_view name) {
  for (const auto& keyword : call.list("keywords")) {
    if (keyword.has("arg") && keyword.text("arg") == name) return keyword.child("value");
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

/// `key=len`, `key=counts.get` or `key=lambda item: …` of sorted(), min() and max(), as a lambda of C++.
cpp::Expr Translator::key_function(const Node& key, const Type& item) {
  if (key.is("Name") && scope().find(key.text("id")) == nullptr) {
    const auto value = length_of(value_of(item, cpp::name("item")));
    if (key.text("id") != "len") throw NotPorted("the key of an order is not translated");
    return cpp::lambda("", {{.type = cpp_parameter(item), .name = "item"}}, returning(value.expr));
  }
  if (key.is("Attribute") && key.text("attr") == "get") {
    auto dict = expression(key.child("value"));
    if (is_counter(dict.type)) dict = dict_of_counter(dict);
    if (!dict.is(Kind::dict) || dict.type.items.empty() || !(dict.type.items[0] == item) ||
        !has_order(dict.type.items[1]))
      throw NotPorted("the key of an order is not translated");
    const auto entry = cpp::method(dict.expr, "at", {cpp::name("key")});
    return cpp::lambda("&", {{.type = cpp_parameter(item), .name = "key"}}, returning(entry));
  }
  if (const auto function = key.is("Name") ? expression(key) : Value{}; function.is(Kind::function)) {
    const Call call = [&](std::vector<cpp::Expr> given) {
      return cpp::call(function.expr.text(), std::move(given));
    };
    const auto place = call_function(function_named(function.type.name()), call,
                                     {.positional = {value_of(item, cpp::name("item"))}});
    if (!has_order(place.type) || place.acts()) throw NotPorted("the key of an order is not translated");
    return cpp::lambda("&", {{.type = cpp_parameter(item), .name = "item"}}, returning(place.expr));
  }
  if (!key.is("Lambda") || key.child("args").list("args").size() != 1)
    throw NotPorted("the key of an order is not translated");
  const auto name = std::string(key.child("args").list("args")[0].text("arg"));
  const auto* hidden = scope().own(name);
  const auto before = hidden == nullptr ? std::nullopt : std::optional(*hidden);
  scope().open();
  const auto parameter = scope().declare(name, item).code;
  auto value = expression(key.child("body"));
  if (value.is(Kind::tensor)) value = item_of_tensor(value);  // of one element, or Python raises
  auto body = captured([&] { emit(cpp::Return{value.expr}); });
  scope().close();
  if (before) scope().show(name, *before);
  if (!has_order(value.type) || value.acts()) throw NotPorted("the key of an order is not translated");
  return cpp::lambda("&", {{.type = cpp_parameter(item), .name = parameter}}, std::move(body),
                     value.is(Kind::scalar) ? cpp_type(value.type) : "");
}

/// `sorted(values, key=…, reverse=True)`, `min(values)` and `max(values)`
Value Translator::ordered(std::string_view name, const Value& values, const Node& call) {
  const auto key = argument_named(call, "key");
  const auto reverse = argument_named(call, "reverse");
  if (call.list("keywords").size() != std::size_t{key.has_value()} + std::size_t{reverse.has_value()} ||
      (reverse && name != "sorted")) {
    throw NotPorted("{} has an argument that is not translated", name);
  }
  auto rows =
      values.type.is(types::Sequence::set) ? value_of(list_of(values.type.items[0]), {}) : rows_of(values);
  if (values.type.is(types::Sequence::set)) {
    if (name != "sorted" && key)
      throw NotPorted("the order of a set differs from run to run; sorted(…) has one");
    rows.expr = list_of_set(values.expr, cpp_type(rows.type));
    if (name == "sorted" && !key && !reverse) return rows;
  }
  const auto& item = rows.type.items[0];
  const bool tensors = !key && item.is(Kind::tensor);  // of one element each, or Python raises
  if (!key && !tensors && !has_order(item)) throw NotPorted("{}() compares {}", name, in_words(item));
  std::vector<cpp::Expr> given = {rows.expr};
  cpp::Effects of_key;
  if (key) {
    given.push_back(key_function(*key, item));
    of_key = cpp::effects_of(given.back().node().body);
  } else if (tensors) {
    const auto number = cpp::method(cpp::name("item"), "item<double>");
    given.push_back(cpp::lambda("", {{.type = "const Tensor&", .name = "item"}}, returning(number)));
  } else if (reverse) {
    given.push_back(cpp::call("std::identity", {}));
  }
  if (reverse) {
    const auto value = expression(*reverse);
    if (!value.is(Kind::boolean)) throw NotPorted("the order of sorted() is no bool");
    given.push_back(value.expr);
  }
  const std::map<std::string_view, std::string> functions = {
      {"sorted", "python::sorted"}, {"min", "python::smallest"}, {"max", "python::largest"}};
  return value_of(name == "sorted" ? list_of(item) : item,
                  cpp::call(functions.at(name), std::move(given)).with(of_key));
}

}  // namespace torchbook::translate
