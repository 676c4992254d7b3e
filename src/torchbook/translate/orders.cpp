// Translates sorted(), min() and max() of sequences, with their keys.
#include <fmt/format.h>
#include <torchbook/translate/translator.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

std::optional<Node> argument_named(const Node& call, std::string_view name) {
  for (const auto& keyword : call.list("keywords")) {
    if (keyword.has("arg") && keyword.text("arg") == name) return keyword.child("value");
  }
  return std::nullopt;
}

}  // namespace

/// `key=len`, `key=counts.get` or `key=lambda item: …` of sorted(), min() and max(), as a lambda of C++.
std::string Translator::key_function(const Node& key, const Type& item) {
  if (key.is("Name") && scope().find(key.text("id")) == nullptr) {
    const auto value = length_of(value_of(item, "item"));
    if (key.text("id") != "len") throw NotPorted("the key of an order is not translated");
    return fmt::format("[]({} item) {{ return {}; }}", cpp_parameter(item), value.code);
  }
  if (key.is("Attribute") && key.text("attr") == "get") {
    const auto dict = expression(key.child("value"));
    if (!dict.is(Kind::dict) || dict.type.items.empty() || !(dict.type.items[0] == item) ||
        !has_order(dict.type.items[1]))
      throw NotPorted("the key of an order is not translated");
    return fmt::format("[&]({} key) {{ return {}.at(key); }}", cpp_parameter(item), dict.code);
  }
  if (!key.is("Lambda") || key.child("args").list("args").size() != 1)
    throw NotPorted("the key of an order is not translated");
  const auto name = std::string(key.child("args").list("args")[0].text("arg"));
  const auto* hidden = scope().own(name);
  const auto before = hidden == nullptr ? std::nullopt : std::optional(*hidden);
  const bool could = std::exchange(may_emit_, false);
  scope().open();
  const auto parameter = scope().declare(name, item).code;
  const auto value = expression(key.child("body"));
  scope().close();
  may_emit_ = could;
  if (before) scope().show(name, *before);
  if (!has_order(value.type) || value.acts) throw NotPorted("the key of an order is not translated");
  return fmt::format("[&]({} {}) {{ return {}; }}", cpp_parameter(item), parameter, value.code);
}

/// `sorted(values, key=…, reverse=True)`, `min(values)` and `max(values)`
Value Translator::ordered(std::string_view name, const Value& values, const Node& call) {
  need("#include <torchbook/notebook/sequences.h>");
  const auto key = argument_named(call, "key");
  const auto reverse = argument_named(call, "reverse");
  if (call.list("keywords").size() != std::size_t{key.has_value()} + std::size_t{reverse.has_value()} ||
      (reverse && name != "sorted")) {
    throw NotPorted(fmt::format("{} has an argument that is not translated", name));
  }
  auto rows = values.type.name == "set" ? value_of(list_of(values.type.items[0]), "") : rows_of(values);
  if (values.type.name == "set") {
    if (name != "sorted" && key) throw NotPorted("a set has an order of its own");
    rows.code = fmt::format("{0}({1}.begin(), {1}.end())", cpp_type(rows.type), values.code);
    if (name == "sorted" && !key && !reverse) return rows;
  }
  if (name == "sorted") refuse_shared_items(values);
  const auto& item = rows.type.items[0];
  const bool tensors = !key && item.is(Kind::tensor);  // of one element each, or Python raises
  if (!key && !tensors && !has_order(item))
    throw NotPorted(fmt::format("{}() compares {}", name, in_words(item)));
  const std::string of_tensor = "[](const Tensor& item) { return item.item<double>(); }";
  const auto function = key ? key_function(*key, item) : tensors ? of_tensor : std::string();
  std::string order;
  if (reverse) {
    const auto value = expression(*reverse);
    if (!value.is(Kind::boolean)) throw NotPorted("the order of sorted() is no bool");
    order = value.code;
  }
  const std::map<std::string_view, std::string_view> functions = {
      {"sorted", "sorted"}, {"min", "smallest"}, {"max", "largest"}};
  const bool is_list = name == "sorted";
  auto code = fmt::format("torchbook::{}({}", functions.at(name), rows.code);
  if (key || tensors || !order.empty())
    code += fmt::format(", {}", function.empty() ? "std::identity()" : function);
  if (!order.empty()) code += fmt::format(", {}", order);
  auto value = value_of(is_list ? list_of(item) : item, code + ")");
  value.acts = values.acts;
  return value;
}

}  // namespace torchbook::translate
