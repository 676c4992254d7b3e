// Translates deques of Python's collections: `deque([1, 2], maxlen=3)`.
#include <fmt/format.h>
#include <tools/import/translate/core/dtypes.h>
#include <tools/import/translate/core/match.h>
#include <tools/import/translate/expressions/subscripts.h>
#include <tools/import/translate/kinds/deque.h>
#include <tools/import/translate/kinds/operations.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

bool can_be_held(const Type& item) {
  if (item.is(types::Group::tuple)) return std::all_of(item.items.begin(), item.items.end(), can_be_held);
  return item.is_number() || item.is(Kind::string) || item.is(Kind::tensor);
}

Type deque_type(const Type& item) {
  if (!can_be_held(item)) refuse("a deque holds {}", in_words(item));
  return named_type(Kind::deque, fmt::format("torchbook::Deque<{}>", cpp_type(item)),
                    {without_numbers(item)});
}

/// Refuses an item of another type, and notes what a deque holds that was empty until now.
void learn_item(Builder& b, const Value& deque, const Type& item) {
  const auto* variable = deque.expr.is(cpp::Kind::name) ? b.scope().with_code(deque.expr.text()) : nullptr;
  if (deque.type.items.empty()) {
    if (variable != nullptr) b.facts->becomes(variable->definition, deque_type(item));
    refuse("nothing that is translated shows what an empty deque will hold");
  }
  const auto& held = deque.type.items[0];
  if (held != item && !(held.is(Kind::scalar) && item.is_number()))
    refuse("a deque holds values of different types; a tuple may");
}

}  // namespace

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

Value deque_method(Builder& b, const Value& deque, std::string_view name, const Arguments& arguments) {
  const auto& given = arguments.positional;
  const bool adds = name == "append" || name == "appendleft";
  const bool takes = name == "pop" || name == "popleft";
  if ((!adds && !takes) || !arguments.named.empty() || given.size() != (adds ? 1U : 0U))
    refuse("the method {} of a deque is not translated", name);
  if (adds) learn_item(b, deque, given[0].type);
  if (takes) cpp_type(deque.type);  // refuses one whose items are not known
  const auto type = adds ? Type(Kind::none) : deque.type.items[0];
  // Other names may hold the same deque.
  return value_of(
      type, cpp::method(deque.expr, name, expressions_of(given)).with(cpp::writes(cpp::Place::contents)));
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
