// Translates literals, names and operators.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/translate/translator.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

/// An operator that C++ has, too.
struct Operator {
  std::string_view code;
  Binding binding;
};

const std::map<std::string_view, Operator> operators = {
    {"Add", {"+", Binding::sum}},        {"Sub", {"-", Binding::sum}},        {"Mult", {"*", Binding::product}},
    {"Div", {"/", Binding::product}},    {"Lt", {"<", Binding::relation}},    {"LtE", {"<=", Binding::relation}},
    {"Gt", {">", Binding::relation}},    {"GtE", {">=", Binding::relation}},  {"Eq", {"==", Binding::equality}},
    {"NotEq", {"!=", Binding::equality}}};

/// Operators on tensors that are functions in C++.
const std::map<std::string_view, std::string_view> tensor_functions = {{"MatMult", "torch::matmul"},
                                                                       {"FloorDiv", "torch::floor_divide"},
                                                                       {"Mod", "torch::remainder"},
                                                                       {"Pow", "torch::pow"},
                                                                       {"BitAnd", "torch::bitwise_and"},
                                                                       {"BitOr", "torch::bitwise_or"},
                                                                       {"BitXor", "torch::bitwise_xor"}};

Binding above(Binding binding) { return static_cast<Binding>(static_cast<int>(binding) + 1); }

Value with_operator(const Value& left, const Operator& operation, const Value& right, Kind kind) {
  auto value = value_of(kind, fmt::format("{} {} {}", left.in(operation.binding), operation.code,
                                          right.in(above(operation.binding))));
  value.binding = operation.binding;
  value.acts = left.acts || right.acts;
  return value;
}

/// A number of a tensor beside a number of Python.
Value as_number(const Value& value, const Value& other) {
  if (!value.is(Kind::scalar)) return value;
  if (!other.is(Kind::floating)) throw NotPorted("whether a tensor's number is whole shows only when it runs");
  auto number = value;
  number.type.kind = Kind::floating;
  number.code = value.code.substr(0, value.code.rfind('(')) + "<double>()";
  return number;
}

}  // namespace

Value Translator::expression(const Node& node) {
  using Part = Value (Translator::*)(const Node&);
  static const std::map<std::string_view, Part> parts = {
      {"Constant", &Translator::constant},       {"Name", &Translator::name},
      {"Tuple", &Translator::sequence},          {"List", &Translator::sequence},
      {"BinOp", &Translator::binary},            {"UnaryOp", &Translator::unary},
      {"Compare", &Translator::compare},         {"BoolOp", &Translator::both_or_either},
      {"IfExp", &Translator::choice},            {"Call", &Translator::call},
      {"Attribute", &Translator::attribute},     {"Subscript", &Translator::subscript},
      {"JoinedStr", &Translator::f_string},       {"Dict", &Translator::dictionary},
           {"ListComp", &Translator::comprehension},
      {"GeneratorExp", &Translator::comprehension}};
  const auto found = parts.find(node.kind());
  if (found == parts.end()) throw NotPorted(fmt::format("the expression {} is not translated", node.kind()));
  return (this->*found->second)(node);
}

Value Translator::constant(const Node& node) {
  const auto type = node.text("type");
  const auto text = std::string(node.text("value"));
  Value value;
  if (type == "str") value = value_of(Kind::string, string_literal(text));
  if (type == "bool") value = value_of(Kind::boolean, text == "True" ? "true" : "false");
  if (type == "int") {
    constexpr std::size_t most_digits = 18;  // an int64_t holds them
    if (text.size() > most_digits) throw NotPorted("an int is too large for C++");
    value = value_of(Kind::integer, text);
    value.number = text;
  }
  if (type == "float" && text == "inf") need("#include <limits>");
  if (type == "float") value = value_of(Kind::floating, text == "inf" ? "std::numeric_limits<double>::infinity()" : text);
  if (type == "NoneType") value = value_of(Kind::none, "c10::nullopt");
  if (value.code.empty()) throw NotPorted(fmt::format("a constant of type {} is not translated", type));
  value.literal = true;
  return value;
}

