// Translates the functions of Python's module math.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/translate/translator.h>

#include <algorithm>
#include <array>

namespace torchbook::translate {
namespace {

/// A function of math, with its arguments in the places of `{0}` and `{1}`.
struct MathFunction {
  std::string_view name;
  std::size_t arguments;
  std::string_view code;
  Kind result = Kind::floating;
};

constexpr std::array functions = {
    MathFunction{"sqrt", 1, "std::sqrt({0})"},
    MathFunction{"exp", 1, "std::exp({0})"},
    MathFunction{"log", 1, "std::log({0})"},
    MathFunction{"log", 2, "(std::log({0}) / std::log({1}))"},
    MathFunction{"log2", 1, "std::log2({0})"},
    MathFunction{"log10", 1, "std::log10({0})"},
    MathFunction{"log1p", 1, "std::log1p({0})"},
    MathFunction{"expm1", 1, "std::expm1({0})"},
    MathFunction{"sin", 1, "std::sin({0})"},
    MathFunction{"cos", 1, "std::cos({0})"},
    MathFunction{"tan", 1, "std::tan({0})"},
    MathFunction{"asin", 1, "std::asin({0})"},
    MathFunction{"acos", 1, "std::acos({0})"},
    MathFunction{"atan", 1, "std::atan({0})"},
    MathFunction{"atan2", 2, "std::atan2({0}, {1})"},
    MathFunction{"sinh", 1, "std::sinh({0})"},
    MathFunction{"cosh", 1, "std::cosh({0})"},
    MathFunction{"tanh", 1, "std::tanh({0})"},
    MathFunction{"pow", 2, "std::pow({0}, {1})"},
    MathFunction{"fabs", 1, "std::fabs({0})"},
    MathFunction{"degrees", 1, "({0} * (180.0 / std::numbers::pi))"},
    MathFunction{"radians", 1, "({0} * (std::numbers::pi / 180.0))"},
    MathFunction{"floor", 1, "static_cast<int64_t>(std::floor({0}))", Kind::integer},
    MathFunction{"ceil", 1, "static_cast<int64_t>(std::ceil({0}))", Kind::integer},
    MathFunction{"trunc", 1, "static_cast<int64_t>({0})", Kind::integer},
    MathFunction{"isnan", 1, "std::isnan({0})", Kind::boolean},
    MathFunction{"isinf", 1, "std::isinf({0})", Kind::boolean}};

}  // namespace

Value Translator::call_math(std::string_view name, const Arguments& arguments) {
  const auto& values = arguments.positional;
  if (name == "factorial" && values.size() == 1 && values[0].is(Kind::integer)) {
    need("#include <torchbook/notebook/whole_numbers.h>");
    return value_of(Kind::integer, fmt::format("torchbook::factorial({})", values[0].code));
  }
  const auto found = std::find_if(functions.begin(), functions.end(), [&](const MathFunction& each) {
    return each.name == name && each.arguments == values.size();
  });
  if (found == functions.end() || !arguments.named.empty())
    throw NotPorted(fmt::format("math.{} is not translated", name));
  std::vector<std::string> codes;
  codes.reserve(2);
  for (const auto& value : values) codes.push_back(converted("float", value).in(Binding::product));
  need("#include <cmath>");
  if (found->code.find("numbers::") != found->code.npos) need("#include <numbers>");
  codes.resize(2);
  auto result = value_of(found->result, fmt::format(fmt::runtime(found->code), codes[0], codes[1]));
  result.acts = std::any_of(values.begin(), values.end(), [](const Value& each) { return each.acts; });
  return result;
}

}  // namespace torchbook::translate
