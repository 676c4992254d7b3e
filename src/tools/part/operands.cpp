// Finds which argument or operand of an operation differs, and what wrote it.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/part/comparison.h>
#include <tools/part/tensor_bits.h>
#include <tools/part/value_words.h>

#include <algorithm>
#include <iterator>
#include <limits>

namespace torchbook::trace_diff {
namespace {

constexpr std::size_t most_searched = 1000;  // differences after which no chain of views is followed

constexpr const char* give_same_data = "Give both programs the same data.";
constexpr const char* load_weights =
    "Load the same weights in both programs before anything runs, or make the layers in the same order: C++ "
    "evaluates the arguments of nn::Sequential(a, b) in any order, so make each in a statement of its own.";

/// Returns the value of a tensor without dimensions, or an empty text.
std::string number_words(const ReadTrace& trace, const Texts& texts, const SeenTensor& tensor) {
  const auto elements = tensor.dim == 0 ? elements_of(trace, texts, tensor) : std::nullopt;
  if (!elements) return "";
  const auto bytes = elements->bytes;
  return golden::element_text(bytes.data(), bytes.size(), golden::element_format(elements->dtype));
}

/// Returns which output of an operation has the bits of a tensor, from 1 on; 0 if it has only one.
std::size_t output_number(const ReadTrace& trace, std::uint32_t operation, std::uint32_t tensor) {
  const auto outputs = tensors_in(trace, trace.outputs(operation));
  const auto found = std::find_if(outputs.begin(), outputs.end(), [&](auto output) {
    return trace.tensors[output].hash == trace.tensors[tensor].hash;
  });
  return outputs.size() < 2 ? 0 : static_cast<std::size_t>(found - outputs.begin()) + 1;
}

/// A view or copy of a tensor.
struct View {
  std::uint32_t step = 0;
  std::string words{};  ///< `select(0, -1)`, or `split(8, 2)[1]`

  bool operator==(const View& other) const { return words == other.words; }
};

/// The views that lead from a tensor to an operand.
struct Chain {
  std::uint32_t source = 0;  ///< the tensor, by its index in ReadTrace::tensors
  std::vector<View> views{};
};

/// Returns the views that lead from what `writer` wrote to `tensor`, which `reader` takes.
Chain chain_to(const Side& side, const Texts& texts, std::uint32_t tensor, std::uint32_t writer,
               std::uint32_t reader) {
  const auto& trace = side.trace;
  const auto steps = side.movers(trace.tensors[tensor], writer, reader);
  const auto taken = [&](std::uint32_t step) { return tensors_in(trace, trace.inputs(step)).front(); };
  Chain chain{.source = steps.empty() ? tensor : taken(steps.front())};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    std::vector<std::string> arguments;
    for (const auto& value : trace.inputs(steps[i])) {
      const bool is_end = value.bits == std::numeric_limits<std::int64_t>::max();
      if ((value.tag == Tag::whole && !is_end) || value.tag == Tag::list)
        arguments.push_back(value_words(trace, texts, value));
    }
    const auto output = output_number(trace, steps[i], i + 1 < steps.size() ? taken(steps[i + 1]) : tensor);
    const auto index = output == 0 ? "" : fmt::format("[{}]", output - 1);
    chain.views.push_back(
        {.step = steps[i],
         .words = fmt::format("{}({}){}", plain_name(texts[trace.operations[steps[i]].name]),
                              fmt::join(arguments, ", "), index)});
  }
  return chain;
}

/// Returns the hashes of the tensors of which an operation takes views.
std::vector<std::uint64_t> sources(const Side& side, const Texts& texts, std::uint32_t operation) {
  const auto& trace = side.trace;
  std::vector<std::uint64_t> all;
  for (const auto tensor : tensors_in(trace, trace.inputs(operation))) {
    const auto chain = chain_to(side, texts, tensor, side.writer(tensor, operation), operation);
    all.push_back(trace.tensors[chain.source].hash);
  }
  return all;
}

/// Removes the views with which both begin, and those with which both end.
void keep_others(std::vector<View>& here, std::vector<View>& there) {
  const auto [mine, yours] = std::mismatch(here.begin(), here.end(), there.begin(), there.end());
  here.erase(here.begin(), mine);
  there.erase(there.begin(), yours);
  while (!here.empty() && !there.empty() && here.back() == there.back()) {
    here.pop_back();
    there.pop_back();
  }
}

std::vector<std::uint32_t> steps_of(const std::vector<View>& views) {
  std::vector<std::uint32_t> steps;
  steps.reserve(views.size());
  for (const auto& view : views) steps.push_back(view.step);
  return steps;
}

std::string joined(const std::vector<View>& views) {
  std::vector<std::string> words;
  words.reserve(views.size());
  for (const auto& view : views) words.push_back(view.words);
  return words.empty() ? "nothing" : fmt::format("{}", fmt::join(words, " and "));
}

/// Returns whether `value` is missing and `named` is its default: the CPU as device, or memory that
/// is not pinned. Python passes both explicitly if the program does not.
bool is_default(const Texts& texts, const Value& value, const Value& named) {
  if (value.tag != Tag::none) return false;
  return (named.tag == Tag::boolean && named.bits == 0) ||
         (named.tag == Tag::text && texts[named.index] == "cpu");
}

}  // namespace