Value Translator::name(const Node& node) {
  const auto id = node.text("id");
  const auto* variable = scope().own(id);
  if (variable == nullptr && !frame_->is_notebook) {
    variable = scope().find(id);
    if (variable != nullptr && !variable->missing.empty()) throw NotPorted(variable->missing);
    if (variable != nullptr) frame_->reads_notebook = true;
    const bool lasts = variable == nullptr || variable->type.name == "static";
    if (!lasts && frame_->of_class != nullptr && !variable->type.is(Kind::new_class)) {
      throw NotPorted(fmt::format("a class of C++ cannot read {}, a variable of the notebook", id));
    }
  }
  if (variable == nullptr) throw NotPorted(fmt::format("the name {} is not known", id));
  if (!variable->missing.empty()) throw NotPorted(variable->missing);
  auto value = value_of(variable->type, variable->code);
  if (value.type.name == "static") value.type.name.clear();
  value.temporary = false;
  value.number = variable->number;
  if (value.is(Kind::size)) value.sizes = value.code + ".sizes";
  return value;
}

Value Translator::sequence(const Node& node) {
  const auto elements = node.list("elts");
  if (elements.size() == 1 && elements[0].is("Starred")) {  // a copy of a list
    auto list = expression(elements[0].child("value"));
    if (list.is(Kind::list) && node.is("List") && !list.literal) return list;
  }
  Value value = value_of(node.is("List") ? Kind::list : Kind::tuple, "");
  for (const auto& element : elements) {
    if (element.is("Starred")) throw NotPorted("a list has a starred element");
    value.elements.push_back(expression(element));
  }
  std::size_t acting = 0;
  for (const auto& element : value.elements) {
    value.acts |= element.acts;
    acting += element.acts ? 1 : 0;
    if (value.is(Kind::tuple)) value.type.items.push_back(element.type);
  }
  if (acting > 1) {  // the braces or the call that these become may run in another order
    for (auto& element : value.elements) {
      if (element.acts) element = hold(element, "item");
    }
    value.acts = false;
  }
  if (value.is(Kind::list) && !value.elements.empty()) {
    const auto& first = value.elements[0].type;
    const bool same = std::all_of(value.elements.begin(), value.elements.end(),
                                  [&](const Value& element) { return element.type == first; });
    if (same) {
      value.type.items = {first};
    } else {
      value.type.items = {{.kind = Kind::none}};  // only a tensor can be made of it
    }
  }
  if (value.elements.empty()) {
    value.code = "{}";
  } else {
    try {
      value.code = printable([&] {
        auto written = value;
        written.literal = true;
        return written;
      }());
    } catch (const NotPorted&) {
      value.code = in_braces(value.elements);
    }
  }
  value.literal = true;
  return value;
}

/// `{"channels": 64, "bias": False}`: a struct.
Value Translator::dictionary(const Node& node) {
  Value value = value_of(Kind::record, "");
  Record record;
  const auto values = node.list("values");
  const auto keys = node.list("keys");
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const bool text = keys[i].is("Constant") && keys[i].text("type") == "str";
    if (!text) throw NotPorted("a dict has keys that are no strings");
    const auto key = std::string(keys[i].text("value"));
    if (!is_plain_name(key)) throw NotPorted(fmt::format("a dict has the key {}, which is no name of C++", key));
    value.elements.push_back(expression(values[i]));
    auto& element = value.elements.back();
    if (element.acts) throw NotPorted("a dict holds something that acts");
    if (!element.type.is_number() && !element.is(Kind::string) && !element.is(Kind::tensor) && !element.is(Kind::dtype)) {
      throw NotPorted(fmt::format("a dict holds {}", in_words(element.type)));
    }
    record.fields.emplace_back(key, element.type);
  }
  if (keys.empty()) throw NotPorted("an empty dict tells not what it will hold");
  value.literal = true;
  for (const auto& [name, known] : records_) {
    if (known.fields == record.fields) value.type.name = name;
  }
  if (value.type.name.empty()) {
    value.type.name = scope().fresh("Record");
    line(fmt::format("struct {} {{", value.type.name));
    ++indent_;
    for (const auto& [key, type] : record.fields) line(fmt::format("{} {};", cpp_type(type), key));
    --indent_;
    line("};");
    records_[value.type.name] = record;
  }
  std::vector<std::string> fields;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    fields.push_back(fmt::format(".{} = {}", record.fields[i].first, value.elements[i].code));
  }
  value.code = fmt::format("{}{{{}}}", value.type.name, fmt::join(fields, ", "));
  value.elements.clear();
  return value;
}

std::pair<Value, Value> Translator::two(const Node& left, const Node& right) {
  auto first = expression(left);
  const auto lines = lines_->size();
  auto second = expression(right);
  if (first.acts && lines != lines_->size()) throw NotPorted("its order of evaluation would change");
  if (first.acts && second.acts) {
    first = hold(first, "first");
    second = hold(second, "second");
  }
  return {std::move(first), std::move(second)};
}

