// The comparison of two traces as text.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/part/describe.h>
#include <torchbook/report/details.h>
#include <torchbook/report/quoted.h>
#include <torchbook/report/terminal/parting.h>
#include <torchbook/report/terminal/text.h>
#include <torchbook/report/words.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace torchbook::report {
namespace {

constexpr std::size_t most_others = 10;
constexpr const char* bold = "1";

std::string side_line(const char* side, const part::Trace& trace, const std::string& name) {
  return fmt::format("{:<6}{}: {}, {}{}\n", side, name, counted(trace.operations.size(), "operation"),
                     fingerprint_line(trace.fingerprint), trace.finished ? "" : "; it was cut off");
}

std::string whole(const Parting& parting, const part::Difference& difference, bool colour) {
  return fmt::format("\n{}: {}\n", coloured(kind_words(difference.kind), bold, colour),
                     shortened(difference.what)) +
         difference_lines(parting, difference);
}

std::string line(const Parting& parting, const part::Difference& difference, std::size_t more) {
  const auto& there = difference.there;
  const bool ours = !difference.here.empty();
  return fmt::format(
      "  {}: {}, {}{}\n", kind_words(difference.kind), shortened(difference.what),
      ours ? place(parting, parting.here, difference.here) : place(parting, parting.there, there),
      more == 0 ? "" : fmt::format(", and {} more like it", more));
}

/// Returns a line for each difference that is not the first of its kind. Those that have the same words share
/// a line.
std::string other_lines(const Parting& parting) {
  const auto& all = parting.verdict.differences;
  std::vector<std::pair<const part::Difference*, std::size_t>>
      lines;  // the first one, and how many are like it
  std::map<std::pair<part::Kind, std::string_view>, std::size_t> known;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (is_first_of_kind(parting.verdict, i)) continue;
    const auto [line, is_new] = known.try_emplace({all[i].kind, all[i].what}, lines.size());
    if (is_new) {
      lines.emplace_back(&all[i], 0);
    } else {
      ++lines[line->second].second;
    }
  }
  if (lines.empty()) return "";
  std::string text = "\nMore that does not follow from these:\n";
  for (std::size_t i = 0; i < std::min(lines.size(), most_others); ++i)
    text += line(parting, *lines[i].first, lines[i].second);
  if (lines.size() > most_others) text += fmt::format("  and {} more\n", lines.size() - most_others);
  return text;
}

std::string without_effect_lines(const Parting& parting) {
  const auto& all = parting.verdict.without_effect;
  if (all.empty()) return "";
  std::string text = "\nWithout effect on the rest:\n";
  for (std::size_t i = 0; i < std::min(all.size(), most_others); ++i) {
    const auto& one = all[i];
    const auto words = [&](const part::Trace& trace, const auto& operations) {
      return operations.empty()
                 ? ""
                 : fmt::format("{}, {}", shortened(part::names_of(trace, parting.texts, operations)),
                               place(parting, trace, operations));
    };
    if (!one.here.empty()) text += fmt::format("  only here: {}\n", words(parting.here, one.here));
    if (!one.there.empty()) text += fmt::format("  only there: {}\n", words(parting.there, one.there));
  }
  if (all.size() > most_others) text += fmt::format("  and {} more\n", all.size() - most_others);
  return text;
}

}  // namespace

std::string parting_text(const Parting& parting, bool colour) {
  const auto& verdict = parting.verdict;
  auto text = side_line("here", parting.here, parting.here_name) +
              side_line("there", parting.there, parting.there_name);
  const auto cut = cut_lines(parting);
  const auto end = cut.empty() ? "" : fmt::format("\n{}\n", fmt::join(cut, "\n"));
  if (verdict.differences.empty()) {
    text += fmt::format("\nNothing differs{}: {} gave the same bits.\n",
                        cut.empty() ? "" : " as far as both traces go", counted(verdict.pairs, "operation"));
    return text + without_effect_lines(parting) + end;
  }
  for (std::size_t i = 0; i < verdict.differences.size(); ++i) {
    if (is_first_of_kind(verdict, i)) text += whole(parting, verdict.differences[i], colour);
  }
  text += other_lines(parting);
  text +=
      fmt::format("\n{} of {} gave other bits.\n", verdict.differing, counted(verdict.pairs, "operation"));
  return text + without_effect_lines(parting) + end;
}

}  // namespace torchbook::report
