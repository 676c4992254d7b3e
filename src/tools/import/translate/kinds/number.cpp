#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/cpp/forms.h>
#include <tools/import/translate/kinds/number.h>

#include <cmath>

namespace torchbook::translate {
namespace {

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

cpp::Expr number_truth(Builder& /*b*/, const Value& number) {
  return cpp::binary(number.is(Kind::scalar) ? as_double(number) : number.expr, "!=", cpp::number(0));
}

/// `a ** b` of numbers: an int for two ints, unless `b` is `-1`, `-n` or another constant below 0.
static Value power(const Value& base, const Value& exponent) {
  const bool ints = !base.is(Kind::floating) && !base.is(Kind::scalar) && exponent.is(Kind::integer);
  const bool negative = exponent.number.starts_with('-') || exponent.expr.is(cpp::form::negative);
  const bool written = ints && !negative && !base.number.empty() && !exponent.number.empty();
  if (written && std::fabs(std::pow(std::stod(base.number), std::stod(exponent.number))) >= 0x1p63)
    refuse("the result of a power of ints is not an int of 64 bits");
  if (ints && !negative)
    return value_of(Kind::integer, cpp::call(cpp::form::power, {base.expr, exponent.expr}));
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
  checked.expr = cpp::call(cpp::form::divisor, std::move(given));
  return checked;
}

/// Computes with two numbers whose types C++ computes with.
static Value computed(Builder& b, Ast operation, const Value& left, const Value& right) {
  const bool divides = operation == Ast::Div || operation == Ast::FloorDiv || operation == Ast::Mod;
  if (divides && b.here.in_try && !right.expr.is(cpp::form::divisor))
    return computed(b, operation, left, checked_divisor(operation, left, right));
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
    if (operation == Ast::Mod && left.expr.is(cpp::form::power) && kind == Kind::integer)
      return value_of(kind,
                      cpp::call("python::power_modulo", {left.expr.part(0), left.expr.part(1), right.expr}));
    const auto of = [&](const Value& number) { return floating ? floating_literal(number) : number.expr; };
    return value_of(kind, cpp::call(function, {of(left), of(right)}));
  }
  if (auto value = bits(operation, left, right)) return *value;
  refuse("the operator {} on numbers is not translated", name_of(operation));
}

Value number_binary(Builder& b, Ast operation, const Value& left, const Value& right) {
  if (!left.type.is_number() || !right.type.is_number()) refuse_operands(left, right);
  return computed(b, operation, as_number(left, right), as_number(right, left));
}

}  // namespace torchbook::translate
