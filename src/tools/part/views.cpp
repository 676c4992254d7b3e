// Finds why both sides read different bits from the output of the same operation.
#include <fmt/format.h>
#include <tools/part/comparison.h>
#include <tools/part/value_words.h>

#include <algorithm>
#include <set>

namespace torchbook::trace_diff {
namespace {

constexpr std::size_t most_viewed = 1000;  // inputs of which the views are looked for

/// Returns which output of an operation has the bits of a tensor, from 1 on.
std::size_t output_number(const ReadTrace& trace, std::uint32_t operation, std::uint32_t tensor) {
  const auto outputs = tensors_in(trace, trace.outputs(operation));
  const auto found = std::find_if(outputs.begin(), outputs.end(), [&](auto output) {
    return trace.tensors[output].hash == trace.tensors[tensor].hash;
  });
  return static_cast<std::size_t>(found - outputs.begin()) + 1;
}

}  // namespace

/// Returns the views that lead from the output of `writer` to a tensor that `reader` takes.
Comparison::Views Comparison::views_of(const Side& side, std::uint32_t tensor, std::uint32_t writer,
                                       std::uint32_t reader) {
  const auto& trace = side.trace;
  Views views{.steps = side.movers(trace.tensors[tensor], writer, reader)};
  for (const auto step : views.steps) views.tensors.push_back(tensors_in(trace, trace.inputs(step)).front());
  views.tensors.push_back(tensor);
  return views;
}

/// Removes the views with which both sides begin, as far as these lead to the same tensor, and those with
/// which both end.
void Comparison::keep_other_views(Views& here, Views& there) const {
  const auto same_name = [&](std::uint32_t ours, std::uint32_t theirs) {
    return here_.operations[ours].name == there_.operations[theirs].name;
  };
  const auto most = std::min(here.steps.size(), there.steps.size());
  std::ptrdiff_t common = 0;
  for (std::size_t i = 0; i < most && same_name(here.steps[i], there.steps[i]) &&
                          same_tensor(here.tensors[i + 1], there.tensors[i + 1]);
       ++i)
    ++common;
  for (auto* views : {&here, &there}) {
    views->steps.erase(views->steps.begin(), views->steps.begin() + common);
    views->tensors.erase(views->tensors.begin(), views->tensors.begin() + common);
  }
  while (!here.steps.empty() && !there.steps.empty() && here.steps.size() + there.steps.size() > 2 &&
         same_name(here.steps.back(), there.steps.back()) &&
         other_argument(here.steps.back(), there.steps.back()) == no_argument) {
    for (auto* views : {&here, &there}) {
      views->steps.pop_back();
      views->tensors.pop_back();
    }
  }
}

/// Returns the position of the first argument of two views that differs and is no tensor, or no_argument.
std::size_t Comparison::other_argument(std::uint32_t here, std::uint32_t there) const {
  const auto ours = flat(here_, here_.inputs(here));
  const auto theirs = flat(there_, there_.inputs(there));
  for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
    if (ours[i].tag != Tag::tensor && !same_value(ours[i], theirs[i])) return i;
  }
  return no_argument;
}

/// Returns whether both sides have the same views, of which one selects other elements.
bool Comparison::select_otherwise(const Views& here, const Views& there) const {
  if (names_of(here_, texts_, here.steps) != names_of(there_, texts_, there.steps)) return false;
  for (std::size_t i = 0; i < here.steps.size(); ++i) {
    if (other_argument(here.steps[i], there.steps[i]) == no_argument) continue;
    const auto name = plain_name(texts_[here_.operations[here.steps[i]].name]);
    return name == "select" || name == "slice" || name == "narrow";
  }
  return false;
}

/// Returns the views of both sides in words: their names, or if these are the same, the first argument or
/// output that differs.
std::pair<std::string, std::string> Comparison::view_words(const Views& here, const Views& there) const {
  std::pair names{names_of(here_, texts_, here.steps), names_of(there_, texts_, there.steps)};
  if (names.first != names.second) return names;
  for (std::size_t i = 0; i < here.steps.size(); ++i) {
    const auto name = plain_name(texts_[here_.operations[here.steps[i]].name]);
    if (const auto k = other_argument(here.steps[i], there.steps[i]); k != no_argument) {
      return {fmt::format("{} with {}", name,
                          value_words(here_, texts_, flat(here_, here_.inputs(here.steps[i]))[k])),
              fmt::format("with {}",
                          value_words(there_, texts_, flat(there_, there_.inputs(there.steps[i]))[k]))};
    }
    const auto ours = output_number(here_, here.steps[i], here.tensors[i + 1]);
    const auto theirs = output_number(there_, there.steps[i], there.tensors[i + 1]);
    if (ours != theirs) return {fmt::format("output {} of {}", ours, name), fmt::format("output {}", theirs)};
  }
  return names;
}

