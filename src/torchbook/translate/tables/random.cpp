// Translates the functions of Python's module random.
#include <fmt/format.h>
#include <torchbook/translate/lower/translator.h>

namespace torchbook::translate {
namespace {

/// Returns an argument as C++ wants it: an int, or a float that may be written as an int.
cpp::Expr number_of(const Value& value, Kind kind, std::string_view function) {
  if (value.is(kind)) return value.expr;
  if (kind == Kind::floating && value.is(Kind::integer)) return floating_literal(value);
  throw NotPorted(fmt::format("random.{} takes {}", function, in_words(value.type)));
}

Value drawn(std::string_view function, Type type, std::vector<cpp::Expr> codes) {
  auto call = cpp::call(fmt::format("torchbook::random::{}", function), std::move(codes));
  return value_of(std::move(type), call.with(cpp::draws()));
}

}  // namespace

/// `random.seed(42)`: needed only if Python's generator draws.
Value Translator::seed_random(const Value& seed) {
  if (!notebook_.uses.draws_in_python) return nothing();
  if (!seed.is(Kind::integer)) throw NotPorted(fmt::format("random.seed takes {}", in_words(seed.type)));
  if (frame_->is_notebook && frame_->loops == 0 && frame_->branches == 0) random_has_seed_ = true;
  return value_of(Kind::none, cpp::call("torchbook::random::seed", {seed.expr}).with(cpp::draws()));
}

/// `random.choice(words)`; nullopt if it is another function. A draw without a seed differs from run to run.
std::optional<Value> Translator::call_random(std::string_view name, const Arguments& arguments) {
  static const std::map<std::string_view, std::pair<Kind, std::set<std::size_t>>> of_numbers = {
      {"random", {Kind::floating, {0}}},
      {"gauss", {Kind::floating, {0, 2}}},
      {"uniform", {Kind::floating, {2}}},
      {"randint", {Kind::integer, {2}}},
      {"randrange", {Kind::integer, {1, 2}}}};
  static const std::set<std::string_view> of_lists = {"choice", "choices", "sample", "shuffle"};
  const auto numbers = of_numbers.find(name);
  if (numbers == of_numbers.end() && !of_lists.contains(name)) return std::nullopt;
  if (!random_has_seed_)
    throw NotPorted("Python's random has no seed above it; random.seed(0) makes it repeatable");
  if (numbers == of_numbers.end()) return draw_of_list(name, arguments);
  const auto& [kind, sizes] = numbers->second;
  const auto& given = arguments.positional;
  if (!sizes.contains(given.size()) || !arguments.named.empty())
    throw NotPorted(fmt::format("random.{} is called in another form", name));
  std::vector<cpp::Expr> codes;
  codes.reserve(given.size());
  for (const auto& each : given) codes.push_back(number_of(each, kind, name));
  return drawn(name, kind, std::move(codes));
}

/// `random.sample(words, 3)`, `random.shuffle(words)`
Value Translator::draw_of_list(std::string_view name, const Arguments& arguments) {
  const bool counts = name == "sample" || name == "choices";
  const auto* const count = counts ? arguments.find("k", 1) : nullptr;
  const auto& given = arguments.positional;
  if (given.size() + arguments.named.size() != (counts ? 2U : 1U) || given.empty() ||
      counts != (count != nullptr))
    throw NotPorted(fmt::format("random.{} is called in another form", name));
  const auto list = rows_of(given[0]);
  const auto& item = list.type.items.at(0);
  if (!is_immutable(item)) throw NotPorted(fmt::format("random.{} takes a list of what may change", name));
  if (name == "choice") return drawn(name, item, {list.expr});
  if (count != nullptr)
    return drawn(name, list_of(item), {list.expr, number_of(*count, Kind::integer, name)});
  if (!given[0].is(Kind::list) || !given[0].expr.is(cpp::Kind::name))
    throw NotPorted(fmt::format("random.shuffle takes {} that has no name", in_words(given[0].type)));
  variable_of_list(given[0]);  // refuses what it cannot change
  auto shuffled = drawn(name, Kind::none, {given[0].expr});
  shuffled.expr = shuffled.expr.with(cpp::writes(cpp::Place::contents, given[0].expr.text()));
  return shuffled;
}

}  // namespace torchbook::translate
