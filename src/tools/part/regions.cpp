// Judges regions: operations that only one trace has, or that differ between the traces.
#include <fmt/format.h>
#include <tools/part/advice.h>
#include <tools/part/comparison.h>
#include <tools/part/value_words.h>

#include <algorithm>
#include <iterator>

namespace torchbook::trace_diff {
namespace {

/// Returns the first output tensor of the last operation, or no_operation.
std::uint32_t last_output(const ReadTrace& trace, const std::vector<std::uint32_t>& operations) {
  if (operations.empty()) return no_operation;
  const auto outputs = tensors_in(trace, trace.outputs(operations.back()));
  return outputs.empty() ? no_operation : outputs.front();
}

using Steps = std::vector<std::uint32_t>;

/// Groups consecutive steps with the same mark or module.
std::vector<std::pair<std::uint32_t, Steps>> grouped(const ReadTrace& trace, const Steps& steps,
                                                     std::uint32_t Operation::*by) {
  std::vector<std::pair<std::uint32_t, Steps>> groups;
  for (const auto step : steps) {
    const auto value = trace.operations[step].*by;
    if (groups.empty() || groups.back().first != value) groups.emplace_back(value, Steps());
    groups.back().second.push_back(step);
  }
  return groups;
}

}  // namespace

/// Keeps separate regions for each mark, so that no region spans two cells of a notebook.
void Comparison::keep_marked(const Steps& here, const Steps& there) {
  const auto ours = grouped(here_, here, &Operation::mark);
  const auto theirs = grouped(there_, there, &Operation::mark);
  auto mine = ours.begin();
  for (const auto& other : theirs) {
    const auto same =
        std::find_if(mine, ours.end(), [&](const auto& one) { return one.first == other.first; });
    if (same == ours.end()) {
      keep_modules({}, other.second);
      continue;
    }
    for (; mine != same; ++mine) keep_modules(mine->second, {});
    keep_modules(mine->second, other.second);
    ++mine;
  }
  for (; mine != ours.end(); ++mine) keep_modules(mine->second, {});
}

/// Keeps a region for each module if both sides ran the same modules in the same order, otherwise one for
/// all.
void Comparison::keep_modules(const Steps& here, const Steps& there) {
  const auto ours = grouped(here_, here, &Operation::module);
  const auto theirs = grouped(there_, there, &Operation::module);
  const bool same = std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end(),
                               [](const auto& a, const auto& b) { return a.first == b.first; });
  if (!same) return keep_region(here, there);
  for (std::size_t i = 0; i < ours.size(); ++i) keep_region(ours[i].second, theirs[i].second);
}

/// Returns whether one side made a tensor of nothing, such as zeros, and the other computed one of another
/// shape.
bool Comparison::are_unrelated(std::uint32_t here, std::uint32_t there) const {
  const auto ours = tensors_in(here_, here_.outputs(here));
  const auto theirs = tensors_in(there_, there_.outputs(there));
  const bool makes = tensors_in(here_, here_.inputs(here)).empty();
  return makes != tensors_in(there_, there_.inputs(there)).empty() && !ours.empty() && !theirs.empty() &&
         !std::ranges::equal(here_.shape(here_.tensors[ours.front()]),
                             there_.shape(there_.tensors[theirs.front()]));
}

/// Keeps a region, or several if its operations do not belong together.
void Comparison::keep_region(const Steps& here, const Steps& there) {
  const auto literals =
      std::find_if_not(here.begin(), here.end(), [&](auto step) { return fills_number(step); });
  if (literals != here.begin() && (literals != here.end() || !there.empty())) {
    keep_region({here.begin(), literals}, {});
    return keep_region({literals, here.end()}, there);
  }
  if (!here.empty() && !there.empty() && are_unrelated(here.back(), there.back())) {
    keep_region(here, {});
    return keep_region({}, there);
  }
  if (!here.empty()) at_ = here.front();
  Region region{.here = here, .there = there, .outermost = depth_ == 0, .at = at_};
  const auto number = static_cast<Number>(regions_.size() + 1);
  if (!is_backward(here, there) && !is_literal(region)) forward_region_ = number;
  const auto keep = [&](const Steps& steps, Side& side, std::vector<Known>& known) {
    for (const auto step : steps) {
      side.visit(step);
      for (const auto tensor : tensors_in(side.trace, side.trace.inputs(step))) {
        const auto writer = side.writer(tensor, step);
        if (writer != no_operation && known[writer].region != number) region.fed_by = known[writer].region;
      }
      known[step].region = number;
    }
  };
  keep(here, side_here_, known_here_);
  keep(there, side_there_, known_there_);
  if (region.outermost) keep_rows(here, there, number);
  regions_.push_back(std::move(region));
}

