// Translates the functions of Python's module math.
#include <fmt/format.h>
#include <torchbook/translate/lower/translator.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

/// Functions of math that std has by the same names.
struct MathFunctions {
  Kind result;
  std::size_t arguments;
  std::set<std::string_view> names;
};

const std::vector<MathFunctions> functions = {
    {Kind::floating,
     1,
     {"sqrt", "exp", "log", "log2", "log10", "log1p", "expm1", "sin", "cos", "tan", "asin", "acos", "atan",
      "sinh", "cosh", "tanh", "fabs"}},
    {Kind::floating, 2, {"atan2", "pow"}},
    {Kind::integer, 1, {"floor", "ceil"}},
    {Kind::boolean, 1, {"isnan", "isinf"}}};

/// Computes a function of math that C++ lacks; nullopt if it is another one.
std::optional<Value> composed(std::string_view name, const std::vector<cpp::Expr>& given) {
  const auto pi = cpp::name("std::numbers::pi");
  const auto half_turn = cpp::number("180.0");
  if (name == "log" && given.size() == 2) {
    const auto log = [](const cpp::Expr& x) { return cpp::call("std::log", {x}); };
    return value_of(Kind::floating, cpp::binary(log(given[0]), "/", log(given[1])));
  }
  if (given.size() != 1) return std::nullopt;
  if (name == "degrees")
    return value_of(Kind::floating, cpp::binary(given[0], "*", cpp::binary(half_turn, "/", pi)));
  if (name == "radians")
    return value_of(Kind::floating, cpp::binary(given[0], "*", cpp::binary(pi, "/", half_turn)));
  if (name == "trunc") return value_of(Kind::integer, cpp::cast("int64_t", given[0]));
  return std::nullopt;
}

}  // namespace

Value Translator::call_math(std::string_view name, const Arguments& arguments) {
  const auto& values = arguments.positional;
  if (name == "factorial" && values.size() == 1 && values[0].is(Kind::integer)) {
    return value_of(Kind::integer, cpp::call("python::factorial", {values[0].expr}));
  }
  const auto found = std::find_if(functions.begin(), functions.end(), [&](const MathFunctions& each) {
    return each.names.contains(name) && each.arguments == values.size();
  });
  const bool is_composed = composed(name, expressions_of(values)).has_value();
  if ((found == functions.end() && !is_composed) || !arguments.named.empty())
    throw NotPorted("math.{} is not translated", name);
  std::vector<cpp::Expr> given;
  given.reserve(values.size());
  for (const auto& value : values) given.push_back(converted("float", value).expr);
  if (is_composed) return *composed(name, given);
  const auto result = cpp::call(fmt::format("std::{}", name), std::move(given));
  return value_of(found->result, found->result == Kind::integer ? cpp::cast("int64_t", result) : result);
}

}  // namespace torchbook::translate
