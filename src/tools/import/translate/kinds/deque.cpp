#include <fmt/format.h>
#include <tools/import/translate/core/dtypes.h>
#include <tools/import/translate/core/match.h>
#include <tools/import/translate/expressions/subscripts.h>
#include <tools/import/translate/kinds/deque.h>
#include <tools/import/translate/kinds/list.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/rows/row.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

bool can_be_held(const Type& item) {
  if (item.is(types::Group::tuple)) return std::all_of(item.items.begin(), item.items.end(), can_be_held);
  return item.is_number() || item.is(Kind::string) || item.is(Kind::tensor);
}

/// Refuses an item of another type.
void refuse_other_item(const Value& deque, const Type& item) {
  if (deque.type.items.empty()) refuse_empty(deque.type);
  const auto& held = deque.type.items[0];
  if (held != item && !(held.is(Kind::scalar) && item.is_number()))
    refuse("a deque holds values of different types; a tuple may");
}

}  // namespace

Type deque_type(const Type& item) {
  if (!can_be_held(item)) refuse("a deque holds {}", in_words(item));
  return named_type(Kind::deque, fmt::format("torchbook::Deque<{}>", cpp_type(item)),
                    {without_numbers(item)});
}

Value deque_of(Builder& b, const Arguments& arguments) {
  const auto [values, most] =
      match("deque", arguments, {{"iterable", {}, true}, {"maxlen", {Kind::integer, Kind::none}, true}});
  if (most != nullptr && most->acts()) refuse("the maxlen of a deque draws or changes something");
  const bool empty = values == nullptr || (values->literal && is_empty(values->type));
  std::vector<cpp::Expr> given;
  auto type = Type(Kind::deque);
  if (!empty) {
    const auto rows = rows_of(b, *values);
    type = deque_type(rows.type.items[0]);
    given.push_back(rows.expr);
  }
  if (most != nullptr && most->is(Kind::integer)) {
    if (empty) given.push_back(cpp::braces({}));
    given.push_back(most->expr);
  }
  return value_of(type, cpp::call(empty ? "torchbook::Deque" : type.name(), std::move(given)));
}

/// `queue.append(x)`, `queue.appendleft(x)`
static Value add_to_deque(Builder& /*b*/, const RowCall& given) {
  const auto [deque, item] = given.as<2>();
  refuse_other_item(*deque, item->type);
  return value_of(Kind::none,
                  cpp::method(deque->expr, given.name, {item->expr}).with(cpp::writes(cpp::Place::contents)));
}

/// Other names may hold the same deque, so these write the contents of every deque.
static const std::vector<Row> methods_of_deque = {
    {"append appendleft", {self_parameter, {"x"}}, add_to_deque},
    {.names = "pop popleft",
     .parameters = {self_parameter},
     .becomes = ".{}",
     .effects = cpp::writes(cpp::Place::contents),
     .result_of = [](const Type& deque) { return deque.items[0]; }}};

Value deque_method(Builder& b, const Value& deque, std::string_view name, const Arguments& arguments) {
  if (name.starts_with("pop")) cpp_type(deque.type);  // refuses one whose items are not known
  return call_table(b, methods_of_deque, name, fmt::format("the method {} of a deque", name),
                    arguments.of(deque));
}

Value deque_item(Builder& b, const Value& deque, const Node& slice) {
  cpp_type(deque.type);  // refuses one whose items are not known
  return value_of(deque.type.items[0], cpp::subscript(deque.expr, place_of(b, slice).expr));
}

Value deque_rows(Builder& /*b*/, const Value& deque) {
  cpp_type(deque.type);  // refuses one whose items are not known
  return value_of(list_of(deque.type.items[0]), cpp::method(deque.expr, "list"));
}

}  // namespace torchbook::translate
