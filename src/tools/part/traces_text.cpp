// Writes the comparison of two traces as text.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/part/description.h>
#include <tools/part/roles.h>
#include <tools/part/value_words.h>
#include <torchbook/report/quoted.h>
#include <torchbook/report/terminal/terminal.h>
#include <torchbook/report/terminal/text.h>
#include <torchbook/report/words.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace torchbook::trace_diff {
namespace {

constexpr std::size_t most_others = 10;
constexpr const char* bold = "1";

/// Returns the names of all kernels that return other bits: `tanh in 3 calls and exp in 1 call`.
std::string kernels_text(const ComparedTraces& traces) {
  std::map<std::string_view, std::size_t> calls;
  for (const auto& one : traces.comparison.differences) {
    if (one.kind == Kind::kernel)
      calls[traces.texts[traces.here.operations[one.here.front()].name]] += one.count;
  }
  if (calls.size() < 2) return "";
  std::vector<std::string> words;
  words.reserve(calls.size());
  for (const auto& [name, count] : calls)
    words.push_back(
        fmt::format("{} in {}", report::pictured(plain_name(name)), report::counted(count, "call")));
  return fmt::format("\nKernels that give other bits of the same input: {}.\n", fmt::join(words, ", "));
}

std::string more_like_it(const Difference& difference) {
  return difference.count == 1 ? "" : fmt::format(", and {} more like it", difference.count - 1);
}

std::string whole(const ComparedTraces& traces, const Difference& difference, bool colour) {
  const auto words = described(traces, difference);
  return fmt::format("\n{}: {}{}\n", report::coloured(words.kind, bold, colour),
                     report::shortened(words.what), more_like_it(difference)) +
         difference_lines(words);
}

std::string line(const ComparedTraces& traces, const Difference& difference) {
  const auto& there = difference.there;
  const bool ours = !difference.here.empty();
  const auto where = ours            ? ", " + place(traces, traces.here, difference.here)
                     : there.empty() ? ""
                                     : ", " + place(traces, traces.there, there);
  return fmt::format("  {}: {}{}{}\n", kind_words(difference.kind), report::shortened(difference.what), where,
                     more_like_it(difference));
}

/// Returns lines for the differences that are not the first of their kind.
std::string other_lines(const ComparedTraces& traces) {
  const auto& all = traces.comparison.differences;
  std::string text;
  std::size_t count = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_first_of_kind(traces.comparison, i) && ++count <= most_others) text += line(traces, all[i]);
  }
  if (count > most_others) text += fmt::format("  and {} more\n", count - most_others);
  return count == 0 ? "" : "\nMore that does not follow from these:\n" + text;
}

/// Returns one line for all operations that changed no bit of the rest.
std::string without_effect_line(const ComparedTraces& traces) {
  std::vector<std::string> sides;
  const auto add = [&](const ReadTrace& trace, std::vector<std::uint32_t> Difference::*side,
                       const char* where) {
    std::size_t count = 0;
    const std::vector<std::uint32_t>* first = nullptr;
    for (const auto& one : traces.comparison.without_effect) {
      count += (one.*side).size();
      if (first == nullptr && !(one.*side).empty()) first = &(one.*side);
    }
    if (first == nullptr) return;
    const auto name = names_of(trace, traces.texts, {first->front()});
    sides.push_back(fmt::format("{} only {}, first {} ({})", report::counted(count, "operation"), where,
                                report::shortened(name), place(traces, trace, {first->front()})));
  };
  add(traces.here, &Difference::here, "here");
  add(traces.there, &Difference::there, "there");
  return sides.empty() ? "" : fmt::format("\nWithout effect on the rest: {}.\n", fmt::join(sides, "; "));
}

}  // namespace

std::string traces_text(const ComparedTraces& traces, bool colour) {
  const auto& comparison = traces.comparison;
  auto text = fmt::format("here  {}: {}\nthere {}: {}\n", traces.here_name, trace_words(traces.here),
                          traces.there_name, trace_words(traces.there));
  if (comparison.differences.empty()) {
    text += fmt::format("\n{}: {}.\n", nothing_differs(traces), bits_words(comparison));
  } else {
    text += kernels_text(traces);
    for (std::size_t i = 0; i < comparison.differences.size(); ++i) {
      if (is_first_of_kind(comparison, i)) text += whole(traces, comparison.differences[i], colour);
    }
    text += other_lines(traces) + fmt::format("\n{}.\n", bits_words(comparison));
  }
  text += without_effect_line(traces);
  if (comparison.in_part != 0)
    text += fmt::format(
        "\nOf {}, the traces hold only the beginning, which --above compared; the rest cannot be judged. "
        "Record with a larger `largest`.\n",
        report::counted(comparison.in_part, "comparison"));
  const auto cut = cut_lines(traces);
  return cut.empty() ? text : text + fmt::format("\n{}\n", fmt::join(cut, "\n"));
}

}  // namespace torchbook::trace_diff