bool Comparison::has_same_result(const Region& region) const {
  if (region.here.empty() || region.there.empty()) return false;
  return gave_the_same({.here = region.here.back(), .there = region.there.back()});
}

/// Returns whether the other side has every output of a region that only one side has.
bool Comparison::leaves_nothing(const Region& region) const {
  const bool ours = region.there.empty();
  const ReadTrace& trace = ours ? here_ : there_;
  const Side& other = ours ? side_there_ : side_here_;
  const auto& steps = ours ? region.here : region.there;
  return std::all_of(steps.begin(), steps.end(), [&](auto step) {
    const auto outputs = tensors_in(trace, trace.outputs(step));
    return std::all_of(outputs.begin(), outputs.end(),
                       [&](auto tensor) { return other.gave(trace.tensors[tensor].hash); });
  });
}

/// Judges the regions to which no later difference was traced back. A region that no pair follows
/// produced the result.
void Comparison::judge_regions(std::size_t first) {
  for (auto i = first; i < regions_.size(); ++i) {
    const Region& region = regions_[i];
    if (region.cause != 0 || joins_the_one_before(static_cast<Number>(i + 1))) continue;
    const bool last = i >= behind_regions_ || !region.outermost;
    const Number drawn = random_ != 0 ? random_ : drawn_index_;
    if (drawn != 0 && (draw_otherwise(region.here, region.there, false) ||
                       draw_otherwise(region.here, region.there, true))) {
      regions_[i].cause = drawn;
      continue;
    }
    const bool two_sided = !region.here.empty() && !region.there.empty();
    const bool harmless = two_sided ? has_same_result(region) : leaves_nothing(region);
    if (last && !harmless) {
      region_cause(static_cast<Number>(i + 1));
    } else if (const Number followed = followed_cause(region)) {
      regions_[i].cause = followed;
    } else if (region.outermost) {
      result_.without_effect.push_back(
          {.kind = Kind::operations, .here = region.here, .there = region.there});
    }
  }
}

/// Returns the difference of an operation that wrote an input of a region, or 0.
Comparison::Number Comparison::followed_cause(const Region& region) const {
  const auto cause = [&](const Side& side, const std::vector<Known>& known, const Steps& steps) -> Number {
    for (const auto step : steps) {
      for (const auto tensor : tensors_in(side.trace, side.trace.inputs(step))) {
        const auto writer = side.writer(tensor, step);
        if (writer == no_operation) continue;
        const auto& one = known[writer];
        const Number found = one.region != 0 ? regions_[one.region - 1].cause : one.cause;
        if (found != 0) return found;
      }
    }
    return 0;
  };
  const Number ours = cause(side_here_, known_here_, region.here);
  return ours != 0 ? ours : cause(side_there_, known_there_, region.there);
}

/// Returns the difference because of which the tensors that a region converts to another dtype differ
/// already, or 0.
Comparison::Number Comparison::converted_cause(const Region& region) const {
  const auto convert = [&](const ReadTrace& trace, const Steps& steps) {
    return std::all_of(steps.begin(), steps.end(),
                       [&](auto step) { return roles_[trace.operations[step].name] == Role::copies; });
  };
  const bool one_sided = region.here.empty() != region.there.empty();
  return one_sided && convert(here_, region.here) && convert(there_, region.there) ? followed_cause(region)
                                                                                   : 0;
}

