// Translates calls that involve no tensors: seeds and draws of other generators, and clocks.
#include <fmt/format.h>
#include <torchbook/translate/lower/translator.h>

namespace torchbook::translate {

/// Returns nullopt if it is another function.
std::optional<Value> Translator::call_outside(const std::string& path, const Node& node) {
  constexpr std::string_view random = "random.";
  const bool seeds = path == "random.seed";
  if (seeds || path == "numpy.random.seed") {
    const auto given = arguments(node);
    if (given.positional.size() != 1 || given.positional[0].acts())
      throw NotPorted("a seed does more than to be set");
    return seeds ? seed_random(given.positional[0]) : nothing();  // what NumPy draws is not translated
  }
  if (path.starts_with(random)) return call_random(path.substr(random.size()), arguments(node));
  if (path == "torch.cuda.manual_seed" || path == "torch.cuda.manual_seed_all") {
    const auto given = arguments(node);
    if (given.positional.size() != 1 || !given.positional[0].is(Kind::integer))
      throw NotPorted("a seed is no int");
    const auto function = fmt::format("torch::cuda::{}", path.substr(std::string_view("torch.cuda.").size()));
    return value_of(Kind::none, cpp::call(function, {given.positional[0].expr}));
  }
  static const std::set<std::string_view> clocks = {"time.time", "time.perf_counter", "time.monotonic"};
  if (clocks.contains(path) && node.list("args").empty()) {
    return value_of(Kind::floating, cpp::call("torchbook::seconds", {}));
  }
  return std::nullopt;
}

}  // namespace torchbook::translate
