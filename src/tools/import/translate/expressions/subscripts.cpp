#include <fmt/format.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/expressions/subscripts.h>
#include <tools/import/translate/kinds/object.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/rows/calls_by_schema.h>
#include <tools/import/translate/rows/functions_by_hand.h>

#include <algorithm>

namespace torchbook::translate {

static cpp::Expr index_list(Builder& b, const Node& slice) {
  if (!slice.is(Ast::Tuple)) return cpp::braces({index(b, slice)});
  std::vector<cpp::Expr> indices;
  for (const auto& each : slice.elts()) indices.push_back(index(b, each));
  if (indices.empty()) refuse("an index is an empty tuple");
  return cpp::braces(std::move(indices));
}

static cpp::Expr index_code(Builder& b, const Value& value) {
  if (value.is(Kind::none)) {
    return cpp::name("None");
  }
  if (value.is(Kind::integer) || value.is(Kind::tensor) || value.is(Kind::boolean)) return value.expr;
  const bool numbers = value.is(Kind::list) && !value.type.items.empty() &&
                       (value.type.items[0].is(Kind::integer) || value.type.items[0].is(Kind::boolean));
  if (numbers) return tensor_literal(b, {.positional = {value}}).expr;
  refuse("it indexes with {}", in_words(value.type));
}

Index index_of(Builder& b, const Node& slice) {
  const bool several = slice.is(Ast::Slice) || slice.is(Ast::Tuple) || slice.is(Ast::List);
  if (several || (slice.is(Ast::Constant) && slice.type() == "ellipsis"))
    return {.code = index_list(b, slice)};
  const auto value = expression(b, slice);
  if (value.is(Kind::integer)) return {.code = value.expr, .is_one = true};
  return {.code = cpp::braces({index_code(b, value)})};
}

cpp::Expr slice_bound(Builder& b, const std::optional<Node>& bound) {
  return bound ? place_of(b, *bound).expr : cpp::name("None");
}

cpp::Expr index(Builder& b, const Node& node) {
  if (node.is(Ast::Slice)) {
    const bool all = !node.lower() && !node.upper();
    if (all && !node.step()) return cpp::call("Slice", {});
    std::vector<cpp::Expr> bounds = {slice_bound(b, node.lower()), slice_bound(b, node.upper())};
    if (node.step()) bounds.push_back(slice_bound(b, node.step()));
    return cpp::call("Slice", std::move(bounds));
  }
  if (node.is(Ast::Constant) && node.type() == "ellipsis") {
    return cpp::name("Ellipsis");
  }
  return index_code(b, expression(b, node));
}

/// Returns the index of an assignment to elements of a NumPy array. LibTorch would take an array of bytes for
/// a mask, and refuse one of 32-bit ints.
static Index array_index(Builder& b, const Node& slice) {
  const auto part = [&b](const Node& node) -> Value {
    if (node.is(Ast::Slice) || node.is(Ast::Constant)) return value_of(Kind::none, index(b, node));
    auto value = expression(b, node);
    if (!value.is(Kind::array)) return value_of(value.type, index_code(b, value));
    const auto numbers = value.type.numbers();
    if (numbers == Numbers::integer) value.expr = cpp::method(value.expr, "to", {cpp::name("torch::kLong")});
    if (numbers == Numbers::integer || numbers == Numbers::boolean) return value;
    refuse("an index of an array of NumPy is not translated");
  };
  if (!slice.is(Ast::Tuple)) {
    const auto one = part(slice);
    return {.code = one.is(Kind::integer) ? one.expr : cpp::braces({one.expr}),
            .is_one = one.is(Kind::integer)};
  }
  std::vector<cpp::Expr> indices;
  for (const auto& each : slice.elts()) indices.push_back(part(each).expr);
  if (indices.empty()) refuse("an index is an empty tuple");
  return {.code = cpp::braces(std::move(indices))};
}

Value subscript(Builder& b, const Node& node) {
  const auto from = expression(b, node.value());
  auto value = element(b, from, node.slice());
  value.place = !from.is(Kind::tensor) && !from.is(Kind::array) && !value.type.is_number();
  return value;
}

cpp::Expr checked_element(Builder& b, const Value& sequence, const Value& at) {
  if (at.natural && !b.here.in_try) return cpp::method(sequence.expr, "at", {at.expr});
  return cpp::call("python::at", {sequence.expr, at.expr});
}

Value place_of(Builder& b, const Node& slice) {
  auto at = expression(b, slice);
  if (at.is(Kind::tensor)) at.expr = cpp::method(at.expr, "item<int64_t>");
  if (at.is(Kind::scalar)) at.expr = as_number(at, "int64_t");
  if (!at.is(Kind::integer) && !at.is(Kind::tensor) && !at.is(Kind::scalar))
    refuse("it indexes with {}", in_words(at.type));
  return at;
}

Value place_written(const std::string& at) {
  auto place = value_of(Kind::integer, cpp::number(at));
  place.natural = !at.starts_with('-');
  return place;
}

void assign_tensor_item(Builder& b, const Value& to, const Node& target, const Value& value) {
  const auto slice = target.slice();
  const bool carries = to.is(Kind::array);
  if (!value.type.is_number() && (carries || !value.is(Kind::tensor)))
    refuse("it assigns {} to elements of {}", in_words(value.type), in_words(to.type));
  note_attached(b, to.type, value.type);
  const bool chooses = carries && !slice.is(Ast::Slice) && !slice.is(Ast::List) && !slice.is(Ast::Constant);
  const auto at = chooses ? array_index(b, slice) : index_of(b, slice);
  const int most = std::max(to.type.dimensions() - 1, 0);
  const int given = value.type.is_number() ? 0 : value.type.dimensions();
  const bool fits = given >= 0 && given <= most;  // index_put_ drops leading ones, as Python does
  if (at.is_one && fits)
    return b.emit(cpp::Assign{.to = cpp::subscript(to.expr, at.code), .value = value.expr});
  const auto code = at.is_one ? cpp::braces({at.code}) : at.code;
  b.emit(cpp::Evaluate{cpp::method(to.expr, "index_put_", {code, value.expr}).in_order({2, 0, 1})});
}

}  // namespace torchbook::translate
