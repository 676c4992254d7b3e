// Finds why the same operation produced different bits on the two sides.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/part/advice.h>
#include <tools/part/comparison.h>
#include <tools/part/tensor_bits.h>
#include <tools/part/value_words.h>
#include <torchbook/golden/element.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace torchbook::trace_diff {
namespace {

constexpr int deepest = 100;  // levels of operations that call others

std::vector<std::uint64_t> hashes(const ReadTrace& trace, std::uint32_t operation) {
  std::vector<std::uint64_t> all;
  const auto tensors = tensors_in(trace, trace.inputs(operation));
  all.reserve(tensors.size());
  for (const auto tensor : tensors) all.push_back(trace.tensors[tensor].hash);
  return all;
}

/// Returns the value of a tensor without dimensions, or an empty text.
std::string number_words(const ReadTrace& trace, const Texts& texts, const SeenTensor& tensor) {
  const auto elements = tensor.dim == 0 ? elements_of(trace, texts, tensor) : std::nullopt;
  if (!elements) return "";
  const auto bytes = elements->bytes;
  return golden::element_text(bytes.data(), bytes.size(), golden::element_format(elements->dtype));
}

/// Returns whether something that is no operation changed a tensor. `writer` is the operation that wrote its
/// memory last; if there is none, the bits are compared with those that were seen before.
bool changed_outside(const Side& side, std::uint32_t writer, std::uint32_t index) {
  const auto& trace = side.trace;
  const auto& tensor = trace.tensors[index];
  const auto is_it = [&](const SeenTensor& other) {
    return other.storage == tensor.storage && other.offset == tensor.offset &&
           std::ranges::equal(trace.shape(other), trace.shape(tensor)) &&
           std::ranges::equal(trace.strides(other), trace.strides(tensor));
  };
  if (writer != no_operation) {
    const auto outputs = tensors_in(trace, trace.outputs(writer));
    return std::any_of(outputs.begin(), outputs.end(), [&](auto output) {
      return is_it(trace.tensors[output]) && trace.tensors[output].hash != tensor.hash;
    });
  }
  if (tensor.storage == 0 || side.is_arbitrary(index)) return false;
  const auto before = std::make_reverse_iterator(trace.tensors.begin() + index);
  const auto seen = std::find_if(before, trace.tensors.rend(), is_it);
  return seen != trace.tensors.rend() && seen->hash != tensor.hash;
}

}  // namespace

Comparison::Number Comparison::cause_of(Pair pair) {
  if (const Number cause = random_cause(pair)) return cause;
  if (const Number cause = input_cause(pair)) return cause;
  if (const Number cause = argument_cause(pair)) return cause;
  if (const Number cause = inner_cause(pair)) return cause;
  const auto name = plain_name(texts_[here_.operations[pair.here].name]);
  return add(Kind::kernel, fmt::format("{} gives other bits of the same input", name), pair);
}

std::vector<Comparison::Input> Comparison::differing_inputs(Pair pair) const {
  const auto here = flat(here_, here_.inputs(pair.here));
  const auto there = flat(there_, there_.inputs(pair.there));
  const bool reads = roles_[here_.operations[pair.here].name] == Role::computes;
  std::vector<Input> differing;
  for (std::size_t i = 0; i < std::min(here.size(), there.size()); ++i) {
    if (here[i].tag != Tag::tensor || there[i].tag != Tag::tensor) continue;
    if (same_tensor(here[i].index, there[i].index)) continue;
    if (i == 0 && side_here_.overwrites(pair.here)) continue;
    if (!reads && fills(pair.here, here[i].index)) continue;
    differing.push_back({.position = i, .here = here[i].index, .there = there[i].index});
  }
  return differing;
}

/// Returns whether an operation writes to memory that held arbitrary bits before.
bool Comparison::fills(std::uint32_t operation, std::uint32_t input) const {
  const auto outputs = tensors_in(here_, here_.outputs(operation));
  return side_here_.is_arbitrary(input) && std::any_of(outputs.begin(), outputs.end(), [&](auto output) {
           return here_.tensors[output].storage == here_.tensors[input].storage;
         });
}

