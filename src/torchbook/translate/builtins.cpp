// Translates Python's own functions.
#include <fmt/format.h>
#include <torchbook/translate/translator.h>

#include <algorithm>

namespace torchbook::translate {

/// `len(dataset)`
Value Translator::length_of_object(const Value& object) {
  auto value = value_of(Kind::integer, of_object(object) + "size()");
  const auto* made = class_of(object.type);
  if (made == nullptr) return value;
  const auto method = made->methods.find("__len__");
  if (method == made->methods.end()) throw NotPorted("it asks an object without __len__ for its length");
  note_effects(method->second);
  value.acts = method->second.acts;
  return value;
}

Value Translator::length_of(const Value& value) {
  if (value.type.name == "nested")
    throw NotPorted("how deep the list of a tensor is shows only when it runs");
  if (value.is(Kind::tensor)) return value_of(Kind::integer, value.in(Binding::postfix) + ".size(0)");
  if (value.is(Kind::record) && !value.temporary)
    return value_of(Kind::integer, std::to_string(fields_of(value).size()));
  const bool written_out = value.literal && (value.is(Kind::list) || value.is(Kind::tuple));
  if (written_out) return value_of(Kind::integer, std::to_string(value.elements.size()));
  if (value.is(Kind::size))
    return value_of(Kind::integer, fmt::format("static_cast<int64_t>({}.size())", value.sizes));
  if (value.is(Kind::string)) {
    refuse_letters_beyond_ascii();
    const auto text = value.literal ? fmt::format("std::string({})", value.code) : value.in(Binding::postfix);
    return value_of(Kind::integer, fmt::format("static_cast<int64_t>({}.size())", text));
  }
  if (value.is(Kind::tuple) && value.type.name.empty() && !value.acts)
    return value_of(Kind::integer, std::to_string(value.type.items.size()));
  const bool loads = value.is(Kind::object) && value.type.name != "torchbook::nn::StateDict";
  if (loads) return length_of_object(value);
  const bool modules =
      value.is(Kind::module) && (is_row(value.type) || value.type.name == "torch::nn::ModuleList");
  if (value.is(Kind::list) || value.is(Kind::dict) || value.is(Kind::object) || modules) {
    return value_of(Kind::integer, fmt::format("static_cast<int64_t>({}{}size())", value.in(Binding::postfix),
                                               modules ? "->" : "."));
  }
  throw NotPorted(fmt::format("the length of {} is not translated", in_words(value.type)));
}

Type summed(const Type& item) {
  if (item.is(Kind::boolean)) return {.kind = Kind::integer};
  if (!item.is(Kind::tensor) && !item.is(Kind::integer) && !item.is(Kind::floating))
    throw NotPorted(fmt::format("it sums up {}", in_words(item)));
  return item;
}

std::string declared_sum(const Type& type, const std::string& name) {
  return fmt::format("{} {} = {};", cpp_type(type), name,
                     type.is(Kind::tensor) ? "at::native::wrapped_scalar_tensor(0)" : "0");
}

/// Python's sum adds one element after the other, from the int 0 on.
Value Translator::sum_of(const Value& values) {
  if (values.literal && !values.elements.empty()) {
    auto total = value_of(Kind::integer, "0");
    total.literal = true;
    for (const auto& element : values.elements) {
      if (!element.type.is_number() || element.is(Kind::scalar))
        throw NotPorted("it sums up something else than numbers");
      total = total.literal && total.code == "0" ? element : binary_of("Add", total, element);
      total.literal = false;
    }
    return total;
  }
  const auto rows = rows_of(values);
  const auto& type = rows.type.items[0];
  const auto result = summed(type);
  need(type.is(Kind::tensor) ? "#include <torchbook/notebook/tensor_lists.h>"
                             : "#include <torchbook/notebook/sequences.h>");
  return value_of(result, fmt::format("torchbook::sum({})", rows.code));
}

Value Writer::infinity() {
  need("#include <limits>");
  return value_of(Kind::floating, "std::numeric_limits<double>::infinity()");
}

/// `float("-inf")`
Value Writer::special_number(std::string_view text) {
  if (text == "\"inf\"") return infinity();
  if (text == "\"nan\"") {
    need("#include <limits>");
    return value_of(Kind::floating, "std::numeric_limits<double>::quiet_NaN()");
  }
  if (text != "\"-inf\"") throw NotPorted("a str is taken for a number");
  auto negative = infinity();
  negative.code = "-" + negative.code;
  negative.binding = Binding::unary;
  return negative;
}

/// `float(x)`, `int(x)` and `bool(x)`
Value Translator::converted(std::string_view name, const Value& value) {
  const auto kind = name == "float" ? Kind::floating : name == "int" ? Kind::integer : Kind::boolean;
  const auto type = cpp_type({.kind = kind});
  if (value.type.kind == kind) return value;
  if (value.is(Kind::tensor))
    return value_of(kind, fmt::format("{}.item<{}>()", value.in(Binding::postfix), type));
  const bool special = value.code == "\"inf\"" || value.code == "\"-inf\"" || value.code == "\"nan\"";
  if (special && kind == Kind::floating) return special_number(value.code);
  if (value.is(Kind::string) && kind != Kind::boolean) {
    need("#include <string>");
    return value_of(kind, fmt::format("std::{}({})", kind == Kind::floating ? "stod" : "stoll", value.code));
  }
  if (value.is(Kind::scalar) && kind == Kind::floating) return value_of(kind, as_double(value));
  if (value.is(Kind::integer) && kind == Kind::floating) return value_of(kind, floating_literal(value));
  const bool numbers = value.is(Kind::integer) || value.is(Kind::floating) || value.is(Kind::boolean);
  if (!numbers || kind == Kind::boolean)
    throw NotPorted(fmt::format("{}() takes {}", name, in_words(value.type)));
  return value_of(kind, fmt::format("static_cast<{}>({})", type, value.code));
}

Value Translator::set_of(const Value& values) {
  const auto list = rows_of(values);
  const auto held = list.temporary ? hold(list, "list") : list;
  need("#include <set>");
  const auto unique = scope().fresh("unique");
  line(fmt::format("const std::set<{0}> {1}({2}.begin(), {2}.end());", cpp_type(list.type.items[0]), unique,
                   held.code));
  return {.type = {.kind = Kind::list, .items = list.type.items, .name = "set"},
          .code = unique,
          .temporary = false};
}

/// `ord("a")`
Value Translator::number_of_letter(const Value& letter) {
  refuse_letters_beyond_ascii();
  const auto text = letter.literal ? fmt::format("std::string({})", letter.code) : letter.code;
  return value_of(Kind::integer, fmt::format("int64_t{{{}.at(0)}}", text));
}

/// `divmod(7, 2)`
Value Translator::quotient_and_rest(const Value& left, const Value& right) {
  auto parts = value_of(Kind::tuple, "");
  parts.elements = {binary_of("FloorDiv", left, right), binary_of("Mod", left, right)};
  for (const auto& part : parts.elements) parts.type.items.push_back(part.type);
  parts.literal = true;
  parts.code = printable(parts);
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
    return tensor_of(values[0].in(Binding::postfix) + ".abs()");
  if ((name == "float" || name == "int" || name == "bool") && one) return converted(name, values[0]);
  if (name == "str" && one) return filled("\"{!s}\"", values);
  if (name == "repr" && one) return filled("\"{!r}\"", values);
  if (name == "dict" && !given.named.empty()) return dict_of_names(given);
  if (name == "type" && one) return type_of(values[0]);
  if (name == "ord" && one && values[0].is(Kind::string)) return number_of_letter(values[0]);
  if (name == "round" && one && values[0].is(Kind::floating)) {
    need("#include <cmath>");
    return value_of(Kind::integer, fmt::format("static_cast<int64_t>(std::nearbyint({}))", values[0].code));
  }
  if (name == "divmod" && values.size() == 2 && !values[0].acts && !values[1].acts) {
    return quotient_and_rest(values[0], values[1]);
  }
  if (name == "round" && values.size() == 2 && given.named.empty() && values[0].is(Kind::floating) &&
      values[1].is(Kind::integer)) {
    return value_of(Kind::floating, fmt::format("torchbook::round({}, {})", values[0].code, values[1].code));
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
  if (found == classes.end() || value.acts || value.is(Kind::scalar) || value.is(Kind::none) ||
      value.is(Kind::object) || value.type.name == "set" || is_tuple_of_any_size(value.type))
    throw NotPorted("isinstance() is called in a form that is not translated");
  auto is = value_of(Kind::boolean, found->second.contains(value.type.kind) ? "true" : "false");
  is.literal = true;
  return is;
}

/// `type(x)`: what print shows of it. Jupyter displays it in another way.
Value Translator::type_of(const Value& value) {
  static const std::map<Kind, std::string_view> names = {
      {Kind::boolean, "bool"},    {Kind::integer, "int"},       {Kind::floating, "float"},
      {Kind::string, "str"},      {Kind::list, "list"},         {Kind::tuple, "tuple"},
      {Kind::record, "dict"},     {Kind::dict, "dict"},         {Kind::tensor, "torch.Tensor"},
      {Kind::size, "torch.Size"}, {Kind::dtype, "torch.dtype"}, {Kind::device, "torch.device"},
      {Kind::none, "NoneType"}};
  const auto found = names.find(is_tuple_of_any_size(value.type) ? Kind::tuple : value.type.kind);
  const bool named = !value.type.name.empty() && !value.is(Kind::record) && !is_tuple_of_any_size(value.type);
  if (found == names.end() || named)
    throw NotPorted(fmt::format("the type of {} is not translated", in_words(value.type)));
  auto type =
      value_of({.kind = Kind::string, .name = "type"}, fmt::format("\"<class '{}'>\"", found->second));
  type.literal = true;
  return type;
}

/// `max(1, 2, 3)`
Value Translator::extreme_of(std::string_view name, const std::vector<Value>& values) {
  for (const auto& value : values) {
    if (value.type != values[0].type)
      throw NotPorted(fmt::format("{}() is called in a form that is not translated", name));
  }
  need("#include <algorithm>");
  return value_of(values[0].type,
                  fmt::format("std::{}<{}>({})", name, cpp_type(values[0].type), in_braces(values)));
}

Value Translator::call_of_numbers(std::string_view name, const std::vector<Value>& values) {
  const auto number = [](const Value& value) { return value.is(Kind::integer) || value.is(Kind::floating); };
  if (name != "abs" && values.size() > 2 && number(values[0])) return extreme_of(name, values);
  const std::size_t wanted = name == "abs" ? 1 : 2;
  const bool same = values.size() == wanted && number(values[0]) && values[0].type == values[wanted - 1].type;
  if (!same) throw NotPorted(fmt::format("{}() is called in a form that is not translated", name));
  if (wanted == 1) {
    need("#include <cstdlib>");
    return value_of(values[0].type, fmt::format("std::abs({})", values[0].code));
  }
  need("#include <algorithm>");
  return value_of(values[0].type, fmt::format("std::{}<{}>({}, {})", name, cpp_type(values[0].type),
                                              values[0].code, values[1].code));
}

}  // namespace torchbook::translate
