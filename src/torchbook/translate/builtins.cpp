// Translates Python's own functions, and those of its module math.
#include <fmt/format.h>
#include <torchbook/translate/translator.h>

#include <algorithm>

namespace torchbook::translate {

Value Translator::length_of(const Value& value) {
  if (value.is(Kind::tensor)) return value_of(Kind::integer, value.in(Binding::postfix) + ".size(0)");
  const bool written_out = value.literal && (value.is(Kind::list) || value.is(Kind::tuple));
  if (written_out) return value_of(Kind::integer, std::to_string(value.elements.size()));
  if (value.is(Kind::size))
    return value_of(Kind::integer, fmt::format("static_cast<int64_t>({}.size())", value.sizes));
  const bool loads = value.is(Kind::object) && value.type.name != "torchbook::nn::StateDict";
  if (loads) return value_of(Kind::integer, value.in(Binding::postfix) + ".size()");
  const bool modules =
      value.is(Kind::module) && (is_row(value.type) || value.type.name == "torch::nn::ModuleList");
  if (value.is(Kind::list) || value.is(Kind::object) || modules) {
    return value_of(Kind::integer, fmt::format("static_cast<int64_t>({}{}size())", value.in(Binding::postfix),
                                               modules ? "->" : "."));
  }
  throw NotPorted(fmt::format("the length of {} is not translated", in_words(value.type)));
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
  if (!type.is(Kind::tensor) && !type.is(Kind::integer) && !type.is(Kind::floating)) {
    throw NotPorted(fmt::format("it sums up {}", in_words(type)));
  }
  const auto total = scope().fresh("total");
  const auto item = scope().fresh("item");
  const bool tensor = type.is(Kind::tensor);
  line(fmt::format("{} {} = {};", cpp_type(type), total,
                   tensor ? "at::native::wrapped_scalar_tensor(0)" : "0"));
  line(fmt::format("for ({} {} : {}) {{", cpp_parameter(type), item, rows.code));
  ++indent_;
  line(tensor ? fmt::format("{0} = {0} + {1};", total, item) : fmt::format("{} += {};", total, item));
  --indent_;
  line("}");
  auto value = value_of(type, total);
  value.temporary = false;
  return value;
}

Value Translator::infinity() {
  need("#include <limits>");
  return value_of(Kind::floating, "std::numeric_limits<double>::infinity()");
}

/// `float("-inf")`
Value Translator::special_number(std::string_view text) {
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
  if (value.is(Kind::string) && kind == Kind::floating) return special_number(value.code);
  if (value.is(Kind::scalar) && kind == Kind::floating) return value_of(kind, as_double(value));
  const bool numbers = value.is(Kind::integer) || value.is(Kind::floating);
  if (!numbers || kind == Kind::boolean)
    throw NotPorted(fmt::format("{}() takes {}", name, in_words(value.type)));
  return value_of(kind, fmt::format("static_cast<{}>({})", type, value.code));
}

Value Translator::set_of(const Value& list) {
  if (!list.is(Kind::list) || list.type.items.empty())
    throw NotPorted(fmt::format("it makes a set of {}", in_words(list.type)));
  const auto held = list.temporary ? hold(rows_of(list), "list") : list;
  need("#include <set>");
  const auto unique = scope().fresh("unique");
  line(fmt::format("const std::set<{0}> {1}({2}.begin(), {2}.end());", cpp_type(list.type.items[0]), unique,
                   held.code));
  return {.type = {.kind = Kind::list, .items = list.type.items, .name = "set"},
          .code = unique,
          .temporary = false};
}

Value Translator::call_builtin(std::string_view name, const Node& node) {
  if (name == "print") return print(node);
  if (name == "next") return next_of(node);
  const auto given = arguments(node);
  const auto& values = given.positional;
  const bool one = values.size() == 1 && given.named.empty();
  if (name == "len" && one) return length_of(values[0]);
  if (name == "sum" && one) return sum_of(values[0]);
  if (name == "abs" && one && values[0].is(Kind::tensor))
    return tensor_of(values[0].in(Binding::postfix) + ".abs()");
  if (name == "list" && one && values[0].is(Kind::list)) {
    auto list = values[0];
    list.type.name.clear();  // a list also of what was a view
    return values[0].type.name == "set" ? values[0] : list;
  }
  if ((name == "float" || name == "int" || name == "bool") && one) return converted(name, values[0]);
  if (name == "round" && values.size() == 2 && given.named.empty() && values[0].is(Kind::floating) &&
      values[1].is(Kind::integer)) {
    return value_of(Kind::floating, fmt::format("torchbook::round({}, {})", values[0].code, values[1].code));
  }
  if (name == "set" && one) return set_of(values[0]);
  if (name == "sorted" && one && values[0].type.name == "set") {
    const auto type = list_of(values[0].type.items[0]);
    return value_of(type, fmt::format("{0}({1}.begin(), {1}.end())", cpp_type(type), values[0].code));
  }
  if (name == "max" || name == "min" || name == "abs") return call_of_numbers(name, values);
  throw NotPorted(fmt::format("{}() is not known, or called in a form that is not translated", name));
}

Value Translator::call_of_numbers(std::string_view name, const std::vector<Value>& values) {
  const auto number = [](const Value& value) { return value.is(Kind::integer) || value.is(Kind::floating); };
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

/// `"a b".split()` of a text that is written out, and `", ".join(words)`.
Value Translator::call_string_method(const Value& text, std::string_view name, const Arguments& arguments) {
  const auto& values = arguments.positional;
  const bool one = values.size() == 1 && arguments.named.empty();
  if (name == "join" && one && values[0].is(Kind::list) && !values[0].type.items.empty() &&
      values[0].type.items[0].is(Kind::string)) {
    need("#include <fmt/ranges.h>");
    return value_of(Kind::string,
                    fmt::format("fmt::format(\"{{}}\", fmt::join({}, {}))", printable(values[0]), text.code));
  }
  const bool plain = text.literal && text.code.find('\\') == text.code.npos;
  if (name != "split" || !plain || !values.empty() || !arguments.named.empty()) {
    throw NotPorted(fmt::format("the method {} of a str is not translated", name));
  }
  auto list = value_of(list_of({.kind = Kind::string}), "");
  list.literal = true;
  const auto inside = text.code.substr(1, text.code.size() - 2);
  for (std::size_t at = 0; at < inside.size();) {
    const auto end = std::min(inside.find(' ', at), inside.size());
    if (end > at)
      list.elements.push_back(value_of(Kind::string, fmt::format("\"{}\"", inside.substr(at, end - at))));
    at = end + 1;
  }
  for (auto& element : list.elements) element.literal = true;
  list.code = printable(list);
  return list;
}

Value Translator::call_math(std::string_view name, const Arguments& arguments) {
  static const std::set<std::string_view> known = {"sqrt", "exp",  "log", "log2", "log10", "sin",  "cos",
                                                   "tan",  "tanh", "pow", "fabs", "atan",  "sinh", "cosh"};
  const auto& values = arguments.positional;
  const bool numbers = std::all_of(values.begin(), values.end(), [](const Value& value) {
    return value.is(Kind::integer) || value.is(Kind::floating);
  });
  const std::size_t wanted = name == "pow" ? 2 : 1;
  if (!known.contains(name) || !numbers || values.size() != wanted || !arguments.named.empty()) {
    throw NotPorted(fmt::format("math.{} is not translated", name));
  }
  need("#include <cmath>");
  const auto second = wanted == 2 ? ", " + values[1].code : "";
  return value_of(Kind::floating, fmt::format("std::{}({}{})", name, floating_literal(values[0]), second));
}

}  // namespace torchbook::translate