/// If the region before is a difference of the same operations on the other side, both programs ran
/// them in different order. Merges the two regions into one difference then, and returns whether it
/// did.
bool Comparison::joins_the_one_before(Number number) {
  if (number < 2 || accumulation_ != 0) return false;
  Region& region = regions_[number - 1];
  const Region& before = regions_[number - 2];
  const bool ours = region.there.empty();
  const auto& one = ours ? region.here : region.there;
  const auto& other = ours ? before.there : before.here;
  if (before.cause == 0 || one.empty() || other.empty() || !(ours ? before.here : before.there).empty() ||
      !(ours ? region.there : region.here).empty()) {
    return false;
  }
  const auto names = names_of(ours ? here_ : there_, texts_, one);
  if (names != names_of(ours ? there_ : here_, texts_, other)) return false;
  Difference& difference = result_.differences[before.cause - 1];
  if (difference.here != before.here || difference.there != before.there) return false;
  difference.what = fmt::format("{}, at another place in the order", names);
  difference.advice = "Write the operations in the same order in both.";
  (ours ? difference.here : difference.there) = one;
  difference.tensors = {{.what = "output",
                         .here = last_output(here_, difference.here),
                         .there = last_output(there_, difference.there)}};
  region.cause = before.cause;
  return true;
}

/// Returns whether an operation here fills in a number of torch::tensor({1.0, 2.0}), for which Python runs no
/// operation.
bool Comparison::fills_number(std::uint32_t operation) const {
  if (texts_[here_.operations[operation].name] != "aten::fill_.Scalar") return false;
  const auto outputs = tensors_in(here_, here_.outputs(operation));
  return !outputs.empty() && here_.tensors[outputs.front()].dim == 0;
}

/// Returns whether a region only fills in such numbers.
bool Comparison::is_literal(const Region& region) const {
  return region.there.empty() &&
         std::all_of(region.here.begin(), region.here.end(), [&](auto step) { return fills_number(step); });
}

/// Returns the difference of a tensor that the programs made of different numbers.
Comparison::Number Comparison::literal_cause(Number number, TensorPair tensors) {
  Region& region = regions_[number - 1];
  if (region.cause != 0) return region.cause;
  Difference difference{.kind = Kind::inputs, .what = "a tensor is made of other numbers"};
  const auto storage = here_.tensors[tensors.here].storage;
  std::copy_if(region.here.begin(), region.here.end(), std::back_inserter(difference.here), [&](auto step) {
    const auto outputs = tensors_in(here_, here_.outputs(step));
    return !outputs.empty() && here_.tensors[outputs.front()].storage == storage;
  });
  if (difference.here.empty()) difference.here = region.here;
  difference.advice = advice_on_inputs(false);
  difference.tensors.push_back(std::move(tensors));
  region.cause = add(std::move(difference));
  return region.cause;
}

/// Returns the difference of an operand if the other side has the same operations a little earlier
/// or later, so that only their order differs. Otherwise returns 0.
Comparison::Number Comparison::reordered_cause(Number number) const {
  constexpr Number near = 4;
  const Region& region = regions_[number - 1];
  if (region.here.empty() == region.there.empty()) return 0;
  const auto names = [](const ReadTrace& trace, const Steps& steps) {
    Steps all;
    all.reserve(steps.size());
    for (const auto step : steps) all.push_back(trace.operations[step].name);
    return all;
  };
  const auto last = std::min<Number>(number + near, static_cast<Number>(regions_.size()));
  for (Number i = number > near ? number - near : 1; i <= last; ++i) {
    const Region& other = regions_[i - 1];
    const bool ours = other.there.empty();
    if (other.here.empty() == ours || ours == region.there.empty()) continue;
    const auto& here = ours ? other.here : region.here;
    if (names(here_, here) != names(there_, ours ? region.there : other.there)) continue;
    for (const auto tensor : tensors_in(here_, here_.inputs(here.front()))) {
      const auto writer = side_here_.writer(tensor, here.front());
      if (writer != no_operation && known_here_[writer].cause != 0) return known_here_[writer].cause;
    }
  }
  return 0;
}

