// Judges regions: operations that only one trace has, or that differ between the traces.
#include <fmt/format.h>
#include <tools/part/comparison.h>
#include <tools/part/value_words.h>

#include <algorithm>
#include <array>
#include <set>

namespace torchbook::trace_diff {
namespace {

using Steps = std::vector<std::uint32_t>;

constexpr Steps::size_type near = 4;  // regions between which an operation may have moved

/// Operations that one side runs in place of those of the other, and what to write instead.
struct Replacement {
  std::array<std::string_view, 3> one;  // all of them
  std::array<std::string_view, 3> other;
  const char* advice;
};

constexpr std::array<Replacement, 7> replacements = {{
    {{"linear"},
     {"matmul", "add_"},
     "torch::nn::Linear multiplies and then adds if its input has three dimensions; Python's adds within the "
     "product. "
     "Write torch::linear(x, layer->weight, layer->bias)."},
    {{"addmm"},
     {"matmul", "add_"},
     "addmm rounds once where matmul and add_ round twice. Write torch::linear(x, weight, bias), or "
     "torch::addmm, in both."},
    {{"softmax"},
     {"exp", "div"},
     "softmax multiplies by 1 / sum, and first subtracts the maximum. Write torch::softmax in both, or the "
     "single steps in both."},
    {{"scaled_dot_product_attention"},
     {"softmax"},
     "scaled_dot_product_attention computes its softmax in blocks. Write the single products in both, or "
     "this function in both."},
    {{"layer_norm"},
     {"mean", "var"},
     "layer_norm computes mean and variance in one pass. Write torch::layer_norm in both."},
    {{"mean"},
     {"sum", "div"},
     "mean multiplies or divides once, in its own order. Write torch::mean in both."},
    {{"lerp_"},
     {"mul_", "add_"},
     "Python's Adam and AdamW use lerp_ since PyTorch 2.1. Write torchbook::optim::Adam or AdamW."},
}};

/// Returns the first output tensor of the last operation, or no_operation.
std::uint32_t last_output(const ReadTrace& trace, const Steps& steps) {
  if (steps.empty()) return no_operation;
  const auto outputs = tensors_in(trace, trace.outputs(steps.back()));
  return outputs.empty() ? no_operation : outputs.front();
}

bool makes(const ReadTrace& trace, std::uint32_t step) {
  return tensors_in(trace, trace.inputs(step)).empty();
}

/// Returns whether the other side has every tensor that these operations returned.
bool has_all(const Side& other, const ReadTrace& trace, const Steps& steps) {
  return std::all_of(steps.begin(), steps.end(), [&](auto step) {
    const auto outputs = tensors_in(trace, trace.outputs(step));
    return std::all_of(outputs.begin(), outputs.end(),
                       [&](auto tensor) { return other.gave(trace.tensors[tensor].hash); });
  });
}

}  // namespace

void Comparison::keep_region(const Gap& gap) {
  regions_.push_back({.here = gap.here, .there = gap.there, .at = gap.at, .outermost = depth_ == 0});
  const auto number = static_cast<Number>(regions_.size());
  for (const auto step : gap.here) side_here_.known[step].region = number;
  for (const auto step : gap.there) side_there_.known[step].region = number;
}

/// Returns whether a region changed nothing of the rest: both sides come to the same result, or the other
/// side has all that only one side computed.
bool Comparison::is_harmless(const Region& region) const {
  if (!region.here.empty() && !region.there.empty())
    return equality_.gave_the_same({.here = region.here.back(), .there = region.there.back()});
  return has_all(side_there_, here_, region.here) && has_all(side_here_, there_, region.there);
}

/// Gives a difference to the regions that wrote what these operations take.
void Comparison::blame_feeders(const Side& side, const Steps& steps) {
  for (const auto step : steps) {
    for (const auto tensor : tensors_in(side.trace, side.trace.inputs(step))) {
      const auto writer = side.writer(tensor, step);
      const Number feeder = writer == no_operation ? 0 : side.known[writer].region;
      if (feeder != 0 && !is_harmless(regions_[feeder - 1])) region_cause(feeder);
    }
  }
}

/// Returns what to write instead, or an empty text if that is not known.
std::string Comparison::advice_on(const Region& region) const {
  const auto names = [&](const ReadTrace& trace, const Steps& steps) {
    std::set<std::string_view> all{""};
    for (const auto step : steps) all.insert(name(trace, step));
    return all;
  };
  const auto a = names(here_, region.here);
  const auto b = names(there_, region.there);
  const auto has = [](const auto& all, const auto& wanted) {
    return std::all_of(wanted.begin(), wanted.end(), [&](auto one) { return all.contains(one); });
  };
  const auto found = std::find_if(replacements.begin(), replacements.end(), [&](const auto& one) {
    return (has(a, one.one) && has(b, one.other)) || (has(b, one.one) && has(a, one.other));
  });
  if (found != replacements.end()) return found->advice;
  const auto draw = [](const Side& side, const Steps& steps) {
    return std::any_of(steps.begin(), steps.end(), [&](auto step) { return side.draws(step); });
  };
  return draw(side_here_, region.here) != draw(side_there_, region.there) ? draw_alike : "";
}

/// Returns the difference that a region is or follows from.
Comparison::Number Comparison::region_cause(Number number) {
  if (const Number cause = regions_[number - 1].cause) return cause;
  const Region region = regions_[number - 1];
  const auto first = [](const Steps& steps) { return steps.empty() ? no_operation : steps.front(); };
  const Pair pair{.here = first(region.here), .there = first(region.there)};
  Number cause = is_backward(pair) ? backward_cause(pair) : 0;
  if (cause == 0) cause = moved_cause(number);
  if (cause == 0) {
    const auto ours = names_of(here_, texts_, region.here);
    const auto theirs = names_of(there_, texts_, region.there);
    const auto words = region.there.empty()  ? "only here: " + ours
                       : region.here.empty() ? "only there: " + theirs
                                             : fmt::format("{} here, {} there", ours, theirs);
    const bool random = only_draws(region);
    if (random && random_ != 0) return regions_[number - 1].cause = random_;
    const TensorPair output{.what = "output",
                            .here = last_output(here_, region.here),
                            .there = last_output(there_, region.there)};
    Difference difference{.kind = random ? Kind::random : Kind::operations,
                          .what = words,
                          .advice = advice_on(region),
                          .here = region.here,
                          .there = region.there,
                          .mark = pair.here != no_operation ? here_.operations[pair.here].mark
                                                            : there_.operations[pair.there].mark,
                          .at = region.at};
    if (output.here != no_operation || output.there != no_operation) difference.tensors = {output};
    cause = add(std::move(difference));
  }
  regions_[number - 1].cause = cause;
  blame_feeders(side_here_, region.here);
  blame_feeders(side_there_, region.there);
  return cause;
}

bool Comparison::only_draws(const Region& region) const {
  const auto draw = [](const Side& side, const Steps& steps) {
    return std::all_of(steps.begin(), steps.end(), [&](auto step) {
      return side.draws(step) && (side.overwrites(step) || makes(side.trace, step));
    });
  };
  return draw(side_here_, region.here) && draw(side_there_, region.there);
}

/// If the other side has the same operations elsewhere, both programs ran them in different order. Returns
/// the difference of both regions then, otherwise 0.
Comparison::Number Comparison::moved_cause(Number number) {
  const Region& region = regions_[number - 1];
  const bool ours = region.there.empty();
  if (!ours && !region.here.empty()) return 0;
  const auto names = names_of(ours ? here_ : there_, texts_, ours ? region.here : region.there);
  const auto last = std::min<std::size_t>(number + near, regions_.size());
  for (std::size_t i = number > near ? number - near : 1; i <= last; ++i) {
    auto& other = regions_[i - 1];
    const auto& steps = ours ? other.there : other.here;
    if (other.cause != 0 || steps.empty() || !(ours ? other.here : other.there).empty() ||
        names != names_of(ours ? there_ : here_, texts_, steps))
      continue;
    const auto& here = ours ? region.here : other.here;
    const auto& there = ours ? other.there : region.there;
    return other.cause = add({.kind = Kind::operations,
                              .what = names + ", at another place in the order",
                              .advice = "Write the operations in the same order in both.",
                              .here = here,
                              .there = there,
                              .tensors = {{.what = "output",
                                           .here = last_output(here_, here),
                                           .there = last_output(there_, there)}},
                              .mark = here_.operations[here.front()].mark,
                              .at = here.front()});
  }
  return 0;
}

/// Returns the difference of the forward pass because of which a backward pass has other operations or
/// operands. Without one, it may be the order in which gradients of the same tensor are added, which is that
/// in which the operations of the forward pass ran. Returns 0 if it is neither.
Comparison::Number Comparison::backward_cause(Pair pair) {
  for (auto number = static_cast<Number>(regions_.size()); forward_ == 0 && number > 0; --number) {
    const auto& region = regions_[number - 1];
    const auto first = [](const Steps& steps) { return steps.empty() ? no_operation : steps.front(); };
    const bool forward = !is_backward({.here = first(region.here), .there = first(region.there)});
    if (forward && region.outermost && !is_harmless(region)) region_cause(number);
  }
  if (forward_ != 0) return forward_;
  const auto adds = [&](const ReadTrace& trace, std::uint32_t operation) {
    return operation == no_operation || adds_gradients(texts_[trace.operations[operation].name]);
  };
  if (!reordered_ || !adds(here_, pair.here) || !adds(there_, pair.there)) return 0;
  Difference difference{
      .kind = Kind::operations,
      .what = "gradients are added in another order, because operands ran in another order",
      .advice =
          "C++ does not say which operand it evaluates first: give each a statement of its own, in Python's "
          "order."};
  if (pair.here != no_operation) difference.here = {pair.here};
  if (pair.there != no_operation) difference.there = {pair.there};
  difference.at = pair.here == no_operation ? 0 : pair.here;
  difference.mark =
      pair.here == no_operation ? there_.operations[pair.there].mark : here_.operations[pair.here].mark;
  return forward_ = add(std::move(difference));
}

/// Returns whether a region is what a program ends with: no operation takes its results, and the other side
/// has none like them. Of programs that show tensors, only these count. A tensor that one side made of
/// nothing, such as random numbers that a sampler drew and did not use, is no result.
bool Comparison::reaches_the_end(const Region& region) const {
  if (!here_.shown.empty() || !there_.shown.empty() || !here_.finished || !there_.finished) return false;
  if (is_harmless(region)) return false;
  const auto both_make =
      std::any_of(region.here.begin(), region.here.end(), [&](auto one) { return makes(here_, one); }) &&
      std::any_of(region.there.begin(), region.there.end(), [&](auto one) { return makes(there_, one); });
  const auto ends = [&](const Side& side, const Side& other, const Steps& steps) {
    return std::any_of(steps.begin(), steps.end(), [&](auto step) {
      return !side.is_taken(step) && (both_make || !makes(side.trace, step)) &&
             !has_all(other, side.trace, {step});
    });
  };
  return ends(side_here_, side_there_, region.here) || ends(side_there_, side_here_, region.there);
}

/// Returns the difference of an operation that wrote an input of a region, or of random numbers if the region
/// only draws some. Returns 0 if there is none.
Comparison::Number Comparison::followed_cause(const Region& region) const {
  const auto& all = result_.differences;
  const auto random =
      std::find_if(all.begin(), all.end(), [](const auto& one) { return one.kind == Kind::random; });
  if (random != all.end() && only_draws(region)) return static_cast<Number>(random - all.begin()) + 1;
  const auto cause = [&](const Side& side, const Steps& steps) -> Number {
    for (const auto step : steps) {
      for (const auto tensor : tensors_in(side.trace, side.trace.inputs(step))) {
        const auto writer = side.writer(tensor, step);
        if (writer == no_operation) continue;
        const auto& one = side.known[writer];
        if (const Number found = one.region != 0 ? regions_[one.region - 1].cause : one.cause) return found;
      }
    }
    return 0;
  };
  const Number ours = cause(side_here_, region.here);
  return ours != 0 ? ours : cause(side_there_, region.there);
}

/// Judges the regions to which no difference was traced back.
void Comparison::judge_regions() {
  for (Number number = 1; number <= regions_.size(); ++number) {
    const Region& region = regions_[number - 1];
    if (region.cause != 0 || !region.outermost) continue;
    if (reaches_the_end(region)) {
      region_cause(number);
    } else if (const Number followed = followed_cause(region)) {
      regions_[number - 1].cause = followed;
    } else {
      result_.without_effect.push_back(
          {.kind = Kind::operations, .here = region.here, .there = region.there});
    }
  }
}

}  // namespace torchbook::trace_diff
