// Translates the functions of Python's module math.
#include <fmt/format.h>
#include <torchbook/translate/lower/translator.h>

#include <algorithm>
#include <array>

namespace torchbook::translate {
namespace {

/// A function of math that C++ has, too.
struct MathFunction {
  std::string_view name;
  std::size_t arguments;
  std::string_view code;
  Kind result = Kind::floating;
};

constexpr std::array functions = {MathFunction{"sqrt", 1, "std::sqrt"},
                                  MathFunction{"exp", 1, "std::exp"},
                                  MathFunction{"log", 1, "std::log"},
                                  MathFunction{"log2", 1, "std::log2"},
                                  MathFunction{"log10", 1, "std::log10"},
                                  MathFunction{"log1p", 1, "std::log1p"},
                                  MathFunction{"expm1", 1, "std::expm1"},
                                  MathFunction{"sin", 1, "std::sin"},
                                  MathFunction{"cos", 1, "std::cos"},
                                  MathFunction{"tan", 1, "std::tan"},
                                  MathFunction{"asin", 1, "std::asin"},
                                  MathFunction{"acos", 1, "std::acos"},
                                  MathFunction{"atan", 1, "std::atan"},
                                  MathFunction{"atan2", 2, "std::atan2"},
                                  MathFunction{"sinh", 1, "std::sinh"},
                                  MathFunction{"cosh", 1, "std::cosh"},
                                  MathFunction{"tanh", 1, "std::tanh"},
                                  MathFunction{"pow", 2, "std::pow"},
                                  MathFunction{"fabs", 1, "std::fabs"},
                                  MathFunction{"floor", 1, "std::floor", Kind::integer},
                                  MathFunction{"ceil", 1, "std::ceil", Kind::integer},
                                  MathFunction{"isnan", 1, "std::isnan", Kind::boolean},
                                  MathFunction{"isinf", 1, "std::isinf", Kind::boolean}};

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
  const auto found = std::find_if(functions.begin(), functions.end(), [&](const MathFunction& each) {
    return each.name == name && each.arguments == values.size();
  });
  const bool is_composed = composed(name, expressions_of(values)).has_value();
  if ((found == functions.end() && !is_composed) || !arguments.named.empty())
    throw NotPorted(fmt::format("math.{} is not translated", name));
  std::vector<cpp::Expr> given;
  given.reserve(values.size());
  for (const auto& value : values) given.push_back(converted("float", value).expr);
  if (is_composed) return *composed(name, given);
  const auto result = cpp::call(std::string(found->code), std::move(given));
  return value_of(found->result, found->result == Kind::integer ? cpp::cast("int64_t", result) : result);
}

}  // namespace torchbook::translate