/// Returns whether only one side has a region, and all its operations draw.
bool Comparison::only_draws(const Region& region) const {
  const auto draw = [&](const Steps& here, const Steps& there, std::uint32_t step) {
    return draw_otherwise(here.empty() ? here : Steps{step}, there.empty() ? there : Steps{step}, false);
  };
  const auto& steps = region.here.empty() ? region.there : region.here;
  return region.here.empty() != region.there.empty() &&
         std::all_of(steps.begin(), steps.end(),
                     [&](auto step) { return draw(region.here, region.there, step); });
}

bool Comparison::is_backward(const Steps& here, const Steps& there) const {
  return (!here.empty() && here_.operations[here.front()].backward) ||
         (!there.empty() && there_.operations[there.front()].backward);
}

/// Returns the difference of the forward pass because of which backward passes have other operations, or 0
/// if none is known.
Comparison::Number Comparison::forward_cause() {
  if (forward_ == 0 && forward_region_ != 0) region_cause(forward_region_);
  return forward_;
}

/// Returns the difference that gradients of the same tensor are added in another order, as they are if the
/// operations of the forward pass ran in another order. Later differences of the backward pass follow from
/// it. Returns 0 if there is none, and these steps do not add gradients.
Comparison::Number Comparison::accumulation_cause(const Steps& here, const Steps& there) {
  const auto add_gradients = [&](const ReadTrace& trace, const Steps& steps) {
    return std::all_of(steps.begin(), steps.end(), [&](auto step) {
      const auto& one = trace.operations[step];
      return one.backward && one.parent == no_operation && adds_gradients(texts_[one.name]);
    });
  };
  if (accumulation_ == 0 && other_evaluation_ && add_gradients(here_, here) && add_gradients(there_, there)) {
    accumulation_ =
        add({.kind = Kind::operations,
             .what = "gradients are added in another order, because operands ran in another order",
             .advice = advice_on_order(),
             .here = here,
             .there = there,
             .at = at_});
  }
  return accumulation_;
}

Comparison::Number Comparison::region_cause(Number number) {
  Region& region = regions_[number - 1];
  if (region.cause != 0 || joins_the_one_before(number)) return region.cause;
  if (const Number cause = reordered_cause(number)) return region.cause = cause;
  if (random_ != 0 && only_draws(region)) return region.cause = random_;
  if (is_backward(region.here, region.there)) {
    if (const Number cause = forward_cause()) return region.cause = cause;
    if (const Number cause = accumulation_cause(region.here, region.there)) return region.cause = cause;
  }
  if (const Number cause = converted_cause(region)) return region.cause = cause;
  if (region.fed_by != 0 && !has_same_result(regions_[region.fed_by - 1]) &&
      !is_literal(regions_[region.fed_by - 1]))
    region_cause(region.fed_by);
  Difference difference{
      .kind = Kind::operations, .here = region.here, .there = region.there, .at = region.at};
  const auto ours = names_of(here_, texts_, region.here);
  const auto theirs = names_of(there_, texts_, region.there);
  if (region.there.empty()) {
    difference.what = fmt::format("only here: {}", ours);
  } else if (region.here.empty()) {
    difference.what = fmt::format("only there: {}", theirs);
  } else {
    difference.what = fmt::format("{} here, {} there", ours, theirs);
  }
  const TensorPair output{
      .what = "output", .here = last_output(here_, region.here), .there = last_output(there_, region.there)};
  if (output.here != no_operation || output.there != no_operation) difference.tensors.push_back(output);
  difference.advice = advice_on_operations(here_, region.here, there_, region.there, texts_);
  if (difference.advice.empty() && draw_otherwise(region.here, region.there, false))
    difference.advice = advice_on_draws();
  region.cause = add(std::move(difference));
  return region.cause;
}

}  // namespace torchbook::trace_diff
