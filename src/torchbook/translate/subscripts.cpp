// Translates indices and slices.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/translate/translator.h>

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
Value element_value(const Type& type, std::string code) {
  auto value = value_of(type, std::move(code));
  value.temporary = !type.is(Kind::list);
  return value;
}

/// Returns an element of a vector; a negative place counts from its end.
std::string from_the_end(const std::string& list, const std::string& at) {
  return at.starts_with('-') ? fmt::format("{0}[{0}.size() - {1}]", list, at.substr(1))
                             : fmt::format("{}[{}]", list, at);
}

/// Returns how many dimensions a tensor has behind slices, ints and None in `x[…]`; -1 if that is not known.
int dimensions_behind(const Type& tensor, const Node& slice) {
  int dimensions = tensor.dimensions;
  for (const auto& each : slice.is("Tuple") ? slice.list("elts") : std::vector{slice}) {
    const bool none = each.is("Constant") && each.text("type") == "NoneType";
    const bool all = each.is("Slice") || (each.is("Constant") && each.text("type") == "ellipsis");
    if (dimensions < 0 || (!none && !all && !is_written_number(each))) return -1;
    dimensions += none ? 1 : all ? 0 : -1;
  }
  return dimensions;
}

}  // namespace

/// Translates what stands in `x[…]`.
Index Translator::index_of(const Node& slice) {
  const bool several = slice.is("Slice") || slice.is("Tuple") || slice.is("List");
  if (several || (slice.is("Constant") && slice.text("type") == "ellipsis"))
    return {.code = index_list(slice)};
  const auto value = expression(slice);
  if (value.is(Kind::integer)) return {.code = value.code, .is_one = true};
  return {.code = fmt::format("{{{}}}", index_code(value))};
}

std::string Translator::slice_bound(const Node& node, const char* name) {
  if (!node.has(name)) return "None";
  const auto value = place_of(node.child(name));
  if (value.acts) throw NotPorted("a slice has a bound that draws or changes something");
  return value.code;
}

std::string Translator::index(const Node& node) {
  if (node.is("Slice")) {
    need("using torch::indexing::Slice;");
    const auto start = slice_bound(node, "lower");
    const auto stop = slice_bound(node, "upper");
    const auto step = slice_bound(node, "step");
    if (start == "None" && stop == "None" && step == "None") return "Slice()";
    if (start == "None" || stop == "None") need("using torch::indexing::None;");
    if (step != "None") return fmt::format("Slice({}, {}, {})", start, stop, step);
    return stop == "None" ? fmt::format("Slice({}, None)", start) : fmt::format("Slice({}, {})", start, stop);
  }
  if (node.is("Constant") && node.text("type") == "ellipsis") {
    need("using torch::indexing::Ellipsis;");
    return "Ellipsis";
  }
  return index_code(expression(node));
}

std::string Translator::index_code(const Value& value) {
  if (value.is(Kind::none)) {
    need("using torch::indexing::None;");
    return "None";
  }
  if (value.is(Kind::integer) || value.is(Kind::tensor) || value.is(Kind::boolean)) return value.code;
  const bool numbers = value.is(Kind::list) && !value.type.items.empty() &&
                       (value.type.items[0].is(Kind::integer) || value.type.items[0].is(Kind::boolean));
  if (numbers) {
    return tensor_literal({.positional = {value}, .named = {}}).code;
  }
  throw NotPorted(fmt::format("it indexes with {}", in_words(value.type)));
}

std::string Translator::index_list(const Node& slice) {
  if (!slice.is("Tuple")) return fmt::format("{{{}}}", index(slice));
  std::vector<std::string> indices;
  for (const auto& each : slice.list("elts")) indices.push_back(index(each));
  if (indices.empty()) throw NotPorted("an index is an empty tuple");
  return fmt::format("{{{}}}", fmt::join(indices, ", "));
}

