// Writes literals, lists and tuples of C++.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/notebook/cells/cpp_tokens.h>
#include <torchbook/translate/node.h>
#include <torchbook/translate/signatures.h>
#include <torchbook/translate/value.h>

#include <algorithm>
#include <map>

namespace torchbook::translate {
namespace {

/// An operator in C++.
struct Operator {
  std::string_view code;
  Binding binding;
};

const std::map<std::string_view, Operator> operators = {
    {"Add", {"+", Binding::sum}},      {"Sub", {"-", Binding::sum}},
    {"Mult", {"*", Binding::product}}, {"Div", {"/", Binding::product}},
    {"Lt", {"<", Binding::relation}},  {"LtE", {"<=", Binding::relation}},
    {"Gt", {">", Binding::relation}},  {"GtE", {">=", Binding::relation}},
    {"Eq", {"==", Binding::equality}}, {"NotEq", {"!=", Binding::equality}}};

}  // namespace

bool is_operator(std::string_view operation) { return operators.contains(operation); }

Value with_operator(const Value& left, std::string_view operation, const Value& right, Kind kind) {
  const auto& [code, binding] = operators.at(operation);
  const auto tighter = static_cast<Binding>(static_cast<int>(binding) + 1);
  // C++ does not chain comparisons, so both sides of one are in parentheses if they are comparisons.
  const auto least = binding == Binding::relation || binding == Binding::equality ? tighter : binding;
  auto value = value_of(kind, fmt::format("{} {} {}", left.in(least), code, right.in(tighter)));
  value.binding = binding;
  return value;
}

bool holds_named_list(const Value& value) {
  return ((value.is(Kind::list) || value.is(Kind::dict)) && !value.temporary) ||
         std::any_of(value.elements.begin(), value.elements.end(), holds_named_list);
}

void refuse_shared_items(const Value& list) {
  const auto& items = list.type.items;
  const bool shares =
      list.is(Kind::list) && !items.empty() && (items[0].is(Kind::list) || items[0].is(Kind::dict));
  if (shares && (!list.temporary || holds_named_list(list))) throw NotPorted("a list gets a second name");
}

std::string stored(const std::string& to, const Value& value) {
  return value.in_place.empty() ? fmt::format("{} = {};", to, value.code)
                                : fmt::format("{} {};", to, value.in_place);
}

std::string sizes_as_vector(const Value& size) {
  constexpr std::string_view view = "torch::IntArrayRef(";
  if (size.sizes.ends_with(".sizes")) return size.sizes;
  if (size.sizes.starts_with(view))
    return size.sizes.substr(view.size(), size.sizes.size() - view.size() - 1);
  return size.sizes + ".vec()";
}

std::string string_literal(std::string_view text) {
  if (text.find('\0') != text.npos) throw NotPorted("a str with a null character");
  return notebook::string_literal(text);
}

std::string floating_literal(const Value& number) {
  if (!number.is(Kind::integer)) return number.code;
  return number.literal ? number.code + ".0" : fmt::format("static_cast<double>({})", number.code);
}

std::vector<std::string> argument_codes(const std::vector<Value>& values) {
  std::vector<std::string> codes;
  codes.reserve(values.size());
  for (const auto& value : values) {
    const bool written = value.literal && !value.elements.empty();
    codes.push_back(value.is(Kind::none) ? "{}" : written ? in_braces(value.elements) : value.code);
  }
  return codes;
}

std::string as_number(const Value& scalar, std::string_view type) {
  constexpr std::string_view item = ".item()";
  if (!scalar.code.ends_with(item)) return fmt::format("{}.to<{}>()", scalar.in(Binding::postfix), type);
  return fmt::format("{}.item<{}>()", scalar.code.substr(0, scalar.code.size() - item.size()), type);
}

std::string as_double(const Value& scalar) {
  return scalar.code.ends_with(".item()") ? as_number(scalar, "double")
                                          : scalar.in(Binding::postfix) + ".toDouble()";
}

std::string in_braces(const std::vector<Value>& elements) {
  std::vector<std::string> codes;
  codes.reserve(elements.size());
  for (const auto& element : elements) {
    codes.push_back(element.elements.empty() ? element.code : in_braces(element.elements));
  }
  return fmt::format("{{{}}}", fmt::join(codes, ", "));
}

std::vector<Value> parts_of(const Value& tuple) {
  if (tuple.literal) return tuple.elements;
  std::vector<Value> parts;
  for (std::size_t i = 0; i < tuple.type.items.size(); ++i)
    parts.push_back(value_of(tuple.type.items[i], fmt::format("std::get<{}>({})", i, tuple.code)));
  return parts;
}

std::string device_code(const Value& value) {
  if (value.is(Kind::device)) return value.code;
  return value.code == "\"cpu\"" ? "torch::kCPU" : fmt::format("torch::Device({})", value.code);
}

std::string with_tensors(const Value& value, const std::string& code) {
  constexpr std::string_view text = ".text";
  const bool shows = value.is(Kind::string) && value.binding == Binding::postfix && code.starts_with("f(") &&
                     code.ends_with(text);
  return shows ? code.substr(0, code.size() - text.size()) : code;
}

bool show_classes(Value& value) {
  bool any = value.type.name == "type";
  if (any) {  // "<class 'int'>"
    const auto first = value.code.find('\'') + 1;
    const auto name = value.code.substr(first, value.code.find('\'', first) - first);
    value.code = fmt::format("torchbook::Class{{\"{}\"}}", name);
    value.type = {.kind = Kind::object, .items = {}, .name = "torchbook::Class"};
    value.literal = false;
  }
  for (auto& element : value.elements) any = show_classes(element) || any;
  return any;
}

std::string in_row(const Value& module) {
  const bool row = module.type.name == "torch::nn::Sequential";
  return row ? fmt::format("torchbook::nn::inner({})", module.code) : module.code;
}

namespace {

/// Throws NotPorted for values that Python prints as C++ cannot.
void refuse_unprintable(const Value& value) {
  static const std::map<std::string_view, std::string_view> reasons = {
      {"set", "a set has an order of its own"},
      {starred_ints, "a call has a starred argument"},
      {"type", "a class is shown by something else than print"},
      {"text file", "Python prints a file with its address"},
      {"const void*", "it prints an address"}};
  if (is_view(value.type)) throw NotPorted("it prints an iterator, a range or what a dict shows");
  if (const auto found = reasons.find(value.type.name); found != reasons.end())
    throw NotPorted(std::string(found->second));
  if (value.is(Kind::none) && value.acts) throw NotPorted("it takes the None of a call");
  if (value.is(Kind::array)) throw NotPorted("NumPy prints its arrays itself");
  if (value.is(Kind::random) || value.is(Kind::function) || value.is(Kind::new_class) ||
      value.is(Kind::generator)) {
    throw NotPorted(fmt::format("Python prints {} with its address", in_words(value.type)));
  }
  if (value.is(Kind::record)) throw NotPorted("it prints a dict");
  if (value.is(Kind::optimizer)) throw NotPorted("C++ does not print optimizers as Python does");
}

}  // namespace

std::string printable(const Value& value) {
  refuse_unprintable(value);
  if (is_tuple_of_any_size(value.type)) {
    return value.temporary ? fmt::format("torchbook::tuple({})", value.code) : value.code;
  }
  if (value.is(Kind::tuple) && value.type.name.starts_with(return_types)) {
    const auto function = value.type.name.substr(return_types.size());
    return fmt::format("torchbook::return_type(\"{}\", {{\"{}\"}}, {})", function,
                       fmt::join(result_names_of(function), "\", \""), value.code);
  }
  const auto& items = value.type.items;
  const bool batch =
      value.is(Kind::tuple) && value.type.name == batch_of_loader &&
      std::all_of(items.begin(), items.end(), [](const Type& item) { return item.is(Kind::tensor); });
  if (batch) return fmt::format("torchbook::data::list({})", value.code);
  if (value.is(Kind::tuple) && !value.type.name.empty() && value.type.name != "pair")
    throw NotPorted(fmt::format("C++ does not print the names of {}", value.type.name));
  if (value.is(Kind::none)) return "nullptr";
  if (!value.literal || value.elements.empty()) {
    if (value.literal && (value.is(Kind::list) || value.is(Kind::tuple) || value.is(Kind::dict)))
      throw NotPorted("it prints an empty list or dict");
    return value.code;
  }
  std::vector<std::string> codes;
  const bool wraps = value.is(Kind::list) && value.type.items[0].name == any_module;
  for (const auto& element : value.elements) {
    if (element.type.name == "error") throw NotPorted("it prints an exception within a list");
    codes.push_back(wraps ? fmt::format("{}({})", any_module, in_row(element)) : printable(element));
  }
  if (value.is(Kind::tuple)) return fmt::format("std::make_tuple({})", fmt::join(codes, ", "));
  return fmt::format("{}{{{}}}", cpp_type(value.type), fmt::join(codes, ", "));
}

}  // namespace torchbook::translate
