// Words for the differences between two traces.
#include <fmt/format.h>
#include <torchbook/golden/causes.h>
#include <torchbook/golden/element.h>
#include <torchbook/part/describe.h>
#include <torchbook/part/names.h>
#include <torchbook/part/side.h>
#include <torchbook/report/parting.h>
#include <torchbook/report/quoted.h>
#include <torchbook/report/words.h>

#include <algorithm>
#include <utility>

namespace torchbook::report {
namespace {

constexpr std::size_t most_shown_elements = 16;
constexpr std::uint64_t most_ulps = 1'000'000;  // more say less than both values do
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

std::string differing_words(const part::BitsDifference& bits) {
  const auto& values = bits.difference;
  auto words = fmt::format(
      "{} of {} differ{}", values.differing,
      bits.whole ? counted(bits.compared, "element") : fmt::format("the first {} elements", bits.compared),
      values.differing == 1 ? "s" : "");
  if (values.largest_ulps && *values.largest_ulps <= most_ulps)
    words += fmt::format(", by at most {}", counted(*values.largest_ulps, "ulp"));
  return words + fmt::format("; first {}: {} here, {} there", golden::shape_text(values.index), values.actual,
                             values.golden);
}

bool same_kind(const Parting& parting, const part::SeenTensor& here, const part::SeenTensor& there) {
  const auto shape = parting.here.shape(here);
  const auto other = parting.there.shape(there);
  return here.dtype == there.dtype && std::equal(shape.begin(), shape.end(), other.begin(), other.end());
}

void compare_bits(const Parting& parting, const part::SeenTensor& here, const part::SeenTensor& there,
                  TensorComparison& result) {
  const auto ours = elements_of(parting.here, parting.texts, here);
  const auto theirs = elements_of(parting.there, parting.texts, there);
  if (!ours || !theirs) {
    result.words += ", other bits; the traces do not hold them";
    return;
  }
  result.difference = bits_difference(*ours, *theirs);
  if (!result.difference) {
    result.words += ", other bits behind those that the traces hold; record with a larger `largest`";
    return;
  }
  result.words += ": " + differing_words(*result.difference);
  if (result.difference->whole && result.difference->compared <= most_shown_elements) {
    result.here = values_text(ours->tensor());
    result.there = values_text(theirs->tensor());
  }
}

}  // namespace

std::string kind_words(part::Kind kind) {
  switch (kind) {
    case part::Kind::inputs:
      return "other inputs";
    case part::Kind::random:
      return "other random numbers";
    case part::Kind::operations:
      return "other operations";
    case part::Kind::kernel:
      return "same operation, same input, other output";
  }
  return "";
}

std::string kind_word(part::Kind kind) {
  switch (kind) {
    case part::Kind::inputs:
      return "inputs";
    case part::Kind::random:
      return "random";
    case part::Kind::operations:
      return "operations";
    case part::Kind::kernel:
      return "kernel";
  }
  return "";
}

std::string operation_words(const part::Trace& trace, const part::Texts& texts, std::uint32_t operation) {
  const auto& one = trace.operations[operation];
  const auto name = pictured(part::plain_name(texts[one.name]));
  return one.line == 0 ? name : fmt::format("{} ({})", name, shortened(texts[one.line]));
}

std::string place(const Parting& parting, const part::Trace& trace,
                  const std::vector<std::uint32_t>& operations) {
  if (operations.empty()) return "nothing";
  const auto& texts = parting.texts;
  const auto first = operations.front() + 1;
  const auto last = operations.back() + 1;
  const auto& one = trace.operations[operations.front()];
  auto words =
      first == last ? fmt::format("operation {}", first) : fmt::format("operations {} to {}", first, last);
  const auto known = parting.places.find(texts[one.mark]);
  const bool is_known = known != parting.places.end();
  if (is_known) {
    words += ", " + known->second.name;
  } else if (one.mark != 0) {
    words += fmt::format(", cell {}", shortened(texts[one.mark]));
  }
  if (one.module != 0) words += fmt::format(", in {}", shortened(texts[one.module]));
  if (one.line != 0) {
    words += fmt::format(", {}", shortened(texts[one.line]));
  } else if (is_known && &trace == &parting.here) {
    words += ", " + known->second.line;
  }
  return words;
}

TensorComparison compare_tensors(const Parting& parting, const part::TensorPair& pair) {
  TensorComparison result;
  const auto words = [&](const part::Trace& trace, std::uint32_t tensor) {
    return tensor == part::no_operation
               ? "nothing"
               : shortened(part::tensor_words(trace, parting.texts, trace.tensors[tensor]));
  };
  const bool both = pair.here != part::no_operation && pair.there != part::no_operation;
  if (!both || !same_kind(parting, parting.here.tensors[pair.here], parting.there.tensors[pair.there])) {
    result.words =
        fmt::format("{} here, {} there", words(parting.here, pair.here), words(parting.there, pair.there));
    return result;
  }
  const auto& here = parting.here.tensors[pair.here];
  const auto& there = parting.there.tensors[pair.there];
  result.words = words(parting.here, pair.here);
  result.equal = here.hash == there.hash;
  if (result.equal) {
    result.words += ", the same bits";
  } else {
    compare_bits(parting, here, there, result);
  }
  return result;
}

bool is_first_of_kind(const part::Verdict& verdict, std::size_t index) {
  return index == 0 || verdict.differences[index - 1].kind != verdict.differences[index].kind;
}

std::vector<std::string> cut_lines(const Parting& parting) {
  std::vector<std::string> lines;
  const auto add = [&](const char* side, const part::Trace& trace) {
    if (trace.finished) return;
    auto last = static_cast<std::uint32_t>(trace.operations.size());
    while (last > 0 && trace.operations[--last].parent != part::no_operation) {
    }
    const auto end = trace.operations.empty()
                         ? "before its first operation"
                         : fmt::format("behind {} ({})",
                                       pictured(part::plain_name(parting.texts[trace.operations[last].name])),
                                       place(parting, trace, {last}));
    lines.push_back(fmt::format("The trace {} was cut off {}. What comes later is not compared.", side, end));
  };
  add("here", parting.here);
  add("there", parting.there);
  return lines;
}

std::string followers_words(const part::Difference& difference) {
  const auto count = difference.followers.size();
  return count == 1 ? "1 operation follows" : fmt::format("{} operations follow", count);
}

std::vector<Growth> growth(const Parting& parting, const part::Difference& difference) {
  const auto& all = difference.followers;
  const auto count = std::min(all.size(), most_shown_followers);
  std::vector<Growth> shown;
  shown.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto pair = all[count < 2 ? 0 : i * (all.size() - 1) / (count - 1)];
    const auto here = part::tensors_in(parting.here, parting.here.outputs(pair.here));
    const auto there = part::tensors_in(parting.there, parting.there.outputs(pair.there));
    const part::TensorPair tensors{.what = "output",
                                   .here = here.empty() ? part::no_operation : here.front(),
                                   .there = there.empty() ? part::no_operation : there.front()};
    shown.push_back({.pair = pair, .output = compare_tensors(parting, tensors)});
  }
  return shown;
}

