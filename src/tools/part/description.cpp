// Puts the differences of two traces into words.
#include <fmt/format.h>
#include <tools/part/description.h>
#include <tools/part/roles.h>
#include <tools/part/side.h>
#include <tools/part/value_words.h>
#include <torchbook/golden/causes.h>
#include <torchbook/golden/element.h>
#include <torchbook/report/explanation.h>
#include <torchbook/report/quoted.h>
#include <torchbook/report/words.h>

#include <algorithm>
#include <array>
#include <utility>

namespace torchbook::trace_diff {
namespace {

constexpr std::size_t most_shown_elements = 16;
constexpr std::size_t most_shown_followers = 6;

/// Returns all values of a tensor in row-major order.
std::string values_text(const notebook::RecordedTensor& tensor) {
  const auto format = golden::element_format(tensor.dtype);
  const auto count = golden::element_count(tensor, format);
  if (count == 0) return "";
  const auto size = tensor.bytes.size() / count;
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ",
                        golden::element_text(tensor.bytes.data() + i * size, size, format));
  }
  return fmt::format("[{}]", text);
}

std::string differing_words(const BitsDifference& bits) {
  const auto& values = bits.difference;
  auto words = fmt::format("{} of {} differ{}", values.differing,
                           bits.whole ? report::counted(bits.compared, "element")
                                      : fmt::format("the first {} elements", bits.compared),
                           values.differing == 1 ? "s" : "");
  if (const auto ulps = report::counted_ulps(values.largest_ulps); !ulps.empty())
    words += fmt::format(", by at most {}", ulps);
  return words + fmt::format("; first {}: {} here, {} there", golden::shape_text(values.index), values.actual,
                             values.golden);
}

bool same_kind(const ComparedTraces& traces, const SeenTensor& here, const SeenTensor& there) {
  const auto shape = traces.here.shape(here);
  const auto other = traces.there.shape(there);
  return here.dtype == there.dtype && std::equal(shape.begin(), shape.end(), other.begin(), other.end());
}

void describe_bits(const ComparedTraces& traces, const SeenTensor& here, const SeenTensor& there,
                   DescribedTensor& result) {
  const auto ours = elements_of(traces.here, traces.texts, here);
  const auto theirs = elements_of(traces.there, traces.texts, there);
  if (!ours || !theirs) {
    result.words += ", other bits; the traces do not hold them";
    return;
  }
  result.bits = bits_difference(*ours, *theirs);
  if (!result.bits) {
    result.words += ", other bits after those that the traces hold; record with a larger `largest`";
    return;
  }
  result.words += ": " + differing_words(*result.bits);
  if (result.bits->whole && result.bits->compared <= most_shown_elements) {
    result.here = values_text(ours->tensor());
    result.there = values_text(theirs->tensor());
  }
}

std::string operation_words(const ComparedTraces& traces, std::uint32_t operation) {
  const auto& one = traces.here.operations[operation];
  const auto name = report::pictured(plain_name(traces.texts[one.name]));
  return one.line == 0 ? name : fmt::format("{} ({})", name, report::shortened(traces.texts[one.line]));
}

/// Describes the first output of both operations, which may be a number.
DescribedTensor described_output(const ComparedTraces& traces, Pair pair) {
  const auto ours = traces.here.outputs(pair.here);
  const auto theirs = traces.there.outputs(pair.there);
  const auto here = tensors_in(traces.here, ours);
  const auto there = tensors_in(traces.there, theirs);
  if (here.empty() && there.empty() && !ours.empty() && !theirs.empty()) {
    return {.what = "output",
            .words = fmt::format("{} here, {} there", value_words(traces.here, traces.texts, ours.front()),
                                 value_words(traces.there, traces.texts, theirs.front()))};
  }
  const TensorPair output{.what = "output",
                          .here = here.empty() ? no_operation : here.front(),
                          .there = there.empty() ? no_operation : there.front()};
  return described(traces, output);
}

/// Returns a few of the operations that followed, from the first to the last.
std::vector<DescribedFollower> growth(const ComparedTraces& traces, const std::vector<Pair>& all) {
  const auto count = std::min(all.size(), most_shown_followers);
  std::vector<DescribedFollower> shown;
  shown.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto pair = all[count < 2 ? 0 : i * (all.size() - 1) / (count - 1)];
    shown.push_back({.pair = pair,
                     .operation = operation_words(traces, pair.here),
                     .output = described_output(traces, pair)});
  }
  return shown;
}

}  // namespace

std::string kind_words(Kind kind) {
  constexpr std::array<const char*, 4> words = {"same operation, same input, other output", "other argument",
                                                "other random numbers", "other operations"};
  return words.at(static_cast<std::size_t>(kind));
}

std::string kind_word(Kind kind) {
  constexpr std::array<const char*, 4> words = {"kernel", "argument", "random", "operations"};
  return words.at(static_cast<std::size_t>(kind));
}

std::string place(const ComparedTraces& traces, const ReadTrace& trace,
                  const std::vector<std::uint32_t>& operations) {
  if (operations.empty()) return "nothing";
  const auto& texts = traces.texts;
  const auto first = operations.front() + 1;
  const auto last = operations.back() + 1;
  const auto& one = trace.operations[operations.front()];
  auto words =
      first == last ? fmt::format("operation {}", first) : fmt::format("operations {} to {}", first, last);
  const auto known = traces.places.find(texts[one.mark]);
  const bool is_known = known != traces.places.end();
  if (is_known) {
    words += ", " + known->second.name;
  } else if (one.mark != 0) {
    words += fmt::format(", cell {}", report::shortened(texts[one.mark]));
  }
  if (one.module != 0) words += fmt::format(", in {}", report::shortened(texts[one.module]));
  if (one.line != 0) {
    words += fmt::format(", {}", report::shortened(texts[one.line]));
  } else if (is_known && &trace == &traces.here) {
    words += ", " + known->second.line;
  }
  return words;
}

