// Translates what Python does with lists and other sequences: slices, pairs, copies.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/translate/numbers.h>
#include <torchbook/translate/translator.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

constexpr std::string_view header = "#include <torchbook/notebook/sequences.h>";

}  // namespace

/// Returns a list with a type of its own in C++: one that is written out gets its type.
Value Translator::typed(const Value& list, const Type& otherwise) {
  if (!list.is(Kind::list)) return list;
  if (list.literal && list.elements.empty()) return value_of(otherwise, cpp_type(otherwise) + "{}");
  return rows_of(list);
}

/// `values[1:]` of a list or a str
Value Translator::slice_of(const Value& from, const Node& slice) {
  need(header);
  const auto bound = [&](const char* name) {
    if (!slice.has(name)) return std::string("std::nullopt");
    return slice_bound(slice, name);
  };
  auto start = bound("lower");
  const auto stop = bound("upper");
  const auto step = slice.has("step") ? bound("step") : "1";
  if (start == "std::nullopt" && step == "1") start = "0";
  refuse_shared_items(from);
  auto list = from.is(Kind::string) ? from : typed(from, from.type);
  if (from.is(Kind::string)) {
    refuse_letters_beyond_ascii();
    if (from.literal) list.code = fmt::format("std::string({})", from.code);
  }
  std::vector<std::string> codes = {list.code, start};
  if (stop != "std::nullopt" || step != "1") codes.push_back(stop);
  if (step != "1") codes.push_back(step);
  return value_of(from.type, fmt::format("torchbook::slice({})", fmt::join(codes, ", ")));
}

/// `zip(a, b)` and `enumerate(a, start=1)`: lists of tuples.
Value Translator::paired(std::string_view name, const Arguments& given) {
  need(header);
  Type item{.kind = Kind::tuple};
  std::vector<std::string> codes;
  const bool numbers = name == "enumerate";
  if (numbers) item.items.push_back({.kind = Kind::integer});
  const auto lists = numbers ? std::size_t{1} : given.positional.size();
  if (given.positional.empty() || (!numbers && !given.named.empty()))
    throw NotPorted(fmt::format("{}() is called in a form that is not translated", name));
  for (std::size_t i = 0; i < lists; ++i) {
    const auto rows = rows_of(given.positional[i]);
    item.items.push_back(rows.type.items[0]);
    codes.push_back(rows.code);
  }
  if (numbers && given.positional.size() + given.named.size() > 1) {
    const auto* start = given.find("start", 1);
    if (start == nullptr || !start->is(Kind::integer) || given.positional.size() + given.named.size() > 2)
      throw NotPorted("enumerate() is called in a form that is not translated");
    codes.push_back(start->code);
  }
  return value_of(view_of(item), fmt::format("torchbook::{}({})", name, fmt::join(codes, ", ")));
}

/// `map(str, values)` of len, str, int and float
Value Translator::mapped(const Node& function, const Value& values) {
  const auto name =
      function.is("Name") && scope().find(function.text("id")) == nullptr ? function.text("id") : "";
  const auto rows = rows_of(values);
  const auto& type = rows.type.items[0];
  const auto item = scope().fresh("item");
  auto each = value_of(type, item);
  each.temporary = false;
  if (name == "len") {
    each = length_of(each);
  } else if (name == "str") {
    each = filled("\"{!s}\"", {each});
  } else if (name == "int" || name == "float") {
    each = converted(name, each);
  } else {
    const auto called = expression(function);
    if (!called.is(Kind::function)) throw NotPorted("map() is called with a function that is not translated");
    each = call_function(function_named(called.type.name), called.code, {.positional = {each}, .named = {}});
  }
  const auto items = scope().fresh("items");
  line(fmt::format("{} {};", cpp_type(list_of(each.type)), items));
  line(fmt::format("for ({} {} : {}) {}.push_back({});", cpp_parameter(type), item, rows.code, items,
                   each.code));
  return value_of(view_of(each.type), items);
}

/// `tuple(x.shape)`, as far as the number of the parts is known
Value Translator::tuple_of(const Value& values) {
  auto tuple = value_of(Kind::tuple, "");
  tuple.literal = true;
  if (values.literal) {
    tuple.elements = values.elements;
  } else if (values.is(Kind::size) && values.type.dimensions > 0) {
    for (int i = 0; i < values.type.dimensions; ++i)
      tuple.elements.push_back(size_of(values, std::to_string(i)));
  } else {
    auto rows = rows_of(values);
    rows.type = tuple_of_any_size(rows.type.items[0]);
    rows.temporary = true;
    return rows;
  }
  for (const auto& element : tuple.elements) tuple.type.items.push_back(element.type);
  if (!tuple.elements.empty()) tuple.code = printable(tuple);
  return tuple;
}

/// `list(range(3))`, and a range that goes through something else than a loop of its own
Value Translator::numbers_of_range(const std::vector<Value>& bounds) {
  need(header);
  std::vector<std::string> codes;
  for (const auto& bound : bounds) {
    if (!bound.is(Kind::integer)) throw NotPorted(fmt::format("range takes {}", in_words(bound.type)));
    codes.push_back(bound.code);
  }
  if (codes.size() == 1) codes.insert(codes.begin(), "0");
  if (codes.size() != 2 && codes.size() != 3) throw NotPorted("range has a wrong number of arguments");
  return value_of(Type{.kind = Kind::list, .items = {{.kind = Kind::integer}}, .name = "range"},
                  fmt::format("torchbook::range({})", fmt::join(codes, ", ")));
}

