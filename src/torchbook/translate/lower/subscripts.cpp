// Translates indices and slices.
#include <fmt/format.h>
#include <torchbook/translate/lower/translator.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

/// Whether an index is a whole number as it is written: `2`, `-1`.
bool is_written_number(const Node& node) {
  if (node.is("UnaryOp")) {
    return node.child("op").is("USub") && node.child("operand").is("Constant") &&
           is_written_number(node.child("operand"));
  }
  return node.is("Constant") && node.text("type") == "int";
}

/// Returns an element of a list. If it is a list itself, the list that it is an element of is its other name.
Value element_value(const Type& type, cpp::Expr expr) {
  auto value = value_of(type, std::move(expr));
  value.temporary = !type.is(Kind::list);
  return value;
}

/// Returns an element of a vector, whose place is written out; a negative one counts from its end.
cpp::Expr from_the_end(const cpp::Expr& list, const std::string& at) {
  if (!at.starts_with('-')) return cpp::subscript(list, cpp::number(at));
  return cpp::subscript(list, cpp::binary(cpp::method(list, "size"), "-", cpp::number(at.substr(1))));
}

bool is_shape_of_tensor(const Value& size) { return size.expr.is(cpp::Kind::call, "torchbook::shape"); }

/// Returns how many dimensions a tensor has behind slices, ints and None in `x[…]`; -1 if that is not known.
int dimensions_behind(const Type& tensor, const Node& slice) {
  int dimensions = tensor.dimensions();
  for (const auto& each : slice.is("Tuple") ? slice.list("elts") : std::vector{slice}) {
    const bool none = each.is("Constant") && each.text("type") == "NoneType";
    const bool all = each.is("Slice") || (each.is("Constant") && each.text("type") == "ellipsis");
    if (dimensions < 0 || (!none && !all && !is_written_number(each))) return -1;
    dimensions += none ? 1 : all ? 0 : -1;
  }
  return dimensions;
}

/// Returns a module of a list of modules, or of an nn.Sequential, whose place is written out.
Value module_at(const Value& from, const std::string& at) {
  const auto& items = from.type.items;
  const bool row = is_row(from.type);
  const auto number = std::stol(at) + (at.starts_with('-') && row ? static_cast<long>(items.size()) : 0);
  if (number < 0 || (row && static_cast<std::size_t>(number) >= items.size()))
    throw NotPorted("an index is not in the list of modules");
  auto item = items[row ? static_cast<std::size_t>(number) : 0];
  // AnyModule cannot give a module whose class inherits its forward.
  const bool inherits = row && (item.name().find("BatchNorm") != item.name().npos ||
                                item.name().find("InstanceNorm") != item.name().npos);
  const auto method = inherits ? std::string("ptr") : fmt::format("ptr<{}Impl>", item.name());
  auto part = cpp::arrow_method(from.expr, method, {cpp::number(number)});
  if (inherits) part = cpp::call(fmt::format("std::dynamic_pointer_cast<{}Impl>", item.name()), {part});
  item.as<types::Module>()->held = types::Held::pointer;
  return value_of(item, part);
}

}  // namespace

/// Translates what stands in `x[…]`.
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
  if (numbers) return tensor_literal({.positional = {value}, .named = {}}).expr;
  throw NotPorted(fmt::format("it indexes with {}", in_words(value.type)));
}

cpp::Expr Translator::index_list(const Node& slice) {
  if (!slice.is("Tuple")) return cpp::braces({index(slice)});
  std::vector<cpp::Expr> indices;
  for (const auto& each : slice.list("elts")) indices.push_back(index(each));
  if (indices.empty()) throw NotPorted("an index is an empty tuple");
  return cpp::braces(std::move(indices));
}

Value Translator::subscript(const Node& node) {
  const auto slice = node.child("slice");
  auto from = expression(node.child("value"));
  if (from.is(Kind::tensor)) {
    const auto at = index_of(slice);
    auto value = tensor_of(at.is_one ? cpp::subscript(from.expr, at.code)
                                     : cpp::method(from.expr, "index", {at.code}));
    value.type.know_numbers(from.type.numbers());
    value.type.know_detached(from.type.detached());
    value.type.know_dimensions(at.is_one ? std::max(from.type.dimensions(), 0) - 1
                                         : dimensions_behind(from.type, slice));
    return value;
  }
  auto value = element(std::move(from), slice);
  value.place = !value.type.is_number();
  return value;
}

/// An element of anything but a tensor.
Value Translator::element(Value from, const Node& slice) {
  if (from.is(Kind::record)) return field_of(from, slice);
  if (from.is(Kind::object)) return object_element(from, expression(slice));
  if (from.is(Kind::dict)) return entry_of(from, slice);
  if (slice.is("Slice") && from.is(Kind::size)) return part_of_size(from, slice);
  if (slice.is("Slice") && (has_places(from.type) || from.is(Kind::string))) return slice_of(from, slice);
  if (is_written_number(slice) && !from.is(Kind::size)) return element_of(from, expression(slice).number);
  if (from.is(Kind::tuple)) from = rows_of(from);
  const bool list = has_places(from.type);
  if (!list && !from.is(Kind::size) && !from.is(Kind::string))
    throw NotPorted(fmt::format("an index of {} is not translated", in_words(from.type)));
  const auto at = place_of(slice);
  const bool checked = from.is(Kind::size) && !is_written_number(slice) && !is_shape_of_tensor(from);
  if (checked) {
    const auto numbers = value_of(list_of(Type(Kind::integer)), sizes_of(from));
    return value_of(Kind::integer, checked_element(numbers, at));
  }
  if (from.is(Kind::size)) return size_of(from, is_written_number(slice) ? cpp::number(at.number) : at.expr);
  if (from.is(Kind::string)) return character_of(from, at);
  return element_value(from.type.items[0], checked_element(typed(from, from.type), at));
}

