// Translates seeds and draws other than PyTorch's functions: Python's module random, generators. And clocks.
#include <fmt/format.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/match.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/kinds/array_draws.h>
#include <tools/import/translate/kinds/list.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/rows/random.h>

namespace torchbook::translate {
namespace {

/// Returns an argument as C++ wants it: an int, or a float that may be written as an int.
cpp::Expr number_of(const Value& value, Kind kind, std::string_view function) {
  if (value.is(kind)) return value.expr;
  if (kind == Kind::floating && value.is(Kind::integer)) return floating_literal(value);
  refuse("random.{} takes {}", function, in_words(value.type));
}

Value drawn(std::string_view function, Type type, std::vector<cpp::Expr> codes) {
  auto call = cpp::call(fmt::format("torchbook::random::{}", function), std::move(codes));
  return value_of(std::move(type), call.with(cpp::draws()));
}

}  // namespace

void draw_after_seed(Builder& b, bool in_numpy) {
  if (!in_numpy && !b.frame->is_notebook && b.frame->random_has_seed) return;
  (in_numpy ? b.state.numpy_random : b.state.random).refuse();
  (in_numpy ? b.frame->draws_in_numpy : b.frame->draws_in_python) = true;
}

/// `random.seed(42)` or `np.random.seed(42)`: needed only if that generator draws.
static Value seeded(Builder& b, bool in_numpy, const Value& seed) {
  if (!(in_numpy ? b.notebook.uses.draws_in_numpy : b.notebook.uses.draws_in_python)) return nothing();
  if (!seed.is(Kind::integer))
    refuse("{}random.seed takes {}", in_numpy ? "numpy." : "", in_words(seed.type));
  const bool always = b.frame->loops == 0 && b.frame->branches == 0;
  if (always && b.frame->is_notebook) (in_numpy ? b.state.numpy_random : b.state.random).why.clear();
  if (always && !in_numpy) b.frame->random_has_seed = true;
  const auto* const function = in_numpy ? "torchbook::np::random::seed" : "torchbook::random::seed";
  return value_of(Kind::none, cpp::call(function, {seed.expr}).with(cpp::draws()));
}

/// `random.sample(words, 3)`, `random.shuffle(words)`
static Value draw_of_list(Builder& b, std::string_view name, const Arguments& arguments) {
  const bool counts = name == "sample" || name == "choices";
  const auto* const count = counts ? arguments.find("k", 1) : nullptr;
  const auto& given = arguments.positional;
  if (given.size() + arguments.named.size() != (counts ? 2U : 1U) || given.empty() ||
      counts != (count != nullptr))
    refuse("random.{} is called in another form", name);
  const auto list = rows_of(b, given[0]);
  const auto& item = list.type.items.at(0);
  if (name == "choice") return drawn(name, item, {list.expr});
  if (count != nullptr)
    return drawn(name, list_of(item), {list.expr, number_of(*count, Kind::integer, name)});
  if (!given[0].is(Kind::list) || !given[0].expr.is(cpp::Kind::name))
    refuse("random.shuffle takes {} that has no name", in_words(given[0].type));
  variable_of_list(b, given[0]);  // refuses what it cannot change
  auto shuffled = drawn(name, Kind::none, {given[0].expr});
  shuffled.expr = shuffled.expr.with(cpp::writes(cpp::Place::contents, given[0].expr.text()));
  return shuffled;
}

/// `random.choice(words)`; nullopt if it is another function.
static std::optional<Value> call_random(Builder& b, std::string_view name, const Arguments& arguments) {
  static const std::map<std::string_view, std::pair<Kind, std::set<std::size_t>>> of_numbers = {
      {"random", {Kind::floating, {0}}},
      {"gauss", {Kind::floating, {0, 2}}},
      {"uniform", {Kind::floating, {2}}},
      {"randint", {Kind::integer, {2}}},
      {"randrange", {Kind::integer, {1, 2}}}};
  static const std::set<std::string_view> of_lists = {"choice", "choices", "sample", "shuffle"};
  const auto numbers = of_numbers.find(name);
  if (numbers == of_numbers.end() && !of_lists.contains(name)) return std::nullopt;
  draw_after_seed(b, /*in_numpy=*/false);
  if (numbers == of_numbers.end()) return draw_of_list(b, name, arguments);
  const auto& [kind, sizes] = numbers->second;
  const auto& given = arguments.positional;
  if (!sizes.contains(given.size()) || !arguments.named.empty())
    refuse("random.{} is called in another form", name);
  std::vector<cpp::Expr> codes;
  codes.reserve(given.size());
  for (const auto& each : given) codes.push_back(number_of(each, kind, name));
  return drawn(name, kind, std::move(codes));
}

std::optional<Value> call_outside(Builder& b, const std::string& path, const Node& node) {
  constexpr std::string_view random = "random.";
  const bool in_numpy = path == "numpy.random.seed";
  if (in_numpy || path == "random.seed") {
    const auto given = arguments(b, node);
    if (given.positional.size() != 1 || given.positional[0].acts()) refuse("a seed does more than to be set");
    return seeded(b, in_numpy, given.positional[0]);
  }
  constexpr std::string_view of_numpy = "numpy.random.";
  if (path.starts_with(of_numpy)) return draw_of_numpy(b, path.substr(of_numpy.size()), arguments(b, node));
  if (path.starts_with(random)) return call_random(b, path.substr(random.size()), arguments(b, node));
  if (path == "torch.cuda.manual_seed" || path == "torch.cuda.manual_seed_all") {
    const auto given = arguments(b, node);
    if (given.positional.size() != 1 || !given.positional[0].is(Kind::integer)) refuse("a seed is no int");
    const auto function = fmt::format("torch::cuda::{}", path.substr(std::string_view("torch.cuda.").size()));
    return value_of(Kind::none, cpp::call(function, {given.positional[0].expr}));
  }
  static const std::set<std::string_view> clocks = {"time.time", "time.perf_counter", "time.monotonic",
                                                    "timeit.default_timer"};
  if (clocks.contains(path) && node.args().empty()) {
    return value_of(Kind::floating, cpp::call("torchbook::seconds", {}));
  }
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