/// Returns whether both inputs that differ are views of what the other one is a view of on the other side:
/// `q @ k.T` and `k @ q.T`.
bool Comparison::has_exchanged_views(Pair pair) const {
  const auto inputs = differing_inputs(pair);
  if (inputs.size() != 2 || result_.differences.size() > most_searched) return false;
  const auto hashes = [](const Side& side, std::uint32_t tensor, std::uint32_t reader) {
    std::set<std::uint64_t> all;
    for (const auto one : views_of(side, tensor, side.writer(tensor, reader), reader).tensors)
      all.insert(side.trace.tensors[one].hash);
    return all;
  };
  const auto first = hashes(side_here_, inputs[0].here, pair.here);
  const auto second = hashes(side_here_, inputs[1].here, pair.here);
  const auto is_of = [](const auto& views, const auto& theirs, const auto& apart) {
    return std::any_of(views.begin(), views.end(),
                       [&](auto hash) { return theirs.contains(hash) && !apart.contains(hash); });
  };
  return is_of(first, hashes(side_there_, inputs[1].there, pair.there), second) &&
         is_of(second, hashes(side_there_, inputs[0].there, pair.there), first);
}

/// Both sides read the output of the same operation, but through different views. If no operation wrote it,
/// returns 0 unless both views are of the same bits.
Comparison::Number Comparison::view_cause(Pair pair, const Input& input, std::uint32_t ours,
                                          std::uint32_t theirs) {
  const bool outside = ours == no_operation;
  if (++viewed_ > most_viewed) {
    if (drawn_index_ != 0) return drawn_index_;
    return outside ? 0 : part_cause(pair, input, ours, theirs);
  }
  auto here = views_of(side_here_, input.here, ours, pair.here);
  auto there = views_of(side_there_, input.there, theirs, pair.there);
  if (outside && here_.tensors[here.tensors.front()].hash != there_.tensors[there.tensors.front()].hash)
    return 0;
  if (here.steps.empty() && there.steps.empty()) return outside ? 0 : part_cause(pair, input, ours, theirs);
  keep_other_views(here, there);
  const Number drawn = select_otherwise(here, there) ? index_cause() : 0;
  if (drawn != 0) return drawn;
  const auto name = plain_name(texts_[here_.operations[pair.here].name]);
  const auto source = outside ? "the same tensor"
                              : fmt::format("what {} gave", plain_name(texts_[here_.operations[ours].name]));
  const auto words = view_words(here, there);
  const auto cause = add(Kind::operations,
                         fmt::format("{} of {} is another view of {}: {} here, {} there",
                                     input_name(pair, input), name, source, words.first, words.second),
                         pair);
  auto& difference = result_.differences.back();
  if (!here.steps.empty()) difference.here = here.steps;
  if (!there.steps.empty()) difference.there = there.steps;
  return cause;
}

/// The same operation wrote to different parts of a tensor, which is read as a whole, or gave several
/// tensors.
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
  const auto output = output_number(here_, ours, input.here);
  const auto other = output_number(there_, theirs, input.there);
  if (const auto count = tensors_in(here_, here_.outputs(ours)).size();
      output != other && std::max(output, other) <= count) {
    return add(Kind::operations,
               fmt::format("{} of {} is output {} of {} here, and output {} there", input_name(pair, input),
                           reader, output, name, other),
               pair);
  }
  const auto cause =
      add(Kind::operations,
          fmt::format("{} writes to another part of {} of {}", name, input_name(pair, input), reader), pair);
  if (viewed_ > most_viewed) return cause;
  result_.differences.back().here = with_views(here_, side_here_, ours);
  result_.differences.back().there = with_views(there_, side_there_, theirs);
  return cause;
}

}  // namespace torchbook::trace_diff