/// Returns an element whose place shows when it runs. A negative place counts from the end.
cpp::Expr Translator::checked_element(const Value& sequence, const Value& at) {
  if (at.natural) return cpp::method(sequence.expr, "at", {at.expr});
  return cpp::call("torchbook::at", {sequence.expr, at.expr});
}

/// Returns the index of a list. A tensor that is one is whole: Python takes no other.
Value Translator::place_of(const Node& slice) {
  auto at = expression(slice);
  if (at.is(Kind::tensor)) at.expr = cpp::method(at.expr, "item<int64_t>");
  if (at.is(Kind::scalar)) at.expr = as_number(at, "int64_t");
  if (!at.is(Kind::integer) && !at.is(Kind::tensor) && !at.is(Kind::scalar))
    throw NotPorted(fmt::format("it indexes with {}", in_words(at.type)));
  return at;
}

/// `x.shape[-1]`
Value Writer::size_of(const Value& size, const cpp::Expr& at) {
  if (is_shape_of_tensor(size)) return value_of(Kind::integer, cpp::method(size.expr.part(0), "size", {at}));
  const auto sizes = sizes_of(size);
  const bool twice =
      at.text().starts_with('-') && !cpp::is_stored(sizes);  // it came from a function of sequences
  return value_of(Kind::integer,
                  twice ? cpp::call("torchbook::at", {sizes, at}) : from_the_end(sizes, at.text()));
}

/// Returns a place that is written out, as `2` or `-1`.
Value Writer::place_written(const std::string& at) {
  auto place = value_of(Kind::integer, cpp::number(at));
  place.natural = !at.starts_with('-');
  return place;
}

/// An element of a list, a tuple or a list of modules, whose place is written out.
Value Translator::element_of(const Value& from, const std::string& at) {
  const bool from_end = at.starts_with('-');
  const auto& items = from.type.items;
  if (from.is(Kind::string)) return character_of(from, place_written(at));
  if (from.literal && !from.elements.empty() && (!from.acts() || from.expr.is(cpp::Kind::let))) {
    const auto size = static_cast<long>(from.elements.size());
    const auto place = std::stol(at) + (from_end ? size : 0);
    if (place < 0 || place >= size) throw NotPorted("an index is not in the list");
    return element_at(from, static_cast<std::size_t>(place));
  }
  if (from.is(Kind::module) && !items.empty()) {
    return module_at(from, at);
  }
  if (has_places(from.type) && !from.literal) {
    const auto taken = [&](const Value& list) {
      return element_value(items[0], from_the_end(list.expr, at));
    };
    return from_end && !cpp::is_stored(from.expr) ? named(from, "values", taken) : taken(from);
  }
  if (from.is(Kind::tuple) && !from.literal) {
    const auto place = std::stol(at) + (from_end ? static_cast<long>(items.size()) : 0);
    if (place < 0 || static_cast<std::size_t>(place) >= items.size())
      throw NotPorted("an index is not in the tuple");
    return value_of(items[static_cast<std::size_t>(place)],
                    cpp::call(fmt::format("std::get<{}>", place), {from.expr}));
  }
  throw NotPorted(fmt::format("an index of {} is not translated", in_words(from.type)));
}

/// `x[1:, 0] = 3`
void Translator::assign_subscript(const Node& target, const Value& value) {
  const auto to = expression(target.child("value"));
  const auto slice = target.child("slice");
  if (to.is(Kind::dict)) return assign_entry(to, slice, value);
  if (to.is(Kind::list)) {
    if (is_tuple_of_any_size(to.type)) throw NotPorted("it assigns to an element of a tuple");
    if (!(to.type.items[0] == value.type)) throw NotPorted("a list holds values of different types");
    note_numbers(*variable_of_list(to), list_of(value.type));
    return emit(assignment(expression(target).expr, value));
  }
  if (to.is(Kind::object) && value.type.is_number() && rate_of(to, slice)) {
    facts_->note_rate(value.type);
    const auto options = cpp::method(to.expr, "options");
    return emit(cpp::Evaluate{cpp::method(options, "set_lr", {value.expr}).in_order({1, 0})});
  }
  const bool carries = to.is(Kind::array) && value.type.is_number();  // NumPy's numbers are a tensor's
  if (!to.is(Kind::tensor) && !carries)
    throw NotPorted(fmt::format("it assigns to an element of {}", in_words(to.type)));
  if (!value.is(Kind::tensor) && !value.type.is_number()) {
    throw NotPorted(fmt::format("it assigns {} to elements of a tensor", in_words(value.type)));
  }
  note_attached(to.type, value.type);
  const auto at = index_of(slice);
  if (at.is_one) return emit(cpp::Assign{.to = cpp::subscript(to.expr, at.code), .value = value.expr});
  emit(cpp::Evaluate{cpp::method(to.expr, "index_put_", {at.code, value.expr}).in_order({2, 0, 1})});
}

}  // namespace torchbook::translate