bool Comparison::other_order(Pair pair) const {
  auto ours = hashes(here_, pair.here);
  auto theirs = hashes(there_, pair.there);
  if (ours == theirs) return false;  // other shapes of the same numbers
  std::sort(ours.begin(), ours.end());
  std::sort(theirs.begin(), theirs.end());
  return ours == theirs;
}

Comparison::Number Comparison::input_cause(Pair pair) {
  Number first = 0;
  for (const auto& input : differing_inputs(pair)) {
    const Number known = order_;
    const Number cause = cause_of_input(pair, input);
    if (first == 0) first = cause;
    if (order_ != known || other_order(pair)) break;  // all of them have the same cause
  }
  return first;
}

/// Finds inputs that differ before any operation writes them, even if the outputs are equal.
void Comparison::compare_outside(Pair pair) {
  if (forward_ != 0 && is_backward({pair.here}, {pair.there})) return;
  for (const auto& input : differing_inputs(pair)) {
    const bool outside = side_here_.writer(input.here, pair.here) == no_operation &&
                         side_there_.writer(input.there, pair.there) == no_operation;
    const bool is_number = here_.tensors[input.here].dim == 0;  // Python and C++ make numbers of other dtypes
    if (outside && !is_number) outside_cause(pair, input);
  }
}

/// Says of operations that only one side has that they made the operation that follows compute in another
/// dtype.
void Comparison::add_dtypes(Difference& difference, Pair pair) const {
  if (difference.kind != Kind::operations || difference.here.empty() == difference.there.empty()) return;
  const auto inputs = differing_inputs(pair);
  if (inputs.empty()) return;
  const auto& ours = texts_[here_.tensors[inputs.front().here].dtype];
  const auto& theirs = texts_[there_.tensors[inputs.front().there].dtype];
  if (ours == theirs) return;
  difference.what += fmt::format("; {} computes in {} here and in {} there",
                                 plain_name(texts_[here_.operations[pair.here].name]), ours, theirs);
}

Comparison::Number Comparison::cause_of_input(Pair pair, const Input& input) {
  const auto ours = side_here_.writer(input.here, pair.here);
  const auto theirs = side_there_.writer(input.there, pair.there);
  if (const Number cause = known_cause(ours, theirs, input.here, input.there)) return cause;
  if (is_backward({pair.here}, {pair.there}) && (ours != no_operation || theirs != no_operation)) {
    if (const Number cause = forward_cause()) return cause;
    if (const Number cause = accumulation_cause({pair.here}, {pair.there})) return cause;
  }
  const auto name = plain_name(texts_[here_.operations[pair.here].name]);
  if (other_order(pair) || has_exchanged_views(pair)) {
    order_ = add(Kind::operations, fmt::format("{} takes the same operands in another order", name), pair);
    result_.differences.back().advice = advice_on_order();
    return order_;
  }
  if (ours == no_operation && theirs == no_operation) {
    const Number cause = drawn_index_ == 0 ? view_cause(pair, input, ours, theirs) : 0;
    return cause != 0 ? cause : outside_cause(pair, input);
  }
  if (is_other_parameter(input)) return outside_cause(pair, input);
  if (ours != no_operation && known_here_[ours].partner == theirs) {
    const Number otherwise = argument_cause({.here = ours, .there = theirs});
    if (otherwise != 0) return otherwise;  // it wrote more than it gave, such as statistics
    const Number changed = changed_cause(pair, input);
    return changed != 0 ? changed : view_cause(pair, input, ours, theirs);
  }
  return origin_cause(pair, input, ours, theirs);
}

/// The inputs come from different operations, `ours` and `theirs`.
Comparison::Number Comparison::origin_cause(Pair pair, const Input& input, std::uint32_t ours,
                                            std::uint32_t theirs) {
  if (const Number cause = exchanged_draw_cause(pair, input, ours, theirs)) return cause;
  const Number drawn = texts_[here_.tensors[input.here].dtype] == "int64" ? index_cause() : 0;
  if (drawn != 0) return drawn;
  const auto name = plain_name(texts_[here_.operations[pair.here].name]);
  return add(Kind::operations,
             fmt::format("{} of {} {}", input_name(pair, input), name, origin_words(ours, theirs)), pair);
}

