// Finds the differences of two traces that arise in a cell, or have an effect in it.
#include <fmt/format.h>
#include <tools/part/description.h>
#include <torchbook/notebook/lines.h>
#include <torchbook/notebook/transcript.h>
#include <torchbook/report/quoted.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace torchbook::trace_diff {
namespace {

constexpr std::size_t most_of_a_cell = 3;  // differences
constexpr std::size_t most_operations = 16;

std::vector<golden::TracedOperation> operations_of(const ComparedTraces& traces, const ReadTrace& trace,
                                                   const std::vector<std::uint32_t>& operations) {
  std::vector<golden::TracedOperation> all;
  const auto count = std::min(operations.size(), most_operations);
  all.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto& one = trace.operations[operations[i]];
    all.push_back({.number = operations[i] + std::size_t{1},
                   .name = traces.texts[one.name],
                   .line = traces.texts[one.line]});
  }
  return all;
}

/// The differences of a cell, by their indices.
struct Marked {
  std::set<std::size_t> arises{};   ///< those that begin there
  std::set<std::size_t> follows{};  ///< those that begin elsewhere, and have an effect there
};

/// Returns the differences by the number of the mark's text.
std::map<std::uint32_t, Marked> by_mark(const ComparedTraces& traces) {
  std::map<std::uint32_t, Marked> all;
  const auto note = [&](std::uint32_t mark, std::uint32_t number) {
    if (number == 0) return;
    const bool arises = traces.comparison.differences[number - 1].mark == mark;
    (arises ? all[mark].arises : all[mark].follows).insert(number - 1);
  };
  const auto note_all = [&](const ReadTrace& trace, const std::vector<std::uint32_t>& causes) {
    for (std::size_t i = 0; i < causes.size(); ++i) note(trace.operations[i].mark, causes[i]);
  };
  note_all(traces.here, traces.comparison.here);
  note_all(traces.there, traces.comparison.there);
  for (const auto& one : traces.comparison.shown) note(one.mark, one.difference);
  return all;
}

/// Makes the partings of a cell. `in_full` has the differences that an earlier cell describes in full.
class CellPartings {
 public:
  CellPartings(const ComparedTraces& traces, std::set<std::size_t>& in_full)
      : traces_(traces), in_full_(in_full) {}

  std::vector<golden::Parting> of(const Marked& marked, bool threw) && {
    add(marked.arises, "");
    add(marked.follows, "follows from ");
    if (!threw && partings_.empty()) add_text();
    return std::move(partings_);
  }

 private:
  void add(const std::set<std::size_t>& differences, std::string_view how) {
    std::size_t count = 0;
    for (const auto index : differences) {
      if (count++ < most_of_a_cell) add(index, how);
    }
    if (count > most_of_a_cell) {
      partings_.back().lines.push_back(fmt::format("and {} more", count - most_of_a_cell));
    }
  }

  golden::Parting& add(const Difference& difference) {
    return partings_.emplace_back(
        golden::Parting{.kind = kind_word(difference.kind),
                        .what = difference.what,
                        .advice = difference.advice,
                        .here = operations_of(traces_, traces_.here, difference.here),
                        .there = operations_of(traces_, traces_.there, difference.there)});
  }

  /// Adds a difference. If it arises elsewhere, `how` introduces the place.
  void add(std::size_t index, std::string_view how) {
    const auto& difference = traces_.comparison.differences[index];
    auto& parting = add(difference);
    auto heading = fmt::format("{}: {}", kind_words(difference.kind), report::shortened(difference.what));
    if (!how.empty()) {
      parting.from = traces_.texts[difference.mark];
      const auto known = traces_.places.find(parting.from);
      const auto name = known == traces_.places.end() ? "what ran before" : known->second.name;
      heading = fmt::format("{}{}: {}", how, name, heading);
    }
    parting.lines.push_back(std::move(heading));
    if (!in_full_.insert(index).second) return;
    const auto text = difference_lines(described(traces_, difference));
    for (const auto line : notebook::lines_of(text)) parting.lines.emplace_back(line);
  }

  void add_text() {
    std::string what = "all operations of the cell gave the same bits; only its text differs";
    if (!traces_.here.finished || !traces_.there.finished) {
      what = "no operation of the cell is known to differ, but a trace was cut off";
    }
    partings_.push_back({.kind = "text", .what = what, .lines = {what}});
  }

  const ComparedTraces& traces_;
  std::set<std::size_t>& in_full_;
  std::vector<golden::Parting> partings_{};
};

}  // namespace

CellsWithPartings partings_of(const ComparedTraces& traces, const std::map<std::size_t, bool>& cells) {
  std::map<std::string, Marked, std::less<>> by_mark;
  for (const auto& [mark, marked] : trace_diff::by_mark(traces)) by_mark[traces.texts[mark]] = marked;
  std::set<std::size_t> in_full;
  CellsWithPartings partings;
  for (const auto& [position, threw] : cells) {
    const auto found = by_mark.find(notebook::mark_of(position));
    const auto marked = found == by_mark.end() ? Marked{} : found->second;
    partings[position] = CellPartings(traces, in_full).of(marked, threw);
  }
  return partings;
}

}  // namespace torchbook::trace_diff
