// Translates counters of Python's collections: `Counter(words)`.
#include <fmt/format.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/kinds/counter.h>
#include <tools/import/translate/kinds/dict.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/rows/row.h>

namespace torchbook::translate {

Value counter_of(Builder& b, const Arguments& arguments) {
  if (arguments.count() != 1 || arguments.positional.empty() || arguments.positional[0].is(Kind::dict) ||
      arguments.positional[0].is(Kind::record))
    refuse("Counter counts something else than a list");
  const auto rows = rows_of(b, arguments.positional[0]);
  const auto& item = rows.type.items[0];
  if (!is_key(item)) refuse("Counter counts {}", in_words(item));
  const auto type = named_type(Kind::counter, fmt::format("torchbook::Counter<{}>", cpp_type(item)), {item});
  return value_of(type, cpp::call(type.name(), {rows.expr}));
}

Value dict_of_counter(const Value& counter) {
  auto dict = counter;
  dict.type = dict_type(counter.type.items.at(0), Kind::integer);
  return dict;
}

static const std::vector<Row> methods_of_counter = {
    {.names = "most_common",
     .parameters = {the_object, {"n", {Kind::integer}, true}},
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

Value counter_item(Builder& b, const Value& counter, const Node& slice) {
  const auto key = expression(b, slice);
  if (!(counter.type.items[0] == key.type)) refuse("a Counter is asked for {}", in_words(key.type));
  return value_of(Kind::integer, cpp::subscript(counter.expr, key.expr));
}

Value counter_rows(Builder& b, const Value& counter) { return dict_rows(b, dict_of_counter(counter)); }

Value counter_contains(Builder& b, const Value& counter, const Value& value) {
  return dict_contains(b, dict_of_counter(counter), value);
}

}  // namespace torchbook::translate
