#include <fmt/format.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/cpp/forms.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/expressions/subscripts.h>
#include <tools/import/translate/kinds/sequences.h>
#include <tools/import/translate/kinds/size.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

/// Whether a value holds ints, whose number is known only at run time.
bool holds_ints(const Value& value) {
  return value.is(Kind::size) || (is_tuple_of_any_size(value.type) && value.type.items[0].is(Kind::integer));
}

/// Returns ints as a std::vector.
cpp::Expr vector_of(const Value& value) {
  if (value.is(Kind::size)) return sizes_as_vector(value);
  if (!value.literal) return value.expr;
  return cpp::after_statements_of(value.expr,
                                  cpp::braces(in_braces(value.elements).parts(), "std::vector<int64_t>"));
}

cpp::Expr joined_code(const Value& left, const Value& right) {
  const bool plain = right.literal && !right.expr.is(cpp::Kind::let);
  return cpp::call(cpp::form::joined,
                   {vector_of(left), plain ? in_braces(right.elements) : vector_of(right)});
}

/// Returns the torch.Size that has the ints of a std::vector.
Value size_with(const cpp::Expr& ints) {
  return value_of(Kind::size, cpp::braces({ints}, "torchbook::Size"));
}

bool is_ints(const Value& value) {
  return value.is(Kind::tuple) && value.literal && !value.elements.empty() &&
         std::all_of(value.elements.begin(), value.elements.end(),
                     [](const Value& each) { return each.is(Kind::integer); });
}

}  // namespace

/// `x.shape[:-1]`
static Value part_of_size(Builder& b, const Value& size, const Node& slice) {
  return size_with(slice_of(b, value_of(list_of(Type(Kind::integer)), vector_of(size)), slice).expr);
}

std::optional<Value> joined_sizes(Ast operation, const Value& left, const Value& right) {
  const bool fits = operation == Ast::Add && (holds_ints(left) || is_ints(left)) &&
                    (holds_ints(right) || is_ints(right)) && (holds_ints(left) || holds_ints(right));
  if (!fits) return std::nullopt;
  const auto code = joined_code(left, right);
  return left.is(Kind::size) ? size_with(code) : value_of(tuple_of_any_size(Type(Kind::integer)), code);
}

void add_starred(const Value& starred, std::vector<Value>& positional) {
  if (!holds_ints(starred)) refuse("a call has a starred argument");
  auto value = value_of(list_of(Kind::integer, types::Sequence::starred), vector_of(starred));
  std::vector<Value> before;
  while (!positional.empty() && positional.back().is(Kind::integer)) {
    before.insert(before.begin(), positional.back());
    positional.pop_back();
  }
  if (!before.empty()) {
    auto first = value_of(Kind::tuple, {});
    first.literal = true;
    first.elements = before;
    value.expr = joined_code(first, value);
  }
  positional.push_back(value);
}

void add_to_starred(const Value& number, Value& list) {
  if (!number.is(Kind::integer)) refuse("a call has a starred argument");
  const bool joined = list.expr.is(cpp::form::joined) && list.expr.part(1).is(cpp::form::untyped);
  if (!joined) {
    list.expr = cpp::call(cpp::form::joined, {list.expr, cpp::braces({number.expr})});
    return;
  }
  auto last = list.expr.part(1).parts();
  last.push_back(number.expr);
  list.expr = cpp::call(cpp::form::joined, {list.expr.part(0), cpp::braces(std::move(last))});
}

Value size_of(const Value& size, const cpp::Expr& at) {
  if (is_shape_of_tensor(size)) return value_of(Kind::integer, cpp::method(size.expr.part(0), "size", {at}));
  const auto sizes = sizes_of(size);
  const bool twice =
      at.text().starts_with('-') && !cpp::is_stored(sizes);  // it came from a function of sequences
  return value_of(Kind::integer,
                  twice ? cpp::call("python::at", {sizes, at}) : from_the_end(sizes, at.text()));
}

void check_sizes(Builder& b, const Value& size, std::size_t names) {
  const auto known = size.type.dimensions();
  if (known == static_cast<int>(names)) return;
  if (known >= 0) refuse("it unpacks {} sizes to {} names", known, names);
  const auto count = is_shape_of_tensor(size) ? cpp::method(size.expr.part(0), "dim", {})
                                              : cpp::method(sizes_of(size), "size", {});
  const auto test = cpp::binary(count, "==", cpp::number(names));
  b.emit(cpp::Evaluate{cpp::call("TORCH_CHECK", {test}).with_only({})});
}

Value size_item(Builder& b, const Value& size, const Node& slice) {
  if (slice.is(Ast::Slice)) return part_of_size(b, size, slice);
  const auto at = place_of(b, slice);
  const bool written = is_written_number(slice);
  if (written || is_shape_of_tensor(size)) return size_of(size, written ? cpp::number(at.number) : at.expr);
  const auto numbers = value_of(list_of(Kind::integer), sizes_of(size));
  return value_of(Kind::integer, checked_element(b, numbers, at));
}

Value size_method(Builder& /*b*/, const Value& size, std::string_view name, const Arguments& arguments) {
  if (name != "numel" || !arguments.positional.empty())
    refuse("the method {} of a torch.Size is not translated", name);
  return value_of(Kind::integer, cpp::call("c10::multiply_integers", {sizes_of(size)}));
}

Value size_rows(Builder& /*b*/, const Value& size) {
  return value_of(list_of(Kind::integer), sizes_as_vector(size));
}

Value size_length(Builder& /*b*/, const Value& size) {
  return value_of(Kind::integer, cpp::cast("int64_t", cpp::method(sizes_of(size), "size")));
}

}  // namespace torchbook::translate
