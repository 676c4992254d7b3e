// Finds why both sides read different bits from the output of the same operation.
#include <fmt/format.h>
#include <torchbook/part/comparison.h>
#include <torchbook/part/describe.h>

#include <algorithm>

namespace torchbook::part {
namespace {

constexpr std::size_t most_viewed = 1000;  // differences of which the views are told

/// Returns the hash of the tensor of which `views` made the tensor with this index.
std::uint64_t root_of(const ReadTrace& trace, const std::vector<std::uint32_t>& views, std::uint32_t tensor) {
  const auto inputs = views.empty() ? std::vector{tensor} : tensors_in(trace, trace.inputs(views.front()));
  return trace.tensors[inputs.front()].hash;
}

}  // namespace

/// Returns the views of both sides in words: their names, or if these are the same, the first argument that
/// differs.
std::pair<std::string, std::string> Comparison::view_words(const Steps& here, const Steps& there) const {
  std::pair names{names_of(here_, texts_, here), names_of(there_, texts_, there)};
  if (names.first != names.second) return names;
  for (std::size_t i = 0; i < here.size(); ++i) {
    const auto ours = flat(here_, here_.inputs(here[i]));
    const auto theirs = flat(there_, there_.inputs(there[i]));
    for (std::size_t k = 0; k < std::min(ours.size(), theirs.size()); ++k) {
      if (ours[k].tag == Tag::tensor || same_value(ours[k], theirs[k])) continue;
      const auto name = plain_name(texts_[here_.operations[here[i]].name]);
      return {fmt::format("{} with {}", name, value_words(here_, texts_, ours[k])),
              fmt::format("with {}", value_words(there_, texts_, theirs[k]))};
    }
  }
  return names;
}

/// Both sides read the output of the same operation, but through different views. If no operation wrote it,
/// returns 0 unless both views are of the same bits.
Comparison::Number Comparison::view_cause(Pair pair, const Input& input, std::uint32_t ours,
                                          std::uint32_t theirs) {
  const bool outside = ours == no_operation;
  if (result_.differences.size() > most_viewed) return outside ? 0 : part_cause(pair, input, ours, theirs);
  const auto here = side_here_.movers(here_.tensors[input.here], ours, pair.here);
  const auto there = side_there_.movers(there_.tensors[input.there], theirs, pair.there);
  const auto name = plain_name(texts_[here_.operations[pair.here].name]);
  if (outside && root_of(here_, here, input.here) != root_of(there_, there, input.there)) return 0;
  if (here.empty() && there.empty()) return outside ? 0 : part_cause(pair, input, ours, theirs);
  if (names_of(here_, texts_, here) == names_of(there_, texts_, there)) {  // an index may have been drawn
    if (const Number drawn = index_cause()) return drawn;
  }
  const auto source = outside ? "the same tensor"
                              : fmt::format("what {} gave", plain_name(texts_[here_.operations[ours].name]));
  const auto words = view_words(here, there);
  const auto cause = add(Kind::operations,
                         fmt::format("{} of {} is another view of {}: {} here, {} there",
                                     input_name(pair, input), name, source, words.first, words.second),
                         pair);
  auto& difference = result_.differences.back();
  if (!here.empty()) difference.here = here;
  if (!there.empty()) difference.there = there;
  return cause;
}

/// The same operation wrote to different parts of a tensor, which is read as a whole.
Comparison::Number Comparison::part_cause(Pair pair, const Input& input, std::uint32_t ours,
                                          std::uint32_t theirs) {
  const auto with_views = [](const ReadTrace& trace, const Side& side, std::uint32_t writer) {
    const auto inputs = tensors_in(trace, trace.inputs(writer));
    auto steps = inputs.empty() ? Steps{} : side.movers(trace.tensors[inputs.front()], no_operation, writer);
    steps.push_back(writer);
    return steps;
  };
  const auto name = plain_name(texts_[here_.operations[ours].name]);
  const auto reader = plain_name(texts_[here_.operations[pair.here].name]);
  const auto cause =
      add(Kind::operations,
          fmt::format("{} writes to another part of {} of {}", name, input_name(pair, input), reader), pair);
  if (result_.differences.size() > most_viewed) return cause;
  result_.differences.back().here = with_views(here_, side_here_, ours);
  result_.differences.back().there = with_views(there_, side_there_, theirs);
  return cause;
}

}  // namespace torchbook::part