namespace {

std::string tensor_lines(const Parting& parting, const part::TensorPair& pair) {
  const auto compared = compare_tensors(parting, pair);
  auto text = fmt::format("  {:<9} {}\n", shortened(pair.what), compared.words);
  if (!compared.here.empty())
    text += fmt::format("    here    {}\n    there   {}\n", compared.here, compared.there);
  return text;
}

std::string growth_lines(const Parting& parting, const part::Difference& difference) {
  if (difference.followers.empty()) return "";
  auto text = fmt::format("  {} from it:\n", followers_words(difference));
  for (const auto& one : growth(parting, difference)) {
    text += fmt::format("    {:<32} {}\n", operation_words(parting.here, parting.texts, one.pair.here),
                        one.output.words);
  }
  return text;
}

}  // namespace

std::vector<std::string> environment_differences(const Parting& parting) {
  std::vector<std::string> lines;
  for (const auto& cause : golden::causes(parting.here.fingerprint, parting.there.fingerprint, ""))
    lines.push_back(cause.text);
  return lines;
}

std::string difference_lines(const Parting& parting, const part::Difference& difference) {
  std::string text;
  if (!difference.here.empty() || !difference.there.empty()) {
    text += fmt::format("  here      {}\n  there     {}\n", place(parting, parting.here, difference.here),
                        place(parting, parting.there, difference.there));
  }
  for (const auto& pair : difference.tensors) text += tensor_lines(parting, pair);
  if (difference.kind == part::Kind::kernel) {
    for (const auto& line : environment_differences(parting)) text += fmt::format("  {}\n", shortened(line));
  }
  if (!difference.advice.empty()) text += fmt::format("  {}\n", difference.advice);
  return text + growth_lines(parting, difference);
}

}  // namespace torchbook::report