Value Translator::subscript(const Node& node) {
  ++reads_;
  const auto slice = node.child("slice");
  auto from = expression(node.child("value"));
  if (from.is(Kind::tensor)) {
    const auto before = progress();
    const auto at = index_of(slice);
    keep_receiver(from, before);
    const auto base = from.in(Binding::postfix);
    auto value = tensor_of(fmt::format(fmt::runtime(at.is_one ? "{}[{}]" : "{}.index({})"), base, at.code));
    value.type.numbers = from.type.numbers;
    value.type.dimensions =
        at.is_one ? std::max(from.type.dimensions, 0) - 1 : dimensions_behind(from.type, slice);
    value.acts = from.acts;
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
  if (is_written_number(slice) && !from.is(Kind::size)) return element_of(from, index(slice));
  if (from.is(Kind::tuple)) from = rows_of(from);
  const bool list = has_places(from.type);
  if (!list && !from.is(Kind::size) && !from.is(Kind::string))
    throw NotPorted(fmt::format("an index of {} is not translated", in_words(from.type)));
  const auto before = progress();
  const auto at = place_of(slice);
  const bool shows = (from.acts && acts_ != before.acts) || (from.reads && changes_ != before.changes);
  if (shows) throw NotPorted("its order of evaluation would change");
  const bool checked = from.is(Kind::size) && !is_written_number(slice) && !from.sizes.ends_with(".sizes()");
  if (checked) {
    const auto numbers = value_of(list_of({.kind = Kind::integer}), from.sizes);
    return value_of(Kind::integer, checked_element(numbers, at));
  }
  if (from.is(Kind::size)) return size_of(from, at.code);
  auto value = from.is(Kind::string)
                   ? character_of(from, at)
                   : element_value(from.type.items[0], checked_element(typed(from, from.type), at));
  value.acts = from.acts || at.acts;
  return value;
}

/// Returns an element whose place shows when it runs. A negative place counts from the end.
std::string Translator::checked_element(const Value& sequence, const Value& at) {
  if (at.natural) return fmt::format("{}.at({})", sequence.in(Binding::postfix), at.code);
  need("#include <torchbook/notebook/sequences.h>");
  return fmt::format("torchbook::at({}, {})", sequence.code, at.code);
}

/// Returns the index of a list. A tensor that is one is whole: Python takes no other.
Value Translator::place_of(const Node& slice) {
  auto at = expression(slice);
  if (at.is(Kind::tensor)) at.code = at.in(Binding::postfix) + ".item<int64_t>()";
  if (at.is(Kind::scalar)) at.code = as_number(at, "int64_t");
  if (!at.is(Kind::integer) && !at.is(Kind::tensor) && !at.is(Kind::scalar))
    throw NotPorted(fmt::format("it indexes with {}", in_words(at.type)));
  return at;
}

/// `x.shape[-1]`
Value Writer::size_of(const Value& size, const std::string& at) {
  constexpr std::string_view sizes = ".sizes()";
  if (size.sizes.ends_with(sizes)) {
    const auto tensor = size.sizes.substr(0, size.sizes.size() - sizes.size());
    return value_of(Kind::integer, fmt::format("{}.size({})", tensor, at));
  }
  return value_of(Kind::integer, from_the_end(size.sizes, at));
}

/// Returns a place that is written out, as `2` or `-1`.
Value Writer::place_written(const std::string& at) {
  auto place = value_of(Kind::integer, at);
  place.natural = !at.starts_with('-');
  return place;
}

/// An element of a list, a tuple or a list of modules, whose place is written out.
Value Translator::element_of(const Value& from, const std::string& at) {
  const bool from_end = at.starts_with('-');
  const auto& items = from.type.items;
  if (from.is(Kind::string)) return character_of(from, place_written(at));
  if (from.literal && !from.acts && !from.elements.empty()) {
    const auto size = static_cast<long>(from.elements.size());
    const auto place = std::stol(at) + (from_end ? size : 0);
    if (place < 0 || place >= size) throw NotPorted("an index is not in the list");
    return from.elements[static_cast<std::size_t>(place)];
  }
  if (from.is(Kind::module) && !items.empty()) {
    const bool row = is_row(from.type);
    const auto number = std::stol(at) + (from_end && row ? static_cast<long>(items.size()) : 0);
    if (number < 0 || (row && static_cast<std::size_t>(number) >= items.size()))
      throw NotPorted("an index is not in the list of modules");
    auto item = items[row ? static_cast<std::size_t>(number) : 0];
    if (is_of_list(item)) item.name = item.name.substr(1);
    // AnyModule cannot give a module whose class inherits its forward.
    const bool inherits = row && (item.name.find("BatchNorm") != item.name.npos ||
                                  item.name.find("InstanceNorm") != item.name.npos);
    const auto code = fmt::format(
        fmt::runtime(inherits ? "std::dynamic_pointer_cast<{1}Impl>({0}->ptr({2}))" : "{}->ptr<{}Impl>({})"),
        from.code, item.name, number);
    if (inherits) need("#include <memory>");
    item.name.insert(0, "*");
    return value_of(item, code);
  }
  if (has_places(from.type) && !from.literal) {
    return element_value(items[0], from_the_end(from.code, at));
  }
  if (from.is(Kind::tuple) && !from.literal) {
    const auto place = std::stol(at) + (from_end ? static_cast<long>(items.size()) : 0);
    if (place < 0 || static_cast<std::size_t>(place) >= items.size())
      throw NotPorted("an index is not in the tuple");
    need("#include <tuple>");
    return value_of(items[static_cast<std::size_t>(place)],
                    fmt::format("std::get<{}>({})", place, from.code));
  }
  throw NotPorted(fmt::format("an index of {} is not translated", in_words(from.type)));
}

/// Throws NotPorted if lines that find the index would come before the value, which Python evaluates first.
/// In C++, too, what `=` assigns is evaluated before what it is assigned to.
void Writer::refuse_earlier_index(const Value& value, const Progress& before) {
  const bool shows = value.acts || (value.reads && changes_ != before.changes);
  if (shows && lines_->size() != before.lines) throw NotPorted("its order of evaluation would change");
}

/// `x[1:, 0] = 3`
void Translator::assign_subscript(const Node& target, Value value) {
  const auto before = progress();
  const auto to = expression(target.child("value"));
  const auto slice = target.child("slice");
  if (to.is(Kind::dict)) return assign_entry(to, slice, value);
  if (to.is(Kind::list)) {
    note_resize(false);
    if (is_tuple_of_any_size(to.type)) throw NotPorted("it assigns to an element of a tuple");
    if (!(to.type.items[0] == value.type)) throw NotPorted("a list holds values of different types");
    note_numbers(*variable_of_list(to), list_of(value.type));
    const auto element = expression(target);
    refuse_earlier_index(value, before);
    return line(stored(element.code, value));
  }
  note_change(false);
  if (to.is(Kind::object) && value.type.is_number() && rate_of(to, slice)) {
    facts_->note_rate(value.type);
    return line(fmt::format("{}.options().set_lr({});", to.code, value.code));
  }
  const bool carries = to.is(Kind::array) && value.type.is_number();  // NumPy's numbers are a tensor's
  if (!to.is(Kind::tensor) && !carries)
    throw NotPorted(fmt::format("it assigns to an element of {}", in_words(to.type)));
  if (!value.is(Kind::tensor) && !value.type.is_number()) {
    throw NotPorted(fmt::format("it assigns {} to elements of a tensor", in_words(value.type)));
  }
  const auto base = to.in(Binding::postfix);
  const auto at = index_of(slice);
  refuse_earlier_index(value, before);
  if (!at.is_one && value.acts) value = hold(value, "value");
  if (at.is_one) return line(fmt::format("{}[{}] = {};", base, at.code, value.code));
  line(fmt::format("{}.index_put_({}, {});", base, at.code, value.code));
}

}  // namespace torchbook::translate
