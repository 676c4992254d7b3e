// Translates operators on tensors, numbers and strings.
#include <fmt/format.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/dtypes.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/expressions/operators.h>
#include <tools/import/translate/expressions/printing.h>
#include <tools/import/translate/kinds/array.h>
#include <tools/import/translate/kinds/file.h>
#include <tools/import/translate/kinds/path.h>
#include <tools/import/translate/kinds/sequences.h>
#include <tools/import/translate/kinds/size.h>

#include <cmath>

namespace torchbook::translate {
namespace {

/// Operators on tensors that are functions in C++.
const std::map<Ast, std::string_view> tensor_functions = {
    {Ast::MatMult, "torch::matmul"},     {Ast::FloorDiv, "torch::floor_divide"},
    {Ast::Mod, "torch::remainder"},      {Ast::Pow, "torch::pow"},
    {Ast::BitAnd, "torch::bitwise_and"}, {Ast::BitOr, "torch::bitwise_or"},
    {Ast::BitXor, "torch::bitwise_xor"}};

/// Returns a number that may be an int or a float as an operand: a double beside a double, and
/// otherwise a number with Python's arithmetic.
Value as_number(const Value& value, const Value& other) {
  if (!value.is(Kind::scalar)) return value;
  auto number = value;
  if (other.is(Kind::floating)) number.type = Kind::floating;
  number.expr = other.is(Kind::floating) ? as_double(value) : as_any_number(value);
  return number;
}

/// `a & b`, `a | b`, `a ^ b` of ints, and shifts that are written out and small; nullopt for another
/// operator.
std::optional<Value> bits(Ast operation, const Value& left, const Value& right) {
  static const std::map<Ast, std::string_view> signs = {
      {Ast::BitAnd, "&"}, {Ast::BitOr, "|"}, {Ast::BitXor, "^"}, {Ast::LShift, "<<"}, {Ast::RShift, ">>"}};
  constexpr double most = 31;
  const auto sign = signs.find(operation);
  if (sign == signs.end() || !left.is(Kind::integer) || !right.is(Kind::integer)) return std::nullopt;
  const bool shifts = operation == Ast::LShift || operation == Ast::RShift;
  const bool small =
      !right.number.empty() && !right.number.starts_with('-') && std::stod(right.number) <= most;
  if (shifts && !small) return std::nullopt;
  const auto first = shifts && left.literal ? cpp::braces({left.expr}, "int64_t") : left.expr;
  return value_of(Kind::integer, cpp::binary(first, sign->second, right.expr));
}

}  // namespace

const Variable* int_as_double(Scope& scope, const Node& node) {
  const auto* variable = node.is(Ast::Name) ? scope.own(node.id()) : nullptr;
  return variable != nullptr && variable->still_int ? variable : nullptr;
}

/// `a ** b` of numbers: an int for two ints, unless `b` is `-1`, `-n` or another constant below 0.
static Value power(const Value& base, const Value& exponent) {
  const bool ints = !base.is(Kind::floating) && !base.is(Kind::scalar) && exponent.is(Kind::integer);
  const bool negative = exponent.number.starts_with('-') || exponent.expr.is(cpp::Kind::unary, "-");
  const bool written = ints && !negative && !base.number.empty() && !exponent.number.empty();
  if (written && std::fabs(std::pow(std::stod(base.number), std::stod(exponent.number))) >= 0x1p63)
    refuse("a power of ints is no int of 64 bits");
  if (ints && !negative)
    return value_of(Kind::integer, cpp::call("python::power", {base.expr, exponent.expr}));
  const auto real = [](const Value& number) {
    return number.is(Kind::scalar) ? as_double(number) : number.expr;
  };
  const auto from = ints ? floating_literal(base) : real(base);
  return value_of(Kind::floating, cpp::call("std::pow", {from, real(exponent)}));
}

/// Returns a divisor that raises Python's error if it is 0.
static Value checked_divisor(Ast operation, const Value& left, const Value& right) {
  static const std::map<Ast, std::string_view> of_ints = {
      {Ast::FloorDiv, "integer division or modulo by zero"}, {Ast::Mod, "integer modulo by zero"}};
  static const std::map<Ast, std::string_view> of_floats = {{Ast::Div, "float division by zero"},
                                                            {Ast::FloorDiv, "float floor division by zero"},
                                                            {Ast::Mod, "float modulo"}};
  const bool floating = left.is(Kind::floating) || right.is(Kind::floating);
  const auto& errors = floating ? of_floats : of_ints;
  std::vector<cpp::Expr> given = {right.expr};
  if (const auto error = errors.find(operation); error != errors.end())
    given.push_back(cpp::string(error->second));
  auto checked = right;
  checked.expr = cpp::call("python::divisor", std::move(given));
  return checked;
}

void widen_int(Builder& b, const Variable& number, std::string_view name) {
  b.facts->becomes(number.definition, Kind::scalar);
  refuse("{} is an int first, and then a float", name);
}

void widen_int_beside(Builder& b, const Variable& number, std::string_view name, const Value& partner) {
  const bool of_floats = partner.is(Kind::tensor) && partner.type.numbers() == Numbers::floating;
  if (!partner.is(Kind::floating) && !of_floats) widen_int(b, number, name);
}

std::pair<Value, Value> two(Builder& b, const Node& left, const Node& right, bool divides) {
  // An int held as a double is only beside a float or in a division. Elsewhere, the result would differ.
  const auto operand = [&](const Node& node) {
    const auto* number = int_as_double(b.scope(), node);
    return number == nullptr ? expression(b, node) : value_of(number->type, cpp::name(number->code));
  };
  const auto* one = int_as_double(b.scope(), left);
  const auto* other = int_as_double(b.scope(), right);
  auto first = operand(left);
  auto second = operand(right);
  const auto check = [&](const Variable& number, const Node& of, const Value& partner) {
    if (!divides || !partner.type.is_number()) widen_int_beside(b, number, of.id(), partner);
  };
  if (one != nullptr && other != nullptr) widen_int(b, *one, left.id());
  if (one != nullptr) check(*one, left, second);
  if (other != nullptr) check(*other, right, first);
  return {std::move(first), std::move(second)};
}

Value binary(Builder& b, const Node& node) {
  const auto operation = node.op().kind();
  auto [left, right] = two(b, node.left(), node.right(), operation == Ast::Div);
  return binary_of(b, operation, std::move(left), right);
}

/// `array[0] + 1`
static Value binary_of_elements(Builder& b, Ast operation, const Value& left, const Value& right) {
  const auto one = number_of_element(left);
  const auto other = number_of_element(right);
  static const std::set<Ast> known = {Ast::Add, Ast::Sub, Ast::Mult, Ast::Div};
  const auto is_number = [](const Value& each) { return each.is(Kind::integer) || each.is(Kind::floating); };
  if (!known.contains(operation) || !is_number(one) || !is_number(other))
    refuse("the operator {} on {} and {} is not translated", name_of(operation), in_words(left.type),
           in_words(right.type));
  return binary_of(b, operation, one, other);
}

/// `2 ** x`: Python makes the number a tensor of the dtype that both promote to.
static Value power_of_number(Builder& b, const Value& base, Value exponent) {
  const auto power = [&](const Value& number) {
    return b.named(exponent, "exponent", [&](const Value& tensor) {
      auto dtype = cpp::call("torch::result_type", {number.expr, tensor.expr});
      auto whole = cpp::call("torch::scalar_tensor", {number.expr, std::move(dtype)});
      return tensor_of(cpp::method(std::move(whole), "pow", {tensor.expr}));
    });
  };
  const bool once = !base.literal && (base.acts() || exponent.acts());
  return once ? b.named(base, "base", power) : power(base);
}

static Value tensor_binary(Builder& b, Ast operation, const Value& left, const Value& right) {
  if (operation == Ast::Sub &&
      !left.is(Kind::tensor)) {  // C++ would negate in the dtype of the tensor, and then add
    return tensor_of(cpp::call("torch::rsub", {right.expr, left.expr}).in_order({1, 0}));
  }
  if (operation == Ast::Div && !left.is(Kind::tensor)) {  // so does Python; C++ would divide
    const auto reciprocal = tensor_of(cpp::method(right.expr, "reciprocal"));
    auto value = with_operator(reciprocal, Ast::Mult, left, Kind::tensor);
    value.expr = value.expr.in_order({1, 0});
    return value;
  }
  if (is_operator(operation)) return with_operator(left, operation, right, Kind::tensor);
  const auto found = tensor_functions.find(operation);
  if (found == tensor_functions.end()) refuse("the operator {} is not translated", name_of(operation));
  if (operation != Ast::Pow &&
      (!left.is(Kind::tensor) || (operation == Ast::MatMult && !right.is(Kind::tensor)))) {
    refuse("the operator {} on {} is not translated", name_of(operation), in_words(left.type));
  }
  if (operation == Ast::Pow && !left.is(Kind::tensor)) return power_of_number(b, left, right);
  return tensor_of(operation == Ast::Pow ? cpp::method(left.expr, "pow", {right.expr})
                                         : cpp::call(found->second, {left.expr, right.expr}));
}

static Value number_binary(Builder& b, Ast operation, const Value& left, const Value& right) {
  const bool divides = operation == Ast::Div || operation == Ast::FloorDiv || operation == Ast::Mod;
  if (divides && b.here.tries && !right.expr.is(cpp::Kind::call, "python::divisor"))
    return number_binary(b, operation, left, checked_divisor(operation, left, right));
  const bool floating = left.is(Kind::floating) || right.is(Kind::floating);
  const bool any = left.is(Kind::scalar) || right.is(Kind::scalar);
  const Kind kind = floating ? Kind::floating : any ? Kind::scalar : Kind::integer;
  if (operation == Ast::Div) {
    auto numerator = left;
    if (!floating && !any) {
      numerator.expr = left.is(Kind::boolean) ? cpp::cast("double", left.expr) : floating_literal(left);
    }
    return with_operator(numerator, Ast::Div, right, Kind::floating);
  }
  if (operation == Ast::Add || operation == Ast::Sub || operation == Ast::Mult) {
    return with_operator(left, operation, right, kind);
  }
  const bool squares =
      operation == Ast::Pow && !floating && right.literal && right.number == "2" && !left.temporary;
  if (squares) return with_operator(left, Ast::Mult, left, kind);
  if (operation == Ast::Pow) return power(left, right);
  if (operation == Ast::FloorDiv || operation == Ast::Mod) {
    const auto* const function = operation == Ast::Mod ? "python::remainder" : "python::floor_divide";
    if (operation == Ast::Mod && left.expr.is(cpp::Kind::call, "python::power") && kind == Kind::integer)
      return value_of(kind,
                      cpp::call("python::power_modulo", {left.expr.part(0), left.expr.part(1), right.expr}));
    const auto of = [&](const Value& number) { return floating ? floating_literal(number) : number.expr; };
    return value_of(kind, cpp::call(function, {of(left), of(right)}));
  }
  if (auto value = bits(operation, left, right)) return *value;
  refuse("the operator {} on numbers is not translated", name_of(operation));
}

Value binary_of(Builder& b, Ast operation, Value left, const Value& right) {
  if (left.is(Kind::element) || right.is(Kind::element)) return binary_of_elements(b, operation, left, right);
  if (left.is(Kind::path) || right.is(Kind::path)) return joined_path(operation, left, right);
  const bool tensors = left.is(Kind::tensor) || right.is(Kind::tensor);
  if (!tensors && (left.is(Kind::array) || right.is(Kind::array)))
    return array_binary(operation, left, right);
  if (tensors) {
    for (const auto& side : {left, right}) {
      if (!side.is(Kind::tensor) && !side.type.is_number()) {
        refuse("an operator takes a tensor and {}", in_words(side.type));
      }
    }
    auto value = tensor_binary(b, operation, left, right);
    set_numbers_of_operator(value.type, operation, left.type, right.type);
    return value;
  }
  if (left.is(Kind::string) && right.is(Kind::string) && operation == Ast::Add) {
    left.expr = as_string(left);
    return with_operator(left, Ast::Add, right, Kind::string);
  }
  if (left.is(Kind::string) && left.literal && right.is(Kind::integer) && right.literal &&
      operation == Ast::Mult && !right.number.empty() && right.number.size() < 4) {
    std::string repeated;
    for (int i = std::stoi(right.number); i > 0; --i) repeated += left.expr.text();
    left.expr = string_literal(repeated);
    return left;
  }
  if (left.is(Kind::string) && operation == Ast::Mod) return percent(b, left, right);
  if (left.is(Kind::string) && right.is(Kind::integer) && operation == Ast::Mult) {
    return value_of(Kind::string, cpp::call("python::repeated", {as_string(left), right.expr}));
  }
  if (auto sizes = joined_sizes(operation, left, right)) return *sizes;
  if (auto list = list_binary(b, operation, left, right)) return *list;
  if (!left.type.is_number() || !right.type.is_number()) {
    refuse("an operator takes {} and {}", in_words(left.type), in_words(right.type));
  }
  return number_binary(b, operation, as_number(left, right), as_number(right, left));
}

}  // namespace torchbook::translate
