#include <fmt/format.h>
#include <tools/import/translate/classes/common_bases.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/comprehensions.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/expressions/operators.h>
#include <tools/import/translate/expressions/printing.h>
#include <tools/import/translate/kinds/dict.h>
#include <tools/import/translate/kinds/file.h>
#include <tools/import/translate/kinds/loader.h>
#include <tools/import/translate/kinds/object.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/kinds/sequences.h>
#include <tools/import/translate/rows/builtins.h>
#include <tools/import/translate/rows/calls_by_schema.h>
#include <tools/import/translate/rows/row.h>

#include <algorithm>

namespace torchbook::translate {

Type summed(const Type& item) {
  if (item.is(Kind::boolean)) return Type(Kind::integer);
  if (!item.is(Kind::tensor) && !item.is_number()) refuse("it sums up {}", in_words(item));
  return item;
}

/// `id(x)` of a tensor with a name. Python may give the number of a temporary object to the next one.
static Value identity_of(Builder& /*b*/, const RowCall& given) {
  const auto [value] = given.as<1>();
  if (!value->is(Kind::tensor) || !value->expr.is(cpp::Kind::name))
    refuse("id() takes something other than the name of a tensor");
  return value_of(shown_type("const void*"),
                  cpp::cast("const void*", cpp::method(value->expr, "unsafeGetTensorImpl")));
}

/// `isinstance(x, float)` of an int or a float
static Value is_number_of(const cpp::Expr& number, const std::set<Kind>& kinds) {
  const auto asked = kinds.contains(Kind::integer) ? cpp::method(number, "isIntegral", {cpp::boolean(true)})
                     : kinds.contains(Kind::floating) ? cpp::method(number, "isFloatingPoint")
                     : kinds.contains(Kind::boolean)  ? cpp::method(number, "isBoolean")
                                                      : cpp::boolean(false);
  return value_of(Kind::boolean, asked);
}

/// Returns the kind that a value has in Python, which for tuples of any size and batches of loaders is not
/// that in C++.
static Kind kind_in_python(const Type& type) {
  return is_tuple_of_any_size(type) ? Kind::tuple : type.is(types::Group::batch) ? Kind::list : type.kind();
}

/// Python's sum adds one element after the other, from the int 0 on.
static Value sum_of(Builder& b, const RowCall& given) {
  const auto [values] = given.as<1>();
  if (values->literal && !values->elements.empty()) {
    std::optional<Value> total;
    for (const auto& element : values->elements) {
      if (!element.type.is_number()) refuse("it sums up something other than numbers");
      total = total ? binary_of(b, Ast::Add, *total, element) : element;
      total->literal = false;
    }
    total->expr = cpp::after_statements_of(values->expr, total->expr);
    return *total;
  }
  const auto rows = rows_of(b, *values);
  return value_of(summed(rows.type.items[0]), cpp::call("python::sum", {rows.expr}));
}

Value infinity() { return value_of(Kind::floating, cpp::call("std::numeric_limits<double>::infinity", {})); }

/// `float("-inf")`
static Value special_number(std::string_view text) {
  if (text == "inf") return infinity();
  if (text == "nan") {
    return value_of(Kind::floating, cpp::call("std::numeric_limits<double>::quiet_NaN", {}));
  }
  if (text != "-inf") refuse("a str is taken for a number");
  return value_of(Kind::floating, cpp::unary("-", infinity().expr));
}

Value converted(Builder& b, std::string_view name, const Value& value) {
  const auto kind = name == "float" ? Kind::floating : name == "int" ? Kind::integer : Kind::boolean;
  const auto type = cpp_type(Type(kind));
  if (value.type.kind() == kind) return value;
  if (value.is(Kind::element) && kind != Kind::boolean)
    return value_of(kind, cpp::method(value.expr, kind == Kind::floating ? "to_float" : "to_int"));
  if (value.is(Kind::tensor)) return value_of(kind, cpp::method(value.expr, fmt::format("item<{}>", type)));
  const bool special = value.is_text("inf") || value.is_text("-inf") || value.is_text("nan");
  if (special && kind == Kind::floating) return special_number(value.expr.text());
  if (value.is(Kind::string) && kind != Kind::boolean) {
    if (b.here.in_try && kind == Kind::floating) refuse("float() of a str is called in a try");
    const auto* const whole = b.here.in_try ? "python::to_int" : "std::stol";
    return value_of(kind, cpp::call(kind == Kind::floating ? "std::stod" : whole, {value.expr}));
  }
  if (value.is(Kind::scalar) && kind != Kind::boolean) return value_of(kind, as_number(value, type));
  if (value.is(Kind::integer) && kind == Kind::floating) return value_of(kind, floating_literal(value));
  const bool numbers = value.is(Kind::integer) || value.is(Kind::floating) || value.is(Kind::boolean);
  if (!numbers || kind == Kind::boolean) refuse("{}() takes {}", name, in_words(value.type));
  return value_of(kind, cpp::cast(type, value.expr));
}

/// `float(x)`, `int(x)`, `bool(x)`
static Value number_from(Builder& b, const RowCall& given) {
  const auto [value] = given.as<1>();
  return converted(b, given.name, *value);
}

/// `str(x)`, `repr(x)`
static Value text_from(Builder& b, const RowCall& given) {
  const auto [value] = given.as<1>();
  return filled(b, given.name == "str" ? "{!s}" : "{!r}", {*value});
}

/// `dict(pairs)`, `dict(channels=64)`
static Value dict_from(Builder& b, const RowCall& given) {
  if (!given.arguments.named.empty()) return dict_of_names(b, given.arguments);
  if (given.arguments.count() != 1) given.refuse_form();
  return copy_of_dict(b, given.arguments.positional[0]);
}

static Value set_of(Builder& b, const RowCall& given) {
  const auto [values] = given.as<1>();
  if (values == nullptr)
    return Value{.type = Type(types::List{types::Sequence::set}), .expr = cpp::braces({}), .literal = true};
  const auto list = rows_of(b, *values);
  const auto unique_items = [&](const Value& from) {
    const auto unique = b.scope().fresh("unique");
    auto filled = b.captured([&] {
      const auto type = fmt::format("std::set<{}>", cpp_type(list.type.items[0]));
      auto items = cpp::call(type, {cpp::method(from.expr, "begin"), cpp::method(from.expr, "end")});
      b.emit(cpp::Declare{
          .type = "const " + type, .name = unique, .value = std::move(items), .constructs = true});
    });
    return Value{.type = list_of(list.type.items[0], types::Sequence::set),
                 .expr = cpp::let(std::move(filled), cpp::name(unique)),
                 .temporary = false};
  };
  return list.temporary || list.acts() ? b.named(list, "list", unique_items) : unique_items(list);
}

/// `ord("a")`
static Value number_of_letter(Builder& /*b*/, const RowCall& given) {
  const auto [letter] = given.as<1>();
  const auto first = cpp::method(as_string(*letter), "at", {cpp::number(0)});
  return value_of(Kind::integer, cpp::braces({first}, "int64_t"));
}

/// `divmod(7, 2)`
static Value quotient_and_rest(Builder& b, const RowCall& given) {
  const auto [left, right] = given.as<2>();
  const auto twice = [](const Value& value) {  // whether C++ can evaluate it two times
    const auto& expr = value.expr.is(cpp::Kind::unary) ? value.expr.part(0) : value.expr;
    return expr.is(cpp::Kind::name) || expr.is(cpp::Kind::number);
  };
  auto dividend = *left;
  auto divisor = *right;
  auto before = b.captured([&] {
    if (!twice(dividend)) dividend = b.hold(dividend, "dividend");
    if (!twice(divisor)) divisor = b.hold(divisor, "divisor");
  });
  auto parts = value_of(Kind::tuple, {});
  parts.elements = {binary_of(b, Ast::FloorDiv, dividend, divisor),
                    binary_of(b, Ast::Mod, dividend, divisor)};
  for (const auto& part : parts.elements) parts.type.items.push_back(part.type);
  parts.literal = true;
  parts.expr = printable(parts);
  if (!before.empty()) parts.expr = cpp::let(std::move(before), parts.expr);
  return parts;
}

/// `round(2.5)`, `round(2.675, 2)`
static Value rounded(Builder& /*b*/, const RowCall& given) {
  const auto [number, digits] = given.as<2>();
  if (!number->is(Kind::scalar) && !number->is(Kind::floating))
    refuse("round() takes {}", in_words(number->type));
  const bool any = number->is(Kind::scalar);
  if (!any && digits == nullptr)
    return value_of(Kind::integer, cpp::cast("int64_t", cpp::call("std::nearbyint", {number->expr})));
  std::vector<cpp::Expr> parts = {as_any_number(*number)};
  if (digits != nullptr) parts.push_back(digits->expr);
  return value_of(digits == nullptr ? Type(Kind::integer) : number->type,
                  cpp::call("torchbook::round", std::move(parts)));
}

/// `pow(2, 3)`
static Value power(Builder& b, const RowCall& given) {
  const auto [base, exponent] = given.as<2>();
  return binary_of(b, Ast::Pow, *base, *exponent);
}

/// `len(values)`
static Value length(Builder& b, const RowCall& given) {
  const auto [values] = given.as<1>();
  return length_of(b, *values);
}

/// `abs(x)`
static Value absolute(Builder& b, const RowCall& given) {
  const auto [number] = given.as<1>();
  const auto& value = *number;
  if (value.is(Kind::tensor)) return call_torch(b, given.name, given.arguments, true);
  if (value.is(Kind::scalar))
    return value_of(Kind::scalar, cpp::call("torchbook::abs", {as_any_number(value)}));
  if (!value.is(Kind::integer) && !value.is(Kind::floating)) refuse("abs() takes {}", in_words(value.type));
  return value_of(value.type, cpp::call("std::abs", {value.expr}));
}

/// `type(x)` as print shows it. Jupyter displays it differently.
static Value type_of(Builder& /*b*/, const RowCall& given) {
  const auto [object] = given.as<1>();
  const auto& value = *object;
  if (value.is(Kind::scalar))
    return value_of(Kind::class_name, cpp::call("torchbook::type_of", {as_any_number(value)}));
  static const std::map<Kind, std::string_view> names = {
      {Kind::boolean, "bool"},        {Kind::integer, "int"},     {Kind::floating, "float"},
      {Kind::string, "str"},          {Kind::list, "list"},       {Kind::tuple, "tuple"},
      {Kind::record, "dict"},         {Kind::dict, "dict"},       {Kind::tensor, "torch.Tensor"},
      {Kind::array, "numpy.ndarray"}, {Kind::size, "torch.Size"}, {Kind::dtype, "torch.dtype"},
      {Kind::device, "torch.device"}, {Kind::none, "NoneType"}};
  const auto found = names.find(kind_in_python(value.type));
  const bool plain =
      (value.is(Kind::tensor) && !value.type.is(types::Leaf::no)) ||
      (value.is(Kind::list) && !is_list_like(value.type) && !is_empty(value.type)) ||
      (value.is(Kind::tuple) && !value.type.is(types::Group::tuple) && !value.type.is(types::Group::batch));
  if (found == names.end() || plain) refuse("the type of {} is not translated", in_words(value.type));
  auto type = value_of(Kind::class_name, string_literal(fmt::format("<class '{}'>", found->second)));
  type.literal = true;
  return type;
}

/// `max(1, 2, 3)`
static Value extreme_of(Builder& /*b*/, const RowCall& given) {
  const auto& values = given.arguments.positional;
  const auto fits = [&](const Value& each) { return each.type.is_number() && !each.is(Kind::boolean); };
  if (values.size() < 2 || !given.arguments.named.empty() || !std::all_of(values.begin(), values.end(), fits))
    refuse("{}() is translated for numbers", given.name);
  auto type = values[0].type;
  for (const auto& value : values) type = *common_type(type, value.type);
  const auto function = fmt::format("std::{}<{}>", given.name, cpp_type(type));
  return value_of(type, cpp::call(function, values.size() == 2 ? expressions_of(values)
                                                               : std::vector{in_braces(values)}));
}

/// `isinstance(x, float)`: a constant, unless x may be an int or a float.
static Value is_instance(Builder& b, const Node& call) {
  static const std::map<std::string_view, std::set<Kind>> classes = {{"int", {Kind::integer, Kind::boolean}},
                                                                     {"float", {Kind::floating}},
                                                                     {"bool", {Kind::boolean}},
                                                                     {"str", {Kind::string}},
                                                                     {"list", {Kind::list}},
                                                                     {"tuple", {Kind::tuple, Kind::size}},
                                                                     {"dict", {Kind::dict, Kind::record}},
                                                                     {"torch.Tensor", {Kind::tensor}}};
  const auto arguments = call.args();
  if (arguments.size() != 2) refuse("isinstance() takes a value and a class");
  const auto value = expression(b, arguments[0]);
  if (auto asked = is_of_class(b, value, arguments[1])) return *asked;
  const auto path = b.path_of(arguments[1]);
  const bool builtin = arguments[1].is(Ast::Name) && b.scope().find(arguments[1].id()) == nullptr;
  const auto found = classes.find(path ? std::string_view(*path) : builtin ? arguments[1].id() : "");
  if (found != classes.end() && value.is(Kind::scalar))
    return is_number_of(as_any_number(value), found->second);
  if (found == classes.end() || value.acts() || value.is(Kind::none) || is_object(value.type) ||
      value.type.is(types::Sequence::set))
    refuse("isinstance() is called in a form that is not translated");
  auto is = value_of(Kind::boolean, cpp::boolean(found->second.contains(kind_in_python(value.type))));
  is.literal = true;
  return is;
}

static const std::vector<Row> builtins = {
    {"abs", {{"x"}}, absolute},
    {"bool float int", {{"x"}}, number_from},
    {"dict", {}, dict_from},
    {"divmod", {{"x"}, {"y"}}, quotient_and_rest},
    {"id", {{"object"}}, identity_of},
    {"iter", {{"object"}}, iterator_of},
    {"len", {{"obj"}}, length},
    {"max min", {}, extreme_of},
    {"open",
     {{"file", {Kind::string, Kind::path}},
      {"mode", {Kind::string}, true},
      {"*encoding", {Kind::string}, true}},
     opened},
    {"ord", {{"c", {Kind::string}}}, number_of_letter},
    {"pow", {{"base"}, {"exp"}}, power},
    {"repr str", {{"object"}}, text_from},
    {"round", {{"number", {Kind::floating}}, {"ndigits", {Kind::integer}, true}}, rounded},
    {"set", {{"iterable", {}, true}}, set_of},
    {"sum", {{"iterable"}}, sum_of},
    {"type", {{"object"}}, type_of}};

Value call_builtin(Builder& b, std::string_view name, const Node& node) {
  static const std::map<std::string_view, Value (*)(Builder&, const Node&)> of_nodes = {
      {"isinstance", is_instance}, {"next", next_of}, {"print", print}};
  if (const auto found = of_nodes.find(name); found != of_nodes.end()) return found->second(b, node);
  if (auto value = call_of_sequence(b, name, node)) return *value;
  const auto parts = node.args();
  const bool comprehends =
      parts.size() == 1 && (parts[0].is(Ast::GeneratorExp) || parts[0].is(Ast::ListComp));
  if (name == "sum" && comprehends && node.keywords().empty()) return sum_of_comprehension(b, parts[0]);
  const auto* row = row_named(builtins, name);
  if (row == nullptr) refuse("{}() is not known, or called in a form that is not translated", name);
  return call_row(b, *row, name, fmt::format("{}()", name), arguments(b, node));
}

static const CallParameter taken_by_math{"x", {Kind::floating, Kind::tensor, Kind::element}};

/// `math.floor(x)`, `math.ceil(x)`, `math.trunc(x)`
static Value whole_number(Builder& b, const RowCall& given) {
  const auto [x] = given.as<1>();
  const auto number = converted(b, "float", *x).expr;
  return value_of(
      Kind::integer,
      cpp::cast("int64_t",
                given.name == "trunc" ? number : cpp::call(fmt::format("std::{}", given.name), {number})));
}

/// `math.log(x)`, `math.log(x, 2)`
static Value logarithm(Builder& b, const RowCall& given) {
  const auto [x, base] = given.as<2>();
  const auto log = [&](const Value& of) { return cpp::call("std::log", {converted(b, "float", of).expr}); };
  return value_of(Kind::floating, base == nullptr ? log(*x) : cpp::binary(log(*x), "/", log(*base)));
}

/// `math.degrees(x)`, `math.radians(x)`
static Value angle(Builder& b, const RowCall& given) {
  const auto [x] = given.as<1>();
  const auto pi = cpp::name("std::numbers::pi");
  const auto half_turn = cpp::number("180.0");
  const auto factor =
      given.name == "degrees" ? cpp::binary(half_turn, "/", pi) : cpp::binary(pi, "/", half_turn);
  return value_of(Kind::floating, cpp::binary(converted(b, "float", *x).expr, "*", factor));
}

static const std::vector<Row> functions_of_math = {
    {"sqrt exp log2 log10 log1p expm1 sin cos tan asin acos atan sinh cosh tanh fabs",
     {taken_by_math},
     "std::{}",
     Kind::floating},
    {"atan2 pow", {taken_by_math, taken_by_math}, "std::{}", Kind::floating},
    {"isnan isinf", {taken_by_math}, "std::{}", Kind::boolean},
    {"factorial", {{"x", {Kind::integer}}}, "python::factorial", Kind::integer},
    {"floor ceil trunc", {taken_by_math}, whole_number},
    {"log", {taken_by_math, {"base", taken_by_math.kinds, true}}, logarithm},
    {"degrees radians", {taken_by_math}, angle}};

Value call_math(Builder& b, std::string_view name, const Arguments& arguments) {
  return call_table(b, functions_of_math, name, fmt::format("math.{}", name), arguments);
}

}  // namespace torchbook::translate
