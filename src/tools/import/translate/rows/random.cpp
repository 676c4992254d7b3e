#include <fmt/format.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/match.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/kinds/array_draws.h>
#include <tools/import/translate/kinds/list.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/rows/random.h>
#include <tools/import/translate/rows/row.h>

namespace torchbook::translate {
void draw_after_seed(Builder& b, bool in_numpy) {
  if (!in_numpy && !b.frame->is_notebook && b.frame->random_has_seed) return;
  (in_numpy ? b.state.numpy_random : b.state.random).refuse();
  (in_numpy ? b.frame->draws_in_numpy : b.frame->draws_in_python) = true;
}

/// `random.seed(42)` or `np.random.seed(42)`: needed only if that generator draws.
static Value seeded(Builder& b, bool in_numpy, const Arguments& arguments) {
  const std::string_view whole = in_numpy ? "numpy.random.seed" : "random.seed";
  const auto [seed] = match(whole, arguments, {{in_numpy ? "seed" : "a"}});
  if (seed->acts()) refuse("the result of setting a seed is used");
  if (!(in_numpy ? b.notebook.uses.draws_in_numpy : b.notebook.uses.draws_in_python)) return nothing();
  if (!seed->is(Kind::integer)) refuse("{} takes {}", whole, in_words(seed->type));
  const bool always = b.frame->loops == 0 && b.frame->branches == 0;
  if (always && b.frame->is_notebook) (in_numpy ? b.state.numpy_random : b.state.random).why.clear();
  if (always && !in_numpy) b.frame->random_has_seed = true;
  const auto* const function = in_numpy ? "torchbook::np::random::seed" : "torchbook::random::seed";
  return value_of(Kind::none, cpp::call(function, {seed->expr}).with(cpp::draws()));
}

/// `random.choice(words)`, `random.sample(words, 3)`, `random.choices(words, k=3)`
static Value draw_of_list(Builder& b, const RowCall& given) {
  const auto list = rows_of(b, *given.values[0]);
  const auto& item = list.type.items.at(0);
  std::vector<cpp::Expr> codes = {list.expr};
  if (given.values.size() > 1) codes.push_back(given.values[1]->expr);
  return value_of(
      given.name == "choice" ? item : list_of(item),
      cpp::call(fmt::format("torchbook::random::{}", given.name), std::move(codes)).with(cpp::draws()));
}

/// `random.shuffle(words)`
static Value shuffled(Builder& b, const RowCall& given) {
  const auto [list] = given.as<1>();
  if (!list->is(Kind::list) || !list->expr.is(cpp::Kind::name))
    refuse("random.shuffle takes {} without a name", in_words(list->type));
  refuse_unless_changeable(b, *list);
  return value_of(Kind::none, cpp::call("torchbook::random::shuffle", {list->expr})
                                  .with(cpp::draws())
                                  .with(cpp::writes(cpp::Place::contents, list->expr.text())));
}

static const std::vector<Row> functions_of_random = {
    {"random", {}, "torchbook::random::{}", Kind::floating, cpp::draws()},
    {"gauss",
     {{"mu", {Kind::floating}, true}, {"sigma", {Kind::floating}, true}},
     "torchbook::random::{}",
     Kind::floating,
     cpp::draws()},
    {"uniform",
     {{"a", {Kind::floating}}, {"b", {Kind::floating}}},
     "torchbook::random::{}",
     Kind::floating,
     cpp::draws()},
    {"randint",
     {{"a", {Kind::integer}}, {"b", {Kind::integer}}},
     "torchbook::random::{}",
     Kind::integer,
     cpp::draws()},
    {"randrange",
     {{"start", {Kind::integer}}, {"stop", {Kind::integer}, true}},
     "torchbook::random::{}",
     Kind::integer,
     cpp::draws()},
    {"choice", {{"seq"}}, draw_of_list},
    {"choices", {{"population"}, {"*k", {Kind::integer}}}, draw_of_list},
    {"sample", {{"population"}, {"k", {Kind::integer}}}, draw_of_list},
    {"shuffle", {{"x"}}, shuffled}};

static const std::vector<Row> clocks = {{"time.time time.perf_counter time.monotonic timeit.default_timer",
                                         {},
                                         "torchbook::seconds",
                                         Kind::floating}};

std::optional<Value> call_outside(Builder& b, const std::string& path, const Node& node) {
  constexpr std::string_view of_random = "random.";
  constexpr std::string_view of_numpy = "numpy.random.";
  const bool in_numpy = path.starts_with(of_numpy);
  if (path == "random.seed" || path == "numpy.random.seed") return seeded(b, in_numpy, arguments(b, node));
  if (in_numpy) return draw_of_numpy(b, path.substr(of_numpy.size()), arguments(b, node));
  const auto name = path.starts_with(of_random) ? path.substr(of_random.size()) : "";
  if (const auto* row = row_named(functions_of_random, name)) {
    draw_after_seed(b, in_numpy);
    return call_row(b, *row, name, path, arguments(b, node));
  }
  if (const auto* row = row_named(clocks, path)) return call_row(b, *row, path, path, arguments(b, node));
  return std::nullopt;
}

Value generator_method(Builder& /*b*/, const Value& generator, std::string_view name,
                       const Arguments& arguments) {
  if (name != "manual_seed") refuse("the method {} of a generator is not translated", name);
  const auto [seed] = match("manual_seed", arguments, {{"seed", {Kind::integer}}});
  if (generator.temporary) {
    auto value = generator;
    value.expr = cpp::call(generator.expr.text(), {seed->expr});
    return value;
  }
  return value_of(Kind::generator, cpp::method(generator.expr, "set_current_seed", {seed->expr}));
}

}  // namespace torchbook::translate
