#include <fmt/format.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/match.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/kinds/array_draws.h>
#include <tools/import/translate/rows/random.h>
#include <tools/import/translate/rows/row.h>

#include <algorithm>

namespace torchbook::translate {
/// Returns `size=3` or `size=(3, 2)` as sizes; none if it is left out.
static std::vector<Value> sizes_in(const Value* size) {
  if (size == nullptr) return {};
  const bool one = size->is(Kind::integer);
  if (!one && (!size->literal || size->elements.empty()))
    refuse("numpy.random takes a size that is not translated");
  return one ? std::vector{*size} : size->elements;
}

/// Returns a number or, with sizes, an array.
static Value drawn_array(std::string_view function, Kind kind, std::vector<cpp::Expr> codes,
                         const std::vector<Value>& sizes, const std::vector<std::size_t>& order = {}) {
  auto type = Type(kind);
  if (!sizes.empty()) {
    const auto is_int = [](const Value& each) { return each.is(Kind::integer); };
    if (!std::all_of(sizes.begin(), sizes.end(), is_int))
      refuse("numpy.random takes a size that is not translated");
    codes.push_back(in_braces(sizes));
    const auto numbers = kind == Kind::integer ? Numbers::integer : Numbers::floating;
    type = Type(
        types::Array{{.numbers = numbers, .dimensions = static_cast<int>(sizes.size()), .detached = true}});
  }
  const auto call = cpp::call(fmt::format("torchbook::np::random::{}", function), std::move(codes));
  return value_of(std::move(type), call.in_order(order).with(cpp::draws()));
}

/// `np.random.rand(3, 2)`, `np.random.randn()`
static Value draw_by_sizes(Builder& /*b*/, const RowCall& given) {
  if (!given.arguments.named.empty()) given.refuse_form();
  return drawn_array(given.name, Kind::floating, {}, given.arguments.positional);
}

/// `np.random.random((3, 2))`, `np.random.standard_normal(3)`
static Value draw_of_size(Builder& /*b*/, const RowCall& given) {
  const auto [size] = given.as<1>();
  return drawn_array(given.name == "standard_normal" ? "randn" : "rand", Kind::floating, {}, sizes_in(size));
}

/// `np.random.normal(0, 1, size=3)`, `np.random.uniform()`
static Value draw_of_floats(Builder& b, const RowCall& given) {
  const auto [first, second, size] = given.as<3>();
  auto order = std::vector{first, second};
  if (size != nullptr) order.push_back(size);
  return drawn_array(given.name, Kind::floating, {given.code(b, 0), given.code(b, 1)}, sizes_in(size),
                     given.arguments.order_of(order));
}

/// `np.random.randint(10)`, `np.random.randint(0, 10, size=4)`
static Value draw_of_ints(Builder& /*b*/, const RowCall& given) {
  const auto [low, high, size] = given.as<3>();
  auto order = high == nullptr ? std::vector{high, low} : std::vector{low, high};
  if (size != nullptr) order.push_back(size);
  return drawn_array(given.name, Kind::integer,
                     {high == nullptr ? cpp::number(0) : low->expr, order[1]->expr}, sizes_in(size),
                     given.arguments.order_of(order));
}

static const auto drawn_ints =
    Type(types::Array{{.numbers = Numbers::integer, .dimensions = 1, .detached = true}});

/// `np.random.choice(10, size=3, replace=False)`
static Value choice_of_numpy(Builder& /*b*/, const RowCall& given) {
  const auto [count, size, replace] = given.as<3>();
  auto replaces = cpp::labelled("replace", replace == nullptr ? cpp::boolean(true) : replace->expr);
  const auto call =
      cpp::call("torchbook::np::random::choice", {count->expr, size->expr, std::move(replaces)});
  return value_of(drawn_ints,
                  call.in_order(given.arguments.order_of({count, size, replace})).with(cpp::draws()));
}

static const std::vector<Row> draws_of_numpy = {
    {"permutation", {{"x", {Kind::integer}}}, "torchbook::np::random::permutation", drawn_ints, cpp::draws()},
    {"choice",
     {{"a", {Kind::integer}}, {"size", {Kind::integer}}, {"replace", {Kind::boolean}, true}},
     choice_of_numpy},
    {"rand randn", {}, draw_by_sizes},
    {"random random_sample standard_normal", {{"size", {}, true}}, draw_of_size},
    {"normal",
     {{"loc", {Kind::floating}, true, "0.0"}, {"scale", {Kind::floating}, true, "1.0"}, {"size", {}, true}},
     draw_of_floats},
    {"uniform",
     {{"low", {Kind::floating}, true, "0.0"}, {"high", {Kind::floating}, true, "1.0"}, {"size", {}, true}},
     draw_of_floats},
    {"randint",
     {{"low", {Kind::integer}}, {"high", {Kind::integer}, true}, {"size", {}, true}},
     draw_of_ints}};

Value draw_of_numpy(Builder& b, std::string_view name, const Arguments& arguments) {
  draw_after_seed(b, /*in_numpy=*/true);
  return call_table(b, draws_of_numpy, name, fmt::format("numpy.random.{}", name), arguments);
}

}  // namespace torchbook::translate