/// Adds a difference for all parameters that differ before anything ran, and one for all buffers.
void Comparison::compare_named() {
  std::unordered_map<std::uint32_t, const Named*> theirs;
  for (const auto& one : there_.named) {
    theirs.emplace(one.name, &one);
    if (const auto storage = there_.tensors[one.tensor].storage) named_there_.emplace(storage, one);
  }
  std::vector<std::pair<Named, Named>> differing;
  for (const auto& one : here_.named) {
    if (const auto storage = here_.tensors[one.tensor].storage) named_here_.emplace(storage, one);
    const auto other = theirs.find(one.name);
    if (other != theirs.end() && !equality_.same_tensor(one.tensor, other->second->tensor))
      differing.emplace_back(one, *other->second);
  }
  for (const bool parameters : {true, false}) add_named(differing, parameters);
}

/// Adds one difference for all parameters or all others among named tensors that differ. If one of them has
/// the bits of another one, layers were made in another order.
void Comparison::add_named(const std::vector<std::pair<Named, Named>>& all, bool parameters) {
  std::vector<std::pair<Named, Named>> differing;
  std::copy_if(all.begin(), all.end(), std::back_inserter(differing),
               [&](const auto& one) { return one.first.is_parameter == parameters; });
  if (differing.empty()) return;
  auto words = texts_[differing[0].first.name];
  if (differing.size() > 1) words += fmt::format(" and {} more", differing.size() - 1);
  words += differing.size() == 1 ? " differs before anything ran" : " differ before anything ran";
  for (const auto& [here, unused] : differing) {
    const auto hash = here_.tensors[here.tensor].hash;
    const auto origin = std::find_if(differing.begin(), differing.end(), [&](const auto& one) {
      return hash != 0 && there_.tensors[one.second.tensor].hash == hash;
    });
    if (origin == differing.end()) continue;
    words = fmt::format("{} here is what {} is there: layers were made in another order", texts_[here.name],
                        texts_[origin->second.name]);
    break;
  }
  Difference difference{
      .kind = Kind::argument, .what = std::move(words), .advice = parameters ? load_weights : give_same_data};
  for (const auto& [here, there] : differing)
    difference.tensors.push_back({.what = texts_[here.name], .here = here.tensor, .there = there.tensor});
  const Number cause = add(std::move(difference));
  for (const auto& [here, there] : differing)
    outside_[{here_.tensors[here.tensor].storage, there_.tensors[there.tensor].storage}] = cause;
}

