// Compares parameters and buffers before anything ran.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/part/advice.h>
#include <tools/part/comparison.h>
#include <tools/part/tensor_bits.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <optional>

namespace torchbook::trace_diff {
namespace {

constexpr std::size_t most_parameters = 1000;  // parameters among which an origin is searched
constexpr std::size_t fewest_draws = 4;        // fewer may be proportional by chance
constexpr std::size_t most_draws = 16;

std::vector<float> first_floats(const ReadTrace& trace, const Texts& texts, std::uint32_t tensor) {
  const auto elements = elements_of(trace, texts, trace.tensors[tensor]);
  if (!elements || elements->dtype != "torch.float32") return {};
  std::vector<float> floats(std::min(most_draws, elements->bytes.size() / sizeof(float)));
  std::memcpy(floats.data(), elements->bytes.data(), floats.size() * sizeof(float));
  return floats;
}

/// Returns whether two parameters begin with the same random numbers: they are proportional, because their
/// bounds depend on the sizes of their layers.
bool are_same_draws(const std::vector<float>& here, const std::vector<float>& there) {
  const auto count = std::min(here.size(), there.size());
  if (count < fewest_draws || there[0] == 0 || there[0] == there[1]) return false;
  const auto ratio = static_cast<double>(here[0]) / there[0];
  double largest = 0;
  for (std::size_t i = 0; i < count; ++i) largest = std::max(largest, std::abs(static_cast<double>(here[i])));
  for (std::size_t i = 0; i < count; ++i) {
    if (!(std::abs(here[i] - ratio * there[i]) <= 1e-5 * largest)) return false;
  }
  return ratio > 0 && largest > 0;
}

/// Returns whether two matrices have the same elements, with rows and columns exchanged.
bool are_transposed(const std::optional<Elements>& here, const std::optional<Elements>& there) {
  if (!here || !there || !here->whole || !there->whole || here->dtype != there->dtype) return false;
  if (here->shape.size() != 2 || here->bytes.empty() || here->bytes.size() != there->bytes.size())
    return false;
  const auto rows = static_cast<std::size_t>(here->shape[0]);
  const auto columns = static_cast<std::size_t>(here->shape[1]);
  if (there->shape != std::vector{here->shape[1], here->shape[0]}) return false;
  const auto size = here->bytes.size() / (rows * columns);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      if (here->bytes.substr((row * columns + column) * size, size) !=
          there->bytes.substr((column * rows + row) * size, size))
        return false;
    }
  }
  return true;
}

}  // namespace

/// Returns the parameter there of another name that has the bits or draws of one here, or nullptr.
const Named* Comparison::origin_of(const Named& named) const {
  if (!named.is_parameter || there_.named.size() > most_parameters) return nullptr;
  const auto& tensor = here_.tensors[named.tensor];
  const auto floats = first_floats(here_, texts_, named.tensor);
  const bool is_constant =
      std::adjacent_find(floats.begin(), floats.end(), std::not_equal_to<>()) == floats.end();
  if (is_constant) return nullptr;
  for (const auto& other : there_.named) {
    const bool is_same = tensor.hash != 0 && there_.tensors[other.tensor].hash == tensor.hash;
    if (!other.is_parameter || other.name == named.name) continue;
    if (is_same || are_same_draws(floats, first_floats(there_, texts_, other.tensor))) return &other;
  }
  return nullptr;
}

void Comparison::compare_named() {
  std::unordered_map<std::uint32_t, const Named*> theirs;
  for (const auto& named : there_.named) {
    theirs.emplace(named.name, &named);
    named_there_.emplace(there_.tensors[named.tensor].storage, named);
  }
  named_there_.erase(0);
  std::vector<NamedPair> differing;
  for (const auto& named : here_.named) {
    named_here_.emplace(here_.tensors[named.tensor].storage, named);
    const auto other = theirs.find(named.name);
    if (other == theirs.end() || same_tensor(named.tensor, other->second->tensor)) continue;
    differing.push_back({.here = named, .there = *other->second, .origin = origin_of(named)});
  }
  named_here_.erase(0);
  add_named(differing);
}

/// Returns whether an input is a parameter here and another one there. If the parameter there that has the
/// name of the one here began with other bits, names do not tell which is which.
bool Comparison::is_other_parameter(const Input& input) const {
  const auto ours = named_here_.find(here_.tensors[input.here].storage);
  const auto storage = there_.tensors[input.there].storage;
  const auto theirs = named_there_.find(storage);
  if (ours == named_here_.end() || theirs == named_there_.end()) return false;
  return std::any_of(there_.named.begin(), there_.named.end(), [&](const Named& one) {
    return one.name == ours->second.name && there_.tensors[one.tensor].storage != storage &&
           same_tensor(ours->second.tensor, one.tensor);
  });
}

/// Returns the difference of an operation that takes other parameters, all of which it names.
Comparison::Number Comparison::other_parameter_cause(Pair pair) {
  std::vector<std::string> ours;
  std::vector<std::string> theirs;
  const auto cause = add(Kind::operations, "", pair);
  for (const auto& input : differing_inputs(pair)) {
    if (!is_other_parameter(input)) continue;
    const std::pair storages{here_.tensors[input.here].storage, there_.tensors[input.there].storage};
    ours.push_back(texts_[named_here_.at(storages.first).name]);
    theirs.push_back(texts_[named_there_.at(storages.second).name]);
    outside_[storages] = cause;
  }
  auto& difference = result_.differences.back();
  difference.what =
      fmt::format("{} takes {} here, {} there", plain_name(texts_[here_.operations[pair.here].name]),
                  fmt::join(ours, " and "), fmt::join(theirs, " and "));
  difference.advice = "Use the same parameters in both.";
  return cause;
}

/// Adds a difference for each parameter. Those that were drawn in another order are one difference, and so
/// are all parameters if one of them has the draws of another one with other bits.
void Comparison::add_named(const std::vector<NamedPair>& differing) {
  const bool all = std::any_of(differing.begin(), differing.end(), [&](const NamedPair& one) {
    return one.origin != nullptr &&
           there_.tensors[one.origin->tensor].hash != here_.tensors[one.here.tensor].hash;
  });
  Number exchanged = 0;
  const auto first =
      std::find_if(differing.begin(), differing.end(), [](const auto& one) { return one.origin; });
  if (first != differing.end()) {
    exchanged = add(
        {.kind = Kind::inputs,
         .what = fmt::format("{} here is what {} is there{}", texts_[first->here.name],
                             texts_[first->origin->name], all ? ": layers were made in another order" : ""),
         .advice = advice_on_making()});
  }
  for (const auto& one : differing) {
    auto number = exchanged;
    if (one.origin == nullptr && !(all && one.here.is_parameter)) {
      const bool transposed = are_transposed(elements_of(here_, texts_, here_.tensors[one.here.tensor]),
                                             elements_of(there_, texts_, there_.tensors[one.there.tensor]));
      number = add({.kind = Kind::inputs,
                    .what = fmt::format("{} {} before anything ran", texts_[one.here.name],
                                        transposed ? "is transposed" : "differs"),
                    .advice = advice_on_inputs(one.here.is_parameter)});
    }
    result_.differences[number - 1].tensors.push_back(
        {.what = texts_[one.here.name], .here = one.here.tensor, .there = one.there.tensor});
    outside_[{here_.tensors[one.here.tensor].storage, there_.tensors[one.there.tensor].storage}] = number;
  }
}

}  // namespace torchbook::trace_diff
