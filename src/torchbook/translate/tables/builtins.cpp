// Translates Python's own functions.
#include <fmt/format.h>
#include <torchbook/translate/lower/translator.h>

#include <algorithm>

namespace torchbook::translate {

Type summed(const Type& item) {
  if (item.is(Kind::boolean)) return Type(Kind::integer);
  if (!item.is(Kind::tensor) && !item.is(Kind::integer) && !item.is(Kind::floating))
    throw NotPorted(fmt::format("it sums up {}", in_words(item)));
  return item;
}

cpp::Stmt declared_sum(const Type& type, const std::string& name) {
  const auto zero = cpp::number(0);
  const bool tensor = type.is(Kind::tensor);
  return {.kind =
              cpp::Declare{.type = cpp_type(type),
                           .name = name,
                           .value = tensor ? cpp::call("at::native::wrapped_scalar_tensor", {zero}) : zero}};
}

/// Python's sum adds one element after the other, from the int 0 on.
Value Translator::sum_of(const Value& values) {
  if (values.literal && !values.elements.empty()) {
    std::optional<Value> total;
    for (const auto& element : values.elements) {
      if (!element.type.is_number() || element.is(Kind::scalar))
        throw NotPorted("it sums up something else than numbers");
      total = total ? binary_of("Add", *total, element) : element;
      total->literal = false;
    }
    if (values.expr.is(cpp::Kind::let)) total->expr = cpp::let(values.expr.node().body, total->expr);
    return *total;
  }
  const auto rows = rows_of(values);
  const auto& type = rows.type.items[0];
  const auto result = summed(type);
  return value_of(result, cpp::call("torchbook::sum", {rows.expr}));
}

Value Writer::infinity() {
  return value_of(Kind::floating, cpp::call("std::numeric_limits<double>::infinity", {}));
}

/// `float("-inf")`
Value Writer::special_number(std::string_view text) {
  if (text == "inf") return infinity();
  if (text == "nan") {
    return value_of(Kind::floating, cpp::call("std::numeric_limits<double>::quiet_NaN", {}));
  }
  if (text != "-inf") throw NotPorted("a str is taken for a number");
  return value_of(Kind::floating, cpp::unary("-", infinity().expr));
}

/// `float(x)`, `int(x)` and `bool(x)`
Value Translator::converted(std::string_view name, const Value& value) {
  const auto kind = name == "float" ? Kind::floating : name == "int" ? Kind::integer : Kind::boolean;
  const auto type = cpp_type(Type(kind));
  if (value.type.kind() == kind) return value;
  if (value.is(Kind::tensor)) return value_of(kind, cpp::method(value.expr, fmt::format("item<{}>", type)));
  const bool special = value.is_text("inf") || value.is_text("-inf") || value.is_text("nan");
  if (special && kind == Kind::floating) return special_number(value.expr.text());
  if (value.is(Kind::string) && kind != Kind::boolean) {
    return value_of(kind, cpp::call(kind == Kind::floating ? "std::stod" : "std::stol", {value.expr}));
  }
  if (value.is(Kind::scalar) && kind == Kind::floating) return value_of(kind, as_double(value));
  if (value.is(Kind::integer) && kind == Kind::floating) return value_of(kind, floating_literal(value));
  const bool numbers = value.is(Kind::integer) || value.is(Kind::floating) || value.is(Kind::boolean);
  if (!numbers || kind == Kind::boolean)
    throw NotPorted(fmt::format("{}() takes {}", name, in_words(value.type)));
  return value_of(kind, cpp::cast(type, value.expr));
}

Value Translator::set_of(const Value& values) {
  const auto list = rows_of(values);
  const auto unique_items = [&](const Value& from) {
    const auto unique = scope().fresh("unique");
    auto filled = captured([&] {
      const auto type = fmt::format("std::set<{}>", cpp_type(list.type.items[0]));
      auto items = cpp::call(type, {cpp::method(from.expr, "begin"), cpp::method(from.expr, "end")});
      emit(cpp::Declare{
          .type = "const " + type, .name = unique, .value = std::move(items), .constructs = true});
    });
    return Value{.type = list_of(list.type.items[0], types::Sequence::set),
                 .expr = cpp::let(std::move(filled), cpp::name(unique)),
                 .temporary = false};
  };
  return list.temporary || list.acts() ? named(list, "list", unique_items) : unique_items(list);
}

/// `ord("a")`
Value Translator::number_of_letter(const Value& letter) {
  refuse_letters_beyond_ascii();
  const auto first = cpp::method(as_string(letter), "at", {cpp::number(0)});
  return value_of(Kind::integer, cpp::braces({first}, "int64_t"));
}

/// `divmod(7, 2)`
Value Translator::quotient_and_rest(const Value& left, const Value& right) {
  const auto twice = [](const Value& value) {  // whether C++ can evaluate it two times
    const auto& expr = value.expr.is(cpp::Kind::unary) ? value.expr.part(0) : value.expr;
    return expr.is(cpp::Kind::name) || expr.is(cpp::Kind::number);
  };
  auto dividend = left;
  auto divisor = right;
  auto before = captured([&] {
    if (!twice(left)) dividend = hold(left, "dividend");
    if (!twice(right)) divisor = hold(right, "divisor");
  });
  auto parts = value_of(Kind::tuple, {});
  parts.elements = {binary_of("FloorDiv", dividend, divisor), binary_of("Mod", dividend, divisor)};
  for (const auto& part : parts.elements) parts.type.items.push_back(part.type);
  parts.literal = true;
  parts.expr = printable(parts);
  if (!before.empty()) parts.expr = cpp::let(std::move(before), parts.expr);
  return parts;
}

Value Translator::call_builtin(std::string_view name, const Node& node) {
  if (name == "print") return print(node);
  if (auto value = call_of_sequence(name, node)) return *value;
  if (name == "next") return next_of(node);
  if (name == "open") return opened(node);
  const auto parts = node.list("args");
  const bool comprehends = parts.size() == 1 && (parts[0].is("GeneratorExp") || parts[0].is("ListComp"));
  if (name == "sum" && comprehends && node.list("keywords").empty()) return sum_of_comprehension(parts[0]);
  if (name == "isinstance" && node.list("args").size() == 2) return is_instance(node.list("args"));
  const auto given = arguments(node);
  const auto& values = given.positional;
  const bool one = values.size() == 1 && given.named.empty();
  if (name == "len" && one) return length_of(values[0]);
  if (name == "sum" && one) return sum_of(values[0]);
  if (name == "abs" && one && values[0].is(Kind::tensor))
    return tensor_of(cpp::method(values[0].expr, "abs"));
  if ((name == "float" || name == "int" || name == "bool") && one) return converted(name, values[0]);
  if (name == "str" && one) return filled("{!s}", values);
  if (name == "repr" && one) return filled("{!r}", values);
  if (name == "dict" && !given.named.empty()) return dict_of_names(given);
  if (name == "type" && one) return type_of(values[0]);
  if (name == "ord" && one && values[0].is(Kind::string)) return number_of_letter(values[0]);
  if (name == "round" && one && values[0].is(Kind::floating)) {
    return value_of(Kind::integer, cpp::cast("int64_t", cpp::call("std::nearbyint", {values[0].expr})));
  }
  if (name == "divmod" && values.size() == 2) return quotient_and_rest(values[0], values[1]);
  if (name == "round" && values.size() == 2 && given.named.empty() && values[0].is(Kind::floating) &&
      values[1].is(Kind::integer)) {
    return value_of(Kind::floating, cpp::call("torchbook::round", {values[0].expr, values[1].expr}));
  }
  if (name == "set" && one) return set_of(values[0]);
  if (name == "pow" && values.size() == 2 && given.named.empty())
    return binary_of("Pow", values[0], values[1]);
  if (name == "iter" && one) return iterator_of(values[0]);
  if (name == "max" || name == "min" || name == "abs") return call_of_numbers(name, values);
  throw NotPorted(fmt::format("{}() is not known, or called in a form that is not translated", name));
}

/// `isinstance(x, float)`: known before it runs.
Value Translator::is_instance(const std::vector<Node>& arguments) {
  static const std::map<std::string_view, std::set<Kind>> classes = {{"int", {Kind::integer, Kind::boolean}},
                                                                     {"float", {Kind::floating}},
                                                                     {"bool", {Kind::boolean}},
                                                                     {"str", {Kind::string}},
                                                                     {"list", {Kind::list}},
                                                                     {"tuple", {Kind::tuple, Kind::size}},
                                                                     {"dict", {Kind::dict, Kind::record}},
                                                                     {"torch.Tensor", {Kind::tensor}}};
  const auto value = expression(arguments[0]);
  const auto path = path_of(arguments[1]);
  const bool builtin = arguments[1].is("Name") && scope().find(arguments[1].text("id")) == nullptr;
  const auto found = classes.find(path ? std::string_view(*path) : builtin ? arguments[1].text("id") : "");
  if (found == classes.end() || value.acts() || value.is(Kind::scalar) || value.is(Kind::none) ||
      value.is(Kind::object) || value.type.is(types::Sequence::set) || is_tuple_of_any_size(value.type))
    throw NotPorted("isinstance() is called in a form that is not translated");
  auto is = value_of(Kind::boolean, cpp::boolean(found->second.contains(value.type.kind())));
  is.literal = true;
  return is;
}

/// `type(x)`: what print shows of it. Jupyter displays it in another way.
Value Translator::type_of(const Value& value) {
  static const std::map<Kind, std::string_view> names = {
      {Kind::boolean, "bool"},        {Kind::integer, "int"},     {Kind::floating, "float"},
      {Kind::string, "str"},          {Kind::list, "list"},       {Kind::tuple, "tuple"},
      {Kind::record, "dict"},         {Kind::dict, "dict"},       {Kind::tensor, "torch.Tensor"},
      {Kind::array, "numpy.ndarray"}, {Kind::size, "torch.Size"}, {Kind::dtype, "torch.dtype"},
      {Kind::device, "torch.device"}, {Kind::none, "NoneType"}};
  const auto found = names.find(is_tuple_of_any_size(value.type) ? Kind::tuple : value.type.kind());
  const bool plain = (value.is(Kind::tensor) && !value.type.is(types::Leaf::no)) ||
                     (value.is(Kind::list) && !has_places(value.type) && !is_empty(value.type)) ||
                     (value.is(Kind::tuple) && !value.type.is(types::Group::tuple));
  if (found == names.end() || plain)
    throw NotPorted(fmt::format("the type of {} is not translated", in_words(value.type)));
  auto type = value_of(Kind::class_name, string_literal(fmt::format("<class '{}'>", found->second)));
  type.literal = true;
  return type;
}

/// `max(1, 2, 3)`
Value Translator::extreme_of(std::string_view name, const std::vector<Value>& values) {
  for (const auto& value : values) {
    if (value.type != values[0].type)
      throw NotPorted(fmt::format("{}() is called in a form that is not translated", name));
  }
  const auto function = fmt::format("std::{}<{}>", name, cpp_type(values[0].type));
  return value_of(values[0].type, cpp::call(function, {in_braces(values)}));
}

Value Translator::call_of_numbers(std::string_view name, const std::vector<Value>& values) {
  const auto number = [](const Value& value) { return value.is(Kind::integer) || value.is(Kind::floating); };
  if (name != "abs" && values.size() > 2 && number(values[0])) return extreme_of(name, values);
  const std::size_t wanted = name == "abs" ? 1 : 2;
  const bool same = values.size() == wanted && number(values[0]) && values[0].type == values[wanted - 1].type;
  if (!same) throw NotPorted(fmt::format("{}() is called in a form that is not translated", name));
  if (wanted == 1) {
    return value_of(values[0].type, cpp::call("std::abs", {values[0].expr}));
  }
  const auto function = fmt::format("std::{}<{}>", name, cpp_type(values[0].type));
  return value_of(values[0].type, cpp::call(function, expressions_of(values)));
}

}  // namespace torchbook::translate