/// Describes the first difference of arguments that are not tensors, or of the strides of tensors.
std::string Comparison::argument_words(Pair pair) const {
  const auto here = flat(here_, here_.inputs(pair.here));
  const auto there = flat(there_, there_.inputs(pair.there));
  const auto operation = name(here_, pair.here);
  if (here.size() != there.size())
    return fmt::format("{} takes {} values here and {} there", operation, here.size(), there.size());
  for (std::size_t i = 0; i < here.size(); ++i) {
    if ((here[i].tag == Tag::tensor && there[i].tag == Tag::tensor) ||
        equality_.same_value(here[i], there[i]) || is_default(texts_, here[i], there[i]) ||
        is_default(texts_, there[i], here[i]))
      continue;
    const auto argument = trace_diff::argument_words(here_, texts_, pair.here, i);
    auto ours = setting_words(here_, texts_, argument, here[i]);
    auto theirs = setting_words(there_, texts_, argument, there[i]);
    const auto outputs = tensors_in(here_, here_.outputs(pair.here));
    const auto others = tensors_in(there_, there_.outputs(pair.there));
    if (argument == "argument dtype" && !outputs.empty() && !others.empty()) {  // a trace has only its number
      ours = texts_[here_.tensors[outputs.front()].dtype];
      theirs = texts_[there_.tensors[others.front()].dtype];
    }
    return fmt::format("{} of {} is {} here and {} there", argument, operation, ours, theirs);
  }
  for (std::size_t i = 0; i < here.size(); ++i) {
    if (here[i].tag != Tag::tensor) continue;
    const auto strides = here_.strides(here_.tensors[here[i].index]);
    const auto others = there_.strides(there_.tensors[there[i].index]);
    if (std::ranges::equal(strides, others)) continue;
    return fmt::format("{} of {} lies otherwise in memory: strides ({}) here, ({}) there",
                       trace_diff::argument_words(here_, texts_, pair.here, i), operation,
                       fmt::join(strides, ", "), fmt::join(others, ", "));
  }
  return "";
}

Comparison::Number Comparison::argument_cause(Pair pair) {
  const auto here = flat(here_, here_.inputs(pair.here));
  const auto there = flat(there_, there_.inputs(pair.there));
  for (std::size_t i = 0; i < std::min(here.size(), there.size()); ++i) {
    if (here[i].tag != Tag::whole || there[i].tag != Tag::whole || here[i].bits == there[i].bits) continue;
    if (const auto known = read_.find({here[i].bits, there[i].bits}); known != read_.end())
      return known->second;
  }
  auto words = argument_words(pair);
  if (words.empty()) return 0;
  const Number cause = is_backward(pair) ? backward_cause(pair) : 0;
  return cause != 0 ? cause : add(Kind::argument, std::move(words), pair);
}

