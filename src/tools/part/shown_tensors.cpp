// Finds why tensors that both programs showed differ.
#include <fmt/format.h>
#include <tools/part/advice.h>
#include <tools/part/comparison.h>

namespace torchbook::trace_diff {
/// Returns the difference that a tensor, `tensor_here` and `tensor_there`, follows from, or 0. `ours` and
/// `theirs` are the operations that wrote it.
Comparison::Number Comparison::known_cause(std::uint32_t ours, std::uint32_t theirs,
                                           std::uint32_t tensor_here, std::uint32_t tensor_there) {
  const Known here = ours == no_operation ? Known{} : known_here_[ours];
  const Known there = theirs == no_operation ? Known{} : known_there_[theirs];
  if (here.cause != 0 || there.cause != 0) return here.cause != 0 ? here.cause : there.cause;
  if (here.region != 0 && theirs == no_operation && is_literal(regions_[here.region - 1]))
    return literal_cause(here.region, {.what = "its value", .here = tensor_here, .there = tensor_there});
  if (here.region != 0) return region_cause(here.region);
  return there.region != 0 ? region_cause(there.region) : 0;
}

/// Returns the difference that a shown tensor follows from, or 0 if no operation wrote it.
Comparison::Number Comparison::shown_cause(std::uint32_t ours, std::uint32_t theirs,
                                           const TensorPair& tensors) {
  if (const Number cause = known_cause(ours, theirs, tensors.here, tensors.there)) return cause;
  if (ours == no_operation && theirs == no_operation) return 0;
  const std::pair storages{here_.tensors[tensors.here].storage, there_.tensors[tensors.there].storage};
  if (const auto known = outside_.find(storages); known != outside_.end()) return known->second;
  Difference difference{.kind = Kind::operations,
                        .what = fmt::format("{} {}", tensors.what, origin_words(ours, theirs)),
                        .tensors = {tensors}};
  if (ours != no_operation && known_here_[ours].partner == theirs) {
    difference.kind = Kind::inputs;
    difference.what = fmt::format("{} was changed by something that is no operation, after {}", tensors.what,
                                  plain_name(texts_[here_.operations[ours].name]));
    difference.advice = advice_on_changes();
  }
  if (ours != no_operation) difference.here = {ours};
  if (theirs != no_operation) difference.there = {theirs};
  return outside_[storages] = add(std::move(difference));
}

/// Compares what both programs showed under the same name.
void Comparison::compare_shown() {
  if (here_.shown.empty()) return;
  std::unordered_map<std::uint32_t, const Shown*> named;
  for (const auto& one : there_.shown) named.emplace(one.name, &one);
  // The innermost operation that wrote a tensor last and was compared.
  const auto writer = [](const Side& side, std::uint32_t tensor, const std::vector<Known>& known) {
    auto one = side.innermost_writer(tensor);
    while (one != no_operation && known[one].region == 0 && known[one].partner == no_operation)
      one = side.trace.operations[one].parent;
    return one;
  };
  for (const auto& one : here_.shown) {
    const auto other = named.find(one.name);
    if (other == named.end() || same_tensor(one.tensor, other->second->tensor)) continue;
    TensorPair tensors{.what = texts_[one.name], .here = one.tensor, .there = other->second->tensor};
    const auto ours = writer(side_here_, tensors.here, known_here_);
    const auto theirs = writer(side_there_, tensors.there, known_there_);
    const auto number = shown_cause(ours, theirs, tensors);
    result_.shown.push_back({.mark = one.mark, .tensors = std::move(tensors), .difference = number});
  }
}

}  // namespace torchbook::trace_diff