Value Translator::binary(const Node& node) {
  auto [left, right] = two(node.child("left"), node.child("right"));
  return binary_of(node.child("op").kind(), std::move(left), std::move(right));
}

Value Translator::binary_of(std::string_view operation, Value left, Value right) {
  const bool tensors = left.is(Kind::tensor) || right.is(Kind::tensor);
  if (tensors) {
    for (const auto& side : {left, right}) {
      if (!side.is(Kind::tensor) && !side.type.is_number()) {
        throw NotPorted(fmt::format("an operator takes a tensor and {}", in_words(side.type)));
      }
    }
    return tensor_binary(operation, left, right);
  }
  if (left.is(Kind::string) && right.is(Kind::string) && operation == "Add") {
    if (left.literal) left.code = fmt::format("std::string({})", left.code);
    return with_operator(left, operators.at("Add"), right, Kind::string);
  }
  if (left.is(Kind::string) && left.literal && right.is(Kind::integer) && right.literal && operation == "Mult" &&
      right.code.size() < 4) {
    const auto inside = left.code.substr(1, left.code.size() - 2);
    std::string repeated;
    for (int i = std::stoi(right.code); i > 0; --i) repeated += inside;
    left.code = fmt::format("\"{}\"", repeated);
    return left;
  }
  if (!left.type.is_number() || !right.type.is_number()) {
    throw NotPorted(fmt::format("an operator takes {} and {}", in_words(left.type), in_words(right.type)));
  }
  return number_binary(operation, as_number(left, right), as_number(right, left));
}

Value Translator::tensor_binary(std::string_view operation, const Value& left, const Value& right) {
  if (const auto found = operators.find(operation); found != operators.end()) {
    return with_operator(left, found->second, right, Kind::tensor);
  }
  const auto found = tensor_functions.find(operation);
  if (found == tensor_functions.end()) throw NotPorted(fmt::format("the operator {} is not translated", operation));
  if (operation != "Pow" && (!left.is(Kind::tensor) || (operation == "MatMult" && !right.is(Kind::tensor)))) {
    throw NotPorted(fmt::format("the operator {} on {} is not translated", operation, in_words(left.type)));
  }
  auto value = operation == "Pow" && left.is(Kind::tensor)
                   ? tensor_of(fmt::format("{}.pow({})", left.in(Binding::postfix), right.code))
                   : tensor_of(fmt::format("{}({}, {})", found->second, left.code, right.code));
  value.acts = left.acts || right.acts;
  return value;
}

Value Translator::number_binary(std::string_view operation, const Value& left, const Value& right) {
  const bool floating = left.is(Kind::floating) || right.is(Kind::floating);
  const Kind kind = floating ? Kind::floating : Kind::integer;
  if (operation == "Div") {
    auto numerator = left;
    if (!floating) {
      numerator.code = floating_literal(left);
      numerator.binding = Binding::postfix;
    }
    return with_operator(numerator, operators.at("Div"), right, Kind::floating);
  }
  if (operation == "Add" || operation == "Sub" || operation == "Mult") {
    return with_operator(left, operators.at(operation), right, kind);
  }
  if (operation == "Pow") {
    if (!floating && left.code != "2") throw NotPorted("a power of ints may be too large for C++");
    if (!floating && (!right.literal || right.code.size() > 2 || right.code.starts_with('-') ||
                      std::stoi(right.code) > 62)) {
      throw NotPorted("a power of ints may be too large for C++");
    }
    if (!floating) return value_of(kind, fmt::format("(int64_t{{1}} << {})", right.code));
    need("#include <cmath>");
    return value_of(kind, fmt::format("std::pow({}, {})", left.code, right.code));
  }
  if (!floating && (operation == "FloorDiv" || operation == "Mod")) {
    need("#include <torchbook/notebook/whole_numbers.h>");
  }
  if (!floating && operation == "FloorDiv") {
    return value_of(kind, fmt::format("torchbook::floor_divide({}, {})", left.code, right.code));
  }
  if (!floating && operation == "Mod") {
    return value_of(kind, fmt::format("torchbook::remainder({}, {})", left.code, right.code));
  }
  throw NotPorted(fmt::format("the operator {} on numbers is not translated", operation));
}

}  // namespace torchbook::translate