std::vector<Comparison::Operand> Comparison::differing_operands(Pair pair) const {
  const auto here = flat(here_, here_.inputs(pair.here));
  const auto there = flat(there_, there_.inputs(pair.there));
  const bool reads = roles_[here_.operations[pair.here].name] == Role::computes;
  std::vector<Operand> differing;
  for (std::size_t i = 0; i < std::min(here.size(), there.size()); ++i) {
    if (here[i].tag != Tag::tensor || there[i].tag != Tag::tensor) continue;
    if (equality_.same_tensor(here[i].index, there[i].index)) continue;
    if (i == 0 && side_here_.overwrites(pair.here)) continue;
    if (!reads && fills(pair.here, here[i].index)) continue;
    const auto* parameter = named(here_, here[i].index);
    differing.push_back({.name = parameter != nullptr
                                     ? texts_[parameter->name]
                                     : trace_diff::argument_words(here_, texts_, pair.here, i),
                         .reader = fmt::format(" of {}", name(here_, pair.here)),
                         .readers = pair,
                         .here = here[i].index,
                         .there = there[i].index,
                         .mark = here_.operations[pair.here].mark});
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

const Named* Comparison::named(const ReadTrace& trace, std::uint32_t tensor) const {
  const auto& all = &trace == &here_ ? named_here_ : named_there_;
  const auto found = all.find(trace.tensors[tensor].storage);
  return found == all.end() ? nullptr : &found->second;
}

bool Comparison::are_exchanged(Pair pair) const {
  if (result_.differences.size() > most_searched) return false;
  auto ours = sources(side_here_, texts_, pair.here);
  auto theirs = sources(side_there_, texts_, pair.there);
  if (ours == theirs) return false;  // other shapes of the same numbers
  std::sort(ours.begin(), ours.end());
  std::sort(theirs.begin(), theirs.end());
  return ours == theirs;
}

Comparison::Number Comparison::operand_cause(Pair pair) {
  const auto operands = differing_operands(pair);
  Number first = 0;
  for (const auto& operand : operands) {
    const Pair writers{.here = side_here_.writer(operand.here, pair.here),
                       .there = side_there_.writer(operand.there, pair.there)};
    auto cause = written_cause(writers);
    const bool written = writers.here != no_operation || writers.there != no_operation;
    if (cause == 0 && written && is_backward(pair)) cause = backward_cause(pair);
    if (cause == 0 && first == 0) {  // a difference of the whole operation
      first =
          are_exchanged(pair)
              ? add(Kind::argument,
                    fmt::format("{} takes the same operands in another order", name(here_, pair.here)), pair,
                    "Write the operands in the same order in both. C++ does not say which of "
                    "them it evaluates first: give each a statement of its own, in Python's "
                    "order.")
              : other_parameter_cause(pair, operands);
      if (first != 0) return first;
    }
    if (cause == 0) cause = origin_cause(operand, writers);
    if (first == 0) first = cause;
  }
  return first;
}

/// Returns the difference that what two operations wrote follows from, or 0.
Comparison::Number Comparison::written_cause(Pair writers) {
  const auto of = [](const Side& side, std::uint32_t writer) {
    return writer == no_operation ? Known{} : side.known[writer];
  };
  const auto here = of(side_here_, writers.here);
  const auto there = of(side_there_, writers.there);
  if (here.cause != 0) return here.cause;
  if (there.cause != 0) return there.cause;
  if (here.region != 0) return region_cause(here.region);
  return there.region != 0 ? region_cause(there.region) : 0;
}

/// Finds why an operand differs, if what wrote it does not.
Comparison::Number Comparison::origin_cause(const Operand& operand, Pair writers) {
  const auto [ours, theirs] = writers;
  if (ours == no_operation && theirs == no_operation) return outside_cause(operand);
  if (ours != no_operation && side_here_.known[ours].partner == theirs) {
    if (const Number cause = argument_cause(writers)) return cause;  // it wrote more than it returned
  } else {
    const auto from = [&](const ReadTrace& trace, std::uint32_t writer) {
      if (writer == no_operation) return std::string("outside");
      const auto line = trace.operations[writer].line;
      return fmt::format("{} (operation {}{})", name(trace, writer), writer + 1,
                         line == 0 ? "" : ", " + texts_[line]);
    };
    if (const Number cause = literal_cause(operand)) return cause;
    if (index_ != 0 && texts_[here_.tensors[operand.here].dtype] == "int64") return index_;
    return add(fmt::format("{} comes from {} here and from {} there", operand.words(), from(here_, ours),
                           from(there_, theirs)),
               operand);
  }
  if (const Number cause = changed_cause(operand, writers)) return cause;
  if (const Number cause = view_cause(operand, writers)) return cause;
  return add(fmt::format("{} differs, though {} wrote it last and returned the same", operand.words(),
                         name(here_, ours)),
             operand);
}

/// Returns the difference of a tensor that a program made of other numbers, or 0.
Comparison::Number Comparison::literal_cause(const Operand& operand) {
  const auto first = side_here_.literal(operand.here);
  if (first == no_operation) return 0;
  return add({.kind = Kind::argument,
              .what = "a tensor is made of other numbers",
              .advice = give_same_data,
              .here = {first},
              .tensors = {{.what = "its value", .here = operand.here, .there = operand.there}},
              .mark = here_.operations[first].mark,
              .at = first});
}

/// Returns the difference that something which is no operation, such as NumPy, changed an operand, or 0.
Comparison::Number Comparison::changed_cause(const Operand& operand, Pair writers) {
  if (result_.differences.size() > most_searched) return 0;
  const bool ours = side_here_.changed_outside(operand.here, writers.here);
  const bool theirs = side_there_.changed_outside(operand.there, writers.there);
  if (!ours && !theirs) return 0;
  const auto where = ours == theirs ? "" : ours ? " here" : " there";
  return add(fmt::format("{} was changed{} by something that is no operation", operand.words(), where),
             operand, "Make the same change in both.");
}

/// Returns the difference of an operand that is another view of what both sides wrote alike, or 0.
Comparison::Number Comparison::view_cause(const Operand& operand, Pair writers) {
  if (result_.differences.size() > most_searched) return 0;
  const auto [ours, theirs] = writers;
  const bool outside = ours == no_operation;
  auto here = chain_to(side_here_, texts_, operand.here, ours, operand.readers.here);
  auto there = chain_to(side_there_, texts_, operand.there, theirs, operand.readers.there);
  if (outside && !equality_.same_tensor(here.source, there.source)) return 0;
  keep_others(here.views, there.views);
  if (here.views.empty() && there.views.empty()) {
    return outside ? 0 : part_cause(operand, writers, {.here = here.source, .there = there.source});
  }
  const auto selects = [](const auto& views) {
    return !views.empty() && (views[0].words.starts_with("select") || views[0].words.starts_with("slice"));
  };
  if (selects(here.views) && selects(there.views)) {
    if (const Number drawn = index_cause(operand.readers.here)) return drawn;
  }
  const auto source = outside ? "the same tensor" : fmt::format("what {} gave", name(here_, ours));
  const auto cause = add(fmt::format("{} is another view of {}: {} here, {} there", operand.words(), source,
                                     joined(here.views), joined(there.views)),
                         operand);
  auto& difference = result_.differences[cause - 1];
  if (difference.count == 1) {
    if (!here.views.empty()) difference.here = steps_of(here.views);
    if (!there.views.empty()) difference.there = steps_of(there.views);
  }
  return cause;
}

/// Returns the difference of an operand that is another output of the operation that wrote it, or of which
/// that operation wrote another part. Returns 0 if it is neither.
Comparison::Number Comparison::part_cause(const Operand& operand, Pair writers, Pair tensors) {
  const auto [ours, theirs] = writers;
  const auto output = output_number(here_, ours, tensors.here);
  const auto other_output = output_number(there_, theirs, tensors.there);
  if (output != other_output)
    return add(fmt::format("{} is output {} of {} here, and output {} there", operand.words(), output,
                           name(here_, ours), other_output),
               operand);
  const auto target = [&](const Side& side, std::uint32_t writer) {
    const auto inputs = tensors_in(side.trace, side.trace.inputs(writer));
    return inputs.empty() ? Chain{} : chain_to(side, texts_, inputs.front(), no_operation, writer);
  };
  auto here = target(side_here_, ours).views;
  auto there = target(side_there_, theirs).views;
  keep_others(here, there);
  if (here.empty() && there.empty()) return 0;
  return add(fmt::format("{} writes to another part of {}: {} here, {} there", name(here_, ours),
                         operand.words(), joined(here), joined(there)),
             operand);
}

Comparison::Storages Comparison::storages_of(const Operand& operand) const {
  return {here_.tensors[operand.here].storage, there_.tensors[operand.there].storage};
}

/// Remembers which operations take tensors first that differ though no operation wrote them, if their results
/// do not differ.
void Comparison::keep_readers(Pair pair) {
  for (auto& operand : differing_operands(pair)) {
    if (side_here_.writer(operand.here, pair.here) != no_operation ||
        side_there_.writer(operand.there, pair.there) != no_operation)
      continue;
    const auto storages = storages_of(operand);
    if (storages.first != 0 && storages.second != 0) first_readers_.try_emplace(storages, std::move(operand));
  }
}

/// Finds why an operand differs that no operation wrote.
Comparison::Number Comparison::outside_cause(const Operand& reader) {
  const auto first = first_readers_.find(storages_of(reader));
  const auto& operand = first == first_readers_.end() ? reader : first->second;
  const auto& tensor = here_.tensors[operand.here];
  const auto& other = there_.tensors[operand.there];
  const auto storages = storages_of(operand);
  if (const auto known = outside_.find(storages); known != outside_.end()) return known->second;
  const auto found = [&]() -> Number {
    if (const Number cause = view_cause(operand, {})) return cause;
    if (const Number cause = changed_cause(operand, {})) return cause;
    if (const Number cause = literal_cause(operand)) return cause;
    const bool promoted = tensor.dtype != other.dtype;
    const bool reshaped = !std::ranges::equal(here_.shape(tensor), there_.shape(other));
    if (promoted || reshaped)
      return add(fmt::format("{} is {} here and {} there", operand.words(),
                             tensor_words(here_, texts_, tensor), tensor_words(there_, texts_, other)),
                 operand,
                 promoted ? "A float64 tensor makes the result float64. Write the same dtype in both." : "");
    const auto ours = number_words(here_, texts_, tensor);
    const auto theirs = number_words(there_, texts_, other);
    if (!ours.empty() && !theirs.empty())  // a number of the program, which Python and C++ make a tensor of
      return add(fmt::format("{} is {} here and {} there", operand.words(), ours, theirs), operand);
    const auto* parameter = named(here_, operand.here);
    const bool is_parameter = parameter != nullptr && parameter->is_parameter;
    if (const Number drawn = is_parameter ? 0 : index_) return drawn;
    if (operand.is_shown) return add(operand.words() + " differs, and no operation gave it", operand);
    return add(operand.words() + " differs", operand, is_parameter ? load_weights : give_same_data);
  }();
  return storages.first == 0 || storages.second == 0 ? found : outside_[storages] = found;
}

/// Returns whether an operand is a parameter here and another one there. If the parameter there that has the
/// name of the one here began with other bits, names do not tell which is which.
bool Comparison::is_other_parameter(const Operand& operand) const {
  const auto* ours = named(here_, operand.here);
  if (ours == nullptr || named(there_, operand.there) == nullptr) return false;
  const auto storage = there_.tensors[operand.there].storage;
  return std::any_of(there_.named.begin(), there_.named.end(), [&](const Named& one) {
    return one.name == ours->name && there_.tensors[one.tensor].storage != storage &&
           equality_.same_tensor(ours->tensor, one.tensor);
  });
}

/// Returns the difference of an operation that takes other parameters, all of which it names, or 0.
Comparison::Number Comparison::other_parameter_cause(Pair pair, const std::vector<Operand>& operands) {
  std::vector<std::string> ours;
  std::vector<std::string> theirs;
  for (const auto& operand : operands) {
    if (!is_other_parameter(operand)) continue;
    ours.push_back(operand.name);
    theirs.push_back(texts_[named(there_, operand.there)->name]);
  }
  if (ours.empty()) return 0;
  return add(Kind::argument,
             fmt::format("{} takes {} here, {} there", name(here_, pair.here), fmt::join(ours, " and "),
                         fmt::join(theirs, " and ")),
             pair, "Use the same parameters in both.");
}

}  // namespace torchbook::trace_diff