/// Says which operations wrote a tensor, if these are different ones.
std::string Comparison::origin_words(std::uint32_t ours, std::uint32_t theirs) const {
  const auto from = [&](const ReadTrace& trace, std::uint32_t writer) {
    if (writer == no_operation) return std::string("outside");
    return fmt::format("{} (operation {})", plain_name(texts_[trace.operations[writer].name]), writer + 1);
  };
  return fmt::format("comes from {} here and from {} there", from(here_, ours), from(there_, theirs));
}

/// Returns the difference that something which is no operation, such as NumPy, changed an input, or 0.
Comparison::Number Comparison::changed_cause(Pair pair, const Input& input) {
  if (result_.differences.size() > most_searched) return 0;
  const bool ours = changed_outside(side_here_, side_here_.writer(input.here, pair.here), input.here);
  const bool theirs = changed_outside(side_there_, side_there_.writer(input.there, pair.there), input.there);
  if (!ours && !theirs) return 0;
  const std::pair storages{here_.tensors[input.here].storage, there_.tensors[input.there].storage};
  if (const auto known = outside_.find(storages); known != outside_.end()) return known->second;
  const auto name = plain_name(texts_[here_.operations[pair.here].name]);
  const auto words =
      fmt::format("{} of {} was changed{} by something that is no operation", input_name(pair, input), name,
                  ours == theirs ? "" : (ours ? " here" : " there"));
  const auto cause = add(Kind::inputs, words, pair);
  result_.differences.back().advice = advice_on_changes();
  return outside_[storages] = cause;
}

Comparison::Number Comparison::outside_cause(Pair pair, const Input& input) {
  const std::pair storages{here_.tensors[input.here].storage, there_.tensors[input.there].storage};
  if (const auto known = outside_.find(storages); known != outside_.end()) return known->second;
  if (is_other_parameter(input)) return other_parameter_cause(pair);
  if (const Number changed = changed_cause(pair, input)) return changed;
  const auto name = plain_name(texts_[here_.operations[pair.here].name]);
  const auto named = input_name(pair, input);
  const auto ours = number_words(here_, texts_, here_.tensors[input.here]);
  const auto theirs = number_words(there_, texts_, there_.tensors[input.there]);
  const auto& tensor = here_.tensors[input.here];
  const auto& other = there_.tensors[input.there];
  if (tensor.dtype != other.dtype) {
    const auto words = fmt::format("{} of {} is {} here and {} there", named, name,
                                   tensor_words(here_, texts_, tensor), tensor_words(there_, texts_, other));
    const auto cause = add(Kind::operations, words, pair);
    result_.differences.back().advice = advice_on_dtypes();
    return outside_[storages] = cause;
  }
  if (!ours.empty() && !theirs.empty()) {  // a number of the program, which Python and C++ make a tensor of
    return outside_[storages] =
               add(Kind::operations,
                   fmt::format("{} of {} is {} here and {} there", named, name, ours, theirs), pair);
  }
  const auto known = named_here_.find(tensor.storage);
  const bool is_named = known != named_here_.end() && !there_.named.empty();
  if (is_named &&
      !std::ranges::equal(here_.shape(tensor), there_.shape(other))) {  // not the parameter of that name
    const auto words = fmt::format("{} takes {}, {}, here and {} there", name, named,
                                   tensor_words(here_, texts_, tensor), tensor_words(there_, texts_, other));
    return outside_[storages] = add(Kind::operations, words, pair);
  }
  const bool is_parameter = known != named_here_.end() && known->second.is_parameter;
  if (!is_parameter && drawn_index_ != 0) return outside_[storages] = drawn_index_;
  const auto cause = add(Kind::inputs, fmt::format("{} of {} differs", named, name), pair);
  result_.differences.back().advice = advice_on_inputs(is_parameter);
  return outside_[storages] = cause;
}