DescribedTensor described(const ComparedTraces& traces, const TensorPair& pair) {
  DescribedTensor result{.what = pair.what};
  const auto words = [&](const ReadTrace& trace, std::uint32_t tensor) {
    return tensor == no_operation
               ? "nothing"
               : report::shortened(tensor_words(trace, traces.texts, trace.tensors[tensor]));
  };
  const bool both = pair.here != no_operation && pair.there != no_operation;
  if (!both || !same_kind(traces, traces.here.tensors[pair.here], traces.there.tensors[pair.there])) {
    result.words =
        fmt::format("{} here, {} there", words(traces.here, pair.here), words(traces.there, pair.there));
    return result;
  }
  const auto& here = traces.here.tensors[pair.here];
  const auto& there = traces.there.tensors[pair.there];
  result.words = words(traces.here, pair.here);
  result.equal = here.hash == there.hash;
  if (result.equal) {
    result.words += ", the same bits";
  } else {
    describe_bits(traces, here, there, result);
  }
  return result;
}

DescribedDifference described(const ComparedTraces& traces, const Difference& difference) {
  DescribedDifference result{
      .kind = kind_words(difference.kind), .what = difference.what, .advice = difference.advice};
  if (!difference.here.empty() || !difference.there.empty()) {
    result.here = place(traces, traces.here, difference.here);
    result.there = place(traces, traces.there, difference.there);
  }
  for (const auto& pair : difference.tensors) result.tensors.push_back(described(traces, pair));
  if (difference.kind == Kind::kernel) {
    for (const auto& cause :
         golden::causes(traces.here.fingerprint, traces.there.fingerprint, traces.best_capability, "there"))
      result.environment.push_back(report::with_remedy(cause));
  }
  if (const auto count = difference.followers.size(); count != 0) {
    result.followers = count == 1 ? "1 operation follows" : fmt::format("{} operations follow", count);
    result.growth = growth(traces, difference.followers);
  }
  return result;
}

std::string difference_lines(const DescribedDifference& difference) {
  std::string text;
  if (!difference.here.empty())
    text += fmt::format("  here      {}\n  there     {}\n", difference.here, difference.there);
  for (const auto& tensor : difference.tensors) {
    text += fmt::format("  {:<9} {}\n", report::shortened(tensor.what), tensor.words);
    if (!tensor.here.empty())
      text += fmt::format("    here    {}\n    there   {}\n", tensor.here, tensor.there);
  }
  for (const auto& line : difference.environment) text += fmt::format("  {}\n", report::shortened(line));
  if (!difference.advice.empty()) text += fmt::format("  {}\n", difference.advice);
  if (!difference.followers.empty()) text += fmt::format("  {} from it:\n", difference.followers);
  for (const auto& one : difference.growth)
    text += fmt::format("    {:<32} {}\n", one.operation, one.output.words);
  return text;
}

bool is_first_of_kind(const TraceComparison& comparison, std::size_t index) {
  const auto& all = comparison.differences;
  return index == 0 || all[index - 1].kind != all[index].kind;
}

std::vector<std::string> cut_lines(const ComparedTraces& traces) {
  std::vector<std::string> lines;
  const auto add = [&](const char* side, const ReadTrace& trace) {
    if (trace.finished) return;
    auto last = static_cast<std::uint32_t>(trace.operations.size());
    while (last > 0 && trace.operations[--last].parent != no_operation) {
    }
    const auto end =
        trace.operations.empty()
            ? "before its first operation"
            : fmt::format("after {} ({})",
                          report::pictured(plain_name(traces.texts[trace.operations[last].name])),
                          place(traces, trace, {last}));
    lines.push_back(fmt::format("The trace {} was cut off {}. What comes later is not compared.", side, end));
  };
  add("here", traces.here);
  add("there", traces.there);
  return lines;
}

std::size_t outermost_operations(const ReadTrace& trace) {
  return static_cast<std::size_t>(
      std::count_if(trace.operations.begin(), trace.operations.end(),
                    [](const auto& each) { return each.parent == no_operation; }));
}

std::string trace_words(const ReadTrace& trace) {
  const auto all = trace.operations.size();
  const auto outermost = outermost_operations(trace);
  const auto inner = all == outermost ? "" : fmt::format(" ({} with those that they call)", all);
  const auto computed = report::fingerprint_line(trace.fingerprint);
  return fmt::format("{}{}{}{}{}", report::counted(outermost, "operation"), inner,
                     computed.empty() ? "" : ", ", computed, trace.finished ? "" : "; it was cut off");
}

std::string nothing_differs(const ComparedTraces& traces) {
  const bool whole = traces.here.finished && traces.there.finished;
  return whole ? "Nothing differs" : "Nothing differs as far as both traces go";
}

std::string bits_words(const TraceComparison& comparison) {
  const auto pairs = report::counted(comparison.pairs, "operation");
  const std::string same =
      comparison.is_within_above ? "gave what --above counts as the same" : "gave the same bits";
  if (comparison.differences.empty()) return fmt::format("{} {}", pairs, same);
  if (comparison.differing == 0) return fmt::format("{} that both have {}", pairs, same);
  return fmt::format("{} of {} that both have gave other {}", comparison.differing, pairs,
                     comparison.is_within_above ? "results" : "bits");
}

}  // namespace torchbook::trace_diff
