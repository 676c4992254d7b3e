// Translates indices and slices.
#include <fmt/format.h>
#include <tools/import/translate/lower/translator.h>

#include <algorithm>

namespace torchbook::translate {

/// Translates what is in `x[…]`.
Index Translator::index_of(const Node& slice) {
  const bool several = slice.is("Slice") || slice.is("Tuple") || slice.is("List");
  if (several || (slice.is("Constant") && slice.text("type") == "ellipsis"))
    return {.code = index_list(slice)};
  const auto value = expression(slice);
  if (value.is(Kind::integer)) return {.code = value.expr, .is_one = true};
  return {.code = cpp::braces({index_code(value)})};
}

cpp::Expr Translator::slice_bound(const Node& node, const char* name) {
  return node.has(name) ? place_of(node.child(name)).expr : cpp::name("None");
}

cpp::Expr Translator::index(const Node& node) {
  if (node.is("Slice")) {
    const bool all = !node.has("lower") && !node.has("upper");
    if (all && !node.has("step")) return cpp::call("Slice", {});
    std::vector<cpp::Expr> bounds = {slice_bound(node, "lower"), slice_bound(node, "upper")};
    if (node.has("step")) bounds.push_back(slice_bound(node, "step"));
    return cpp::call("Slice", std::move(bounds));
  }
  if (node.is("Constant") && node.text("type") == "ellipsis") {
    return cpp::name("Ellipsis");
  }
  return index_code(expression(node));
}

cpp::Expr Translator::index_code(const Value& value) {
  if (value.is(Kind::none)) {
    return cpp::name("None");
  }
  if (value.is(Kind::integer) || value.is(Kind::tensor) || value.is(Kind::boolean)) return value.expr;
  const bool numbers = value.is(Kind::list) && !value.type.items.empty() &&
                       (value.type.items[0].is(Kind::integer) || value.type.items[0].is(Kind::boolean));
  if (numbers) return tensor_literal({.positional = {value}}).expr;
  throw NotPorted("it indexes with {}", in_words(value.type));
}

cpp::Expr Translator::index_list(const Node& slice) {
  if (!slice.is("Tuple")) return cpp::braces({index(slice)});
  std::vector<cpp::Expr> indices;
  for (const auto& each : slice.list("elts")) indices.push_back(index(each));
  if (indices.empty()) throw NotPorted("an index is an empty tuple");
  return cpp::braces(std::move(indices));
}

/// Returns the index of elements of an array of NumPy that are assigned. C++ would take an array of bytes for
/// a mask, and none of 32-bit ints.
Index Translator::array_index(const Node& slice) {
  const auto part = [this](const Node& node) -> Value {
    if (node.is("Slice") || node.is("Constant")) return value_of(Kind::none, index(node));
    auto value = expression(node);
    if (!value.is(Kind::array)) return value_of(value.type, index_code(value));
    const auto numbers = value.type.numbers();
    if (numbers == Numbers::integer) value.expr = cpp::method(value.expr, "to", {cpp::name("torch::kLong")});
    if (numbers == Numbers::integer || numbers == Numbers::boolean) return value;
    throw NotPorted("an index of an array of NumPy is not translated");
  };
  if (!slice.is("Tuple")) {
    const auto one = part(slice);
    return {.code = one.is(Kind::integer) ? one.expr : cpp::braces({one.expr}),
            .is_one = one.is(Kind::integer)};
  }
  std::vector<cpp::Expr> indices;
  for (const auto& each : slice.list("elts")) indices.push_back(part(each).expr);
  if (indices.empty()) throw NotPorted("an index is an empty tuple");
  return {.code = cpp::braces(std::move(indices))};
}

Value Translator::subscript(const Node& node) {
  const auto from = expression(node.child("value"));
  auto value = element(from, node.child("slice"));
  value.place = !from.is(Kind::tensor) && !from.is(Kind::array) && !value.type.is_number();
  return value;
}

/// Returns an element whose index is known only at run time. A negative index counts from the end.
cpp::Expr Translator::checked_element(const Value& sequence, const Value& at) {
  if (at.natural) return cpp::method(sequence.expr, "at", {at.expr});
  return cpp::call("python::at", {sequence.expr, at.expr});
}

/// Returns an index. A tensor is read as an int: Python refuses other tensors here.
Value Translator::place_of(const Node& slice) {
  auto at = expression(slice);
  if (at.is(Kind::tensor)) at.expr = cpp::method(at.expr, "item<int64_t>");
  if (at.is(Kind::scalar)) at.expr = as_number(at, "int64_t");
  if (!at.is(Kind::integer) && !at.is(Kind::tensor) && !at.is(Kind::scalar))
    throw NotPorted("it indexes with {}", in_words(at.type));
  return at;
}

/// Returns a place that is written out, as `2` or `-1`.
Value Translator::place_written(const std::string& at) {
  auto place = value_of(Kind::integer, cpp::number(at));
  place.natural = !at.starts_with('-');
  return place;
}

/// `x[1:, 0] = 3`
void Translator::assign_subscript(const Node& target, const Value& value) {
  const auto to = expression(target.child("value"));
  const auto slice = target.child("slice");
  if (to.is(Kind::dict)) return assign_entry(to, slice, value);
  if (to.is(Kind::list)) {
    if (is_tuple_of_any_size(to.type)) throw NotPorted("it assigns to an element of a tuple");
    refuse_other_items(to, value.type);
    return emit(assignment(expression(target).expr, value));
  }
  if (to.is(Kind::object) && value.type.is_number() && rate_of(to, slice)) {
    facts_->note_rate(value.type);
    const auto options = cpp::method(to.expr, "options");
    return emit(cpp::Evaluate{cpp::method(options, "set_lr", {value.expr}).in_order({1, 0})});
  }
  const bool carries = to.is(Kind::array) && value.type.is_number();  // NumPy's numbers are a tensor's
  if (!to.is(Kind::tensor) && !carries) throw NotPorted("it assigns to an element of {}", in_words(to.type));
  if (!value.is(Kind::tensor) && !value.type.is_number()) {
    throw NotPorted("it assigns {} to elements of a tensor", in_words(value.type));
  }
  note_attached(to.type, value.type);
  const bool chooses = carries && !slice.is("Slice") && !slice.is("List") && !slice.is("Constant");
  const auto at = chooses ? array_index(slice) : index_of(slice);
  const int most = std::max(to.type.dimensions() - 1, 0);
  const int given = value.type.is_number() ? 0 : value.type.dimensions();
  const bool fits = given >= 0 && given <= most;  // index_put_ drops leading ones, as Python does
  if (at.is_one && fits)
    return emit(cpp::Assign{.to = cpp::subscript(to.expr, at.code), .value = value.expr});
  const auto code = at.is_one ? cpp::braces({at.code}) : at.code;
  emit(cpp::Evaluate{cpp::method(to.expr, "index_put_", {code, value.expr}).in_order({2, 0, 1})});
}

}  // namespace torchbook::translate