/// Python's own functions of sequences; nullopt if it is another function.
std::optional<Value> Translator::call_of_sequence(std::string_view name, const Node& node) {
  static const std::set<std::string_view> known = {"sorted", "min", "max",  "zip",      "enumerate", "range",
                                                   "any",    "all", "list", "reversed", "map",       "tuple"};
  if (!known.contains(name)) return std::nullopt;
  const bool orders = name == "sorted" || name == "min" || name == "max";
  if (orders && node.list("args").size() == 1) return ordered(name, expression(node.list("args")[0]), node);
  if (orders) return std::nullopt;
  if (name == "map") {
    if (node.list("args").size() != 2) return std::nullopt;
    return mapped(node.list("args")[0], expression(node.list("args")[1]));
  }
  const auto given = arguments(node);
  const auto& values = given.positional;
  if (name == "zip" || name == "enumerate") return paired(name, given);
  if (!given.named.empty()) return std::nullopt;
  if (name == "range") return numbers_of_range(values);
  if (name == "list" && values.empty())
    return Value{.type = {.kind = Kind::list}, .code = "{}", .literal = true};
  if (values.size() != 1) return std::nullopt;
  if (name == "list" && values[0].type.name == "set") return values[0];  // which still has no order
  refuse_shared_items(values[0]);
  if (name == "list" && values[0].literal) return values[0].is(Kind::list) ? values[0] : rows_of(values[0]);
  if (name == "tuple" && values[0].is(Kind::tuple)) return values[0];
  auto rows = rows_of(values[0]);
  if (name == "tuple") return tuple_of(values[0]);
  if (name == "list") {  // of a named list: C++ copies it where it gets a name
    rows.temporary = true;
    return rows;
  }
  need(header);
  const bool bools = rows.type.items[0].is(Kind::boolean);
  if (name != "reversed" && (!bools || rows.acts))
    throw NotPorted(fmt::format("{}() takes something else than bools", name));
  if (name == "reversed") rows.type = view_of(rows.type.items[0]);
  rows.code = fmt::format("torchbook::{}({})", name, rows.code);
  rows.temporary = true;
  if (name != "reversed") rows.type = {.kind = Kind::boolean};
  return rows;
}

/// `value in values`
Value Translator::contained(const Value& value, const Value& values) {
  auto in = value_of(Kind::boolean, "");
  const bool open = (values.is(Kind::list) || values.is(Kind::dict)) && values.type.items.empty();
  if (open && !values.literal) {
    in.code = "false";  // the next run knows more
  } else if (values.is(Kind::string) && value.is(Kind::string)) {
    need("#include <torchbook/notebook/strings.h>");
    in.code = fmt::format("torchbook::contains({}, {})", values.code, value.code);
  } else if (values.is(Kind::dict) && !values.type.items.empty() && values.type.items[0] == value.type) {
    in.code = fmt::format("{}.contains({})", values.in(Binding::postfix), value.code);
  } else if (values.is(Kind::record) && value.is(Kind::string) && value.literal && !values.temporary) {
    const auto fields = fields_of(values);
    const bool has = std::any_of(fields.begin(), fields.end(), [&](const auto& field) {
      return string_literal(field.first) == value.code;
    });
    in.code = has ? "true" : "false";
  } else if (values.type.name == "set" && values.type.items[0] == value.type) {
    in.code = fmt::format("{}.contains({})", values.code, value.code);
  } else {
    const auto rows = rows_of(values);
    if (!(rows.type.items[0] == value.type) || !has_equality(value.type))
      throw NotPorted(fmt::format("it looks for {} in {}", in_words(value.type), in_words(values.type)));
    need(header);
    in.code = fmt::format("torchbook::contains({}, {})", rows.code, value.code);
  }
  return in;
}

/// `a + b` of lists and `a * 3` of a list; nullopt if it is another operator.
std::optional<Value> Translator::list_binary(std::string_view operation, const Value& left,
                                             const Value& right) {
  if (left.is(Kind::list) && right.is(Kind::list) && operation == "Add") {
    if (left.type.items.empty() && right.type.items.empty()) return std::nullopt;
    const auto type = left.type.items.empty()    ? right.type
                      : right.type.items.empty() ? left.type
                      : left.type == right.type  ? with_common_numbers(left.type, right.type)
                                                 : left.type;
    refuse_shared_items(left);
    refuse_shared_items(right);
    const auto first = typed(left, type);
    const auto second = typed(right, type);
    if (!(first.type == second.type)) throw NotPorted("a list holds values of different types");
    need(header);
    return value_of(type, fmt::format("torchbook::joined({}, {})", first.code, second.code));
  }
  const bool repeats = operation == "Mult" && left.is(Kind::list) && right.is(Kind::integer);
  if (!repeats || left.type.items.empty() || left.type.items[0].is(Kind::list)) return std::nullopt;
  need(header);
  return value_of(left.type,
                  fmt::format("torchbook::repeated({}, {})", typed(left, left.type).code, right.code));
}

}  // namespace torchbook::translate