std::string Comparison::input_name(Pair pair, const Input& input) const {
  const auto known = named_here_.find(here_.tensors[input.here].storage);
  return known == named_here_.end() ? argument_words(here_, texts_, pair.here, input.position)
                                    : texts_[known->second.name];
}

/// Returns whether `value` is missing and `named` is its default: the CPU as device, or memory that
/// is not pinned. Python passes both explicitly if the program does not.
bool Comparison::is_default(const Value& value, const Value& named) const {
  if (value.tag != Tag::none) return false;
  return (named.tag == Tag::boolean && named.bits == 0) ||
         (named.tag == Tag::text && texts_[named.index] == "cpu");
}

/// Describes other dtypes that the program asks for, or returns an empty text if the argument at this
/// position is none. A trace has the number of a dtype; its name is that of the output.
std::string Comparison::dtype_difference(Pair pair, std::size_t position) const {
  const auto here = tensors_in(here_, here_.outputs(pair.here));
  const auto there = tensors_in(there_, there_.outputs(pair.there));
  const auto argument = argument_words(here_, texts_, pair.here, position);
  if (here.empty() || there.empty() || argument != "argument dtype") return "";
  return fmt::format("{} of {} is {} here and {} there", argument,
                     plain_name(texts_[here_.operations[pair.here].name]),
                     texts_[here_.tensors[here.front()].dtype], texts_[there_.tensors[there.front()].dtype]);
}

/// Describes the first difference of arguments that are not tensors, or of the strides of tensors.
std::string Comparison::argument_difference(Pair pair) const {
  const auto here = flat(here_, here_.inputs(pair.here));
  const auto there = flat(there_, there_.inputs(pair.there));
  const auto name = plain_name(texts_[here_.operations[pair.here].name]);
  if (here.size() != there.size()) {
    return fmt::format("{} takes {} values here and {} there", name, here.size(), there.size());
  }
  for (std::size_t i = 0; i < here.size(); ++i) {
    if ((here[i].tag == Tag::tensor && there[i].tag == Tag::tensor) || same_value(here[i], there[i]) ||
        is_default(here[i], there[i]) || is_default(there[i], here[i]))
      continue;
    if (auto words = dtype_difference(pair, i); !words.empty()) return words;
    const auto argument = argument_words(here_, texts_, pair.here, i);
    return fmt::format("{} of {} is {} here and {} there", argument, name,
                       setting_words(here_, texts_, argument, here[i]),
                       setting_words(there_, texts_, argument, there[i]));
  }
  for (std::size_t i = 0; i < here.size(); ++i) {
    if (here[i].tag != Tag::tensor) continue;
    const auto strides = here_.strides(here_.tensors[here[i].index]);
    const auto others = there_.strides(there_.tensors[there[i].index]);
    if (std::ranges::equal(strides, others)) continue;
    return fmt::format("{} of {} lies otherwise in memory: strides ({}) here, ({}) there",
                       argument_words(here_, texts_, pair.here, i), name, fmt::join(strides, ", "),
                       fmt::join(others, ", "));
  }
  return "";
}

Comparison::Number Comparison::argument_cause(Pair pair) {
  const auto words = argument_difference(pair);
  if (words.empty()) return 0;
  const Number cause = is_backward({pair.here}, {pair.there}) ? forward_cause() : 0;
  return cause != 0 ? cause : add(Kind::operations, words, pair);
}

/// Compares the operations that both called.
Comparison::Number Comparison::inner_cause(Pair pair) {
  const auto here = side_here_.steps(pair.here);
  const auto there = side_there_.steps(pair.there);
  if (here.empty() || there.empty() || depth_ >= deepest) return 0;
  const auto regions = regions_.size();
  ++depth_;
  compare_steps(here, there);
  const auto found =
      std::find_if(here.begin(), here.end(), [&](auto step) { return known_here_[step].cause != 0; });
  if (found == here.end()) judge_regions(regions);
  --depth_;
  if (found != here.end()) return known_here_[*found].cause;
  for (auto i = regions; i < regions_.size(); ++i) {
    if (regions_[i].cause != 0) return regions_[i].cause;
  }
  return 0;
}

}  // namespace torchbook::trace_diff
