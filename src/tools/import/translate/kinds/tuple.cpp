#include <fmt/format.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/kinds/list.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/kinds/size.h>
#include <tools/import/translate/kinds/tuple.h>
#include <tools/import/translate/rows/signatures.h>

#include <algorithm>

namespace torchbook::translate {

Value tuple_of(Builder& b, const Value& values) {
  const bool sizes = values.is(Kind::size) && values.type.dimensions() > 0;
  if (!values.literal && !sizes) {
    auto rows = rows_of(b, values);
    rows.type = tuple_of_any_size(rows.type.items[0]);
    rows.temporary = true;
    return rows;
  }
  auto tuple = value_of(Kind::tuple, values.expr);
  tuple.literal = true;
  tuple.elements = values.elements;
  cpp::Stmts before;
  if (sizes && !values.literal) {
    const auto& of = is_shape_of_tensor(values) ? values.expr.part(0) : values.expr;
    auto size = values;
    if (!cpp::is_stored(of)) before = b.captured([&] { size = b.hold(values, "size"); });
    for (int i = 0; i < values.type.dimensions(); ++i)
      tuple.elements.push_back(size_of(size, cpp::number(i)));
    if (!before.empty()) tuple.expr = cpp::let(std::move(before), size.expr);
  }
  for (const auto& element : tuple.elements) tuple.type.items.push_back(element.type);
  if (!tuple.elements.empty()) tuple.expr = printable(tuple);
  return tuple;
}

Value tuple_attribute(Builder& /*b*/, const Value& tuple, std::string_view name) {
  if (!tuple.type.is(types::Group::result)) refuse("the attribute {} of a tuple is not translated", name);
  const auto names = result_names_of(tuple.type.function());
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) refuse("torch.return_types.{} has no {}", tuple.type.function(), name);
  return parts_of(tuple).at(static_cast<std::size_t>(found - names.begin()));
}

Value tuple_item(Builder& b, const Value& tuple, const Node& slice) {
  if (slice.is(Ast::Slice)) refuse("a slice of a tuple is not translated");
  if (!is_written_number(slice)) return list_item(b, rows_of(b, tuple), slice);
  const auto at = expression(b, slice).number;
  if (!tuple.literal) return parts_of(tuple).at(place_in(tuple.type.items.size(), at));
  if (tuple.elements.empty() || (tuple.acts() && !tuple.expr.is(cpp::Kind::let)))
    refuse("an index of a tuple is not translated");
  return element_written_out(tuple, at);
}

Value tuple_rows(Builder& /*b*/, const Value& tuple) {
  const auto& items = tuple.type.items;
  const bool same =
      std::all_of(items.begin(), items.end(), [&](const Type& item) { return item == items[0]; });
  const bool once = tuple.literal || !tuple.temporary;
  if (!tuple.type.is(types::Group::tuple) || !once || !same || items.empty()) refuse("it loops over a tuple");
  return list_with_type(tuple, parts_of(tuple), list_of(items[0]));
}

Value tuple_length(Builder& /*b*/, const Value& tuple) {
  const bool known = tuple.literal || (tuple.is(Kind::tuple) && !tuple.acts());
  if (!known) refuse("the length of a tuple is not translated");
  return counted(tuple.literal ? tuple.elements.size() : tuple.type.items.size());
}

}  // namespace torchbook::translate
