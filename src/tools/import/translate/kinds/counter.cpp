#include <fmt/format.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/kinds/counter.h>
#include <tools/import/translate/kinds/dict.h>
#include <tools/import/translate/kinds/list.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/rows/row.h>

namespace torchbook::translate {

Type counter_type(const Type& key) {
  if (!is_key(key)) refuse("Counter counts {}", in_words(key));
  return named_type(Kind::counter, fmt::format("torchbook::Counter<{}>", cpp_type(key)), {key});
}

Value counter_of(Builder& b, const Arguments& arguments) {
  if (arguments.count() == 0) return value_of(Kind::counter, cpp::call("torchbook::Counter", {}));
  if (arguments.count() != 1 || arguments.positional.empty() || arguments.positional[0].is(Kind::dict) ||
      arguments.positional[0].is(Kind::record))
    refuse("Counter counts something other than a list");
  const auto rows = rows_of(b, arguments.positional[0]);
  const auto type = counter_type(rows.type.items[0]);
  return value_of(type, cpp::call(type.name(), {rows.expr}));
}

Value dict_of_counter(const Value& counter) {
  auto dict = counter;
  dict.type = dict_type(counter.type.items.at(0), Kind::integer);
  return dict;
}

static const std::vector<Row> methods_of_counter = {
    {.names = "most_common",
     .parameters = {self_parameter, {"n", {Kind::integer}, true}},
     .becomes = ".{}",
     .result_of = [](const Type& counter) {
       return list_of(tuple_type({counter.items[0], Kind::integer}));
     }}};

Value counter_method(Builder& b, const Value& counter, std::string_view name, const Arguments& arguments) {
  static const std::set<std::string_view> of_dicts = {"keys", "values", "items", "get"};
  if (of_dicts.contains(name)) return dict_method(b, dict_of_counter(counter), name, arguments);
  return call_table(b, methods_of_counter, name, fmt::format("the method {} of a Counter", name),
                    arguments.of(counter));
}

/// Refuses a key of another type.
static Value key_of(Builder& b, const Value& counter, const Node& slice) {
  auto key = expression(b, slice);
  if (counter.type.items.empty()) refuse_empty(counter.type);
  if (!(counter.type.items[0] == key.type)) refuse("the key of a Counter is {}", in_words(key.type));
  return key;
}

/// A missing key counts 0, and is not added.
Value counter_item(Builder& b, const Value& counter, const Node& slice) {
  const auto key = key_of(b, counter, slice);
  return value_of(Kind::integer, cpp::method(counter.expr, "get", {key.expr, cpp::number(0)}));
}

void assign_counter_item(Builder& b, const Value& counter, const Node& target, const Value& value) {
  const auto key = key_of(b, counter, target.slice());
  refuse_unless_changeable(b, counter);
  if (!value.is(Kind::integer)) refuse("a Counter gets {}", in_words(value.type));
  b.emit(assignment(cpp::subscript(counter.expr, key.expr), value));
}

Value counter_rows(Builder& b, const Value& counter) { return dict_rows(b, dict_of_counter(counter)); }

Value counter_contains(Builder& b, const Value& counter, const Value& value) {
  return dict_contains(b, dict_of_counter(counter), value);
}

}  // namespace torchbook::translate
