// Translates draws of numpy.random, which need a seed above them.
#include <fmt/format.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/match.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/kinds/array_draws.h>
#include <tools/import/translate/rows/random.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

/// A function of numpy.random.
struct Draw {
  std::string_view code;
  std::vector<std::string_view> parameters{};  ///< before `size`
  std::vector<const char*> otherwise{};        ///< the default values of the parameters
  bool sizes_are_arguments = false;            ///< `rand(2, 3)` in place of `size=(2, 3)`
  Kind kind = Kind::floating;
};

const std::map<std::string_view, Draw> draws_of_numpy = {
    {"rand", {.code = "rand", .sizes_are_arguments = true}},
    {"randn", {.code = "randn", .sizes_are_arguments = true}},
    {"random", {.code = "rand"}},
    {"random_sample", {.code = "rand"}},
    {"standard_normal", {.code = "randn"}},
    {"normal", {.code = "normal", .parameters = {"loc", "scale"}, .otherwise = {"0.0", "1.0"}}},
    {"uniform", {.code = "uniform", .parameters = {"low", "high"}, .otherwise = {"0.0", "1.0"}}},
    {"randint", {.code = "randint", .parameters = {"low", "high"}, .kind = Kind::integer}}};

bool is_int(const Value& value) { return value.is(Kind::integer); }

/// Returns sizes, which are an int or are written out, in braces.
cpp::Expr sizes_in_braces(const std::vector<Value>& sizes) {
  if (!std::all_of(sizes.begin(), sizes.end(), is_int))
    refuse("numpy.random takes a size that is not translated");
  return in_braces(sizes);
}

Value drawn_array(const Draw& draw, std::vector<cpp::Expr> codes, const std::vector<Value>* sizes) {
  auto type = Type(draw.kind);
  if (sizes != nullptr) {
    codes.push_back(sizes_in_braces(*sizes));
    const auto numbers = draw.kind == Kind::integer ? Numbers::integer : Numbers::floating;
    type = Type(
        types::Array{{.numbers = numbers, .dimensions = static_cast<int>(sizes->size()), .detached = true}});
  }
  return value_of(
      std::move(type),
      cpp::call(fmt::format("torchbook::np::random::{}", draw.code), std::move(codes)).with(cpp::draws()));
}

/// Returns a drawn vector of ints.
Value drawn_vector(std::string_view function, std::vector<cpp::Expr> codes) {
  auto value = drawn_array({.code = function}, std::move(codes), nullptr);
  value.type = Type(types::Array{{.numbers = Numbers::integer, .dimensions = 1, .detached = true}});
  return value;
}

/// Returns the arguments before `size`. There are too few if some do not fit.
std::vector<cpp::Expr> limits_of(const Draw& draw, const Arguments& arguments) {
  std::vector<cpp::Expr> codes;
  const bool ints = draw.kind == Kind::integer;
  for (std::size_t i = 0; i < draw.parameters.size(); ++i) {
    const auto* value = arguments.find(draw.parameters[i], i);
    if (value == nullptr && ints && i == 1 && codes.size() == 1) {  // `randint(10)`
      codes.insert(codes.begin(), cpp::number(0));
    } else if (value == nullptr && !ints) {
      codes.push_back(cpp::number(draw.otherwise[i]));
    } else if (value != nullptr && (is_int(*value) || (!ints && value->is(Kind::floating)))) {
      codes.push_back(ints ? value->expr : floating_literal(*value));
    }
  }
  return codes;
}

}  // namespace

/// `np.random.choice(10, size=3, replace=False)`
static Value choice_of_numpy(const Arguments& arguments) {
  const auto [count, size, replace] =
      match("numpy.random.choice", arguments, {{"a"}, {"size"}, {"replace", {Kind::boolean}, true}});
  if (!is_int(*count) || !is_int(*size))
    refuse("numpy.random.choice is called in a form that is not translated");
  auto replaces = replace == nullptr ? cpp::boolean(true) : replace->expr;
  return drawn_vector("choice", {count->expr, size->expr, cpp::labelled("replace", std::move(replaces))});
}

Value draw_of_numpy(Builder& b, std::string_view name, const Arguments& arguments) {
  draw_after_seed(b, /*in_numpy=*/true);
  const auto& given = arguments.positional;
  if (name == "permutation" && arguments.count() == 1 && given.size() == 1 && is_int(given[0]))
    return drawn_vector(name, {given[0].expr});
  if (name == "choice") return choice_of_numpy(arguments);
  const auto found = draws_of_numpy.find(name);
  if (found == draws_of_numpy.end()) refuse("numpy.random.{} is not translated", name);
  const auto& draw = found->second;
  if (draw.sizes_are_arguments && arguments.named.empty())
    return drawn_array(draw, {}, given.empty() ? nullptr : &given);
  auto codes = limits_of(draw, arguments);
  const auto* size = arguments.find("size", draw.parameters.size());
  const bool written = size != nullptr && size->literal && !size->elements.empty();
  std::size_t used = size == nullptr ? 0 : 1;
  for (std::size_t i = 0; i < draw.parameters.size(); ++i)
    used += arguments.find(draw.parameters[i], i) == nullptr ? 0 : 1;
  const auto acting = std::count_if(codes.begin(), codes.end(), [](const auto& each) { return each.acts(); });
  if (draw.sizes_are_arguments || codes.size() != draw.parameters.size() || used != arguments.count() ||
      acting > 0 || (size != nullptr && !is_int(*size) && !written))
    refuse("numpy.random.{} is called in a form that is not translated", name);
  if (size == nullptr) return drawn_array(draw, std::move(codes), nullptr);
  const auto sizes = is_int(*size) ? std::vector{*size} : size->elements;
  return drawn_array(draw, std::move(codes), &sizes);
}

}  // namespace torchbook::translate
