// Sorts the differences of two traces by their marks.
#include <tools/part/marked.h>

#include <algorithm>
#include <span>

namespace torchbook::trace_diff {
namespace {

/// Returns the rows that can be judged. If a trace was cut off, leaves out the rows after the last
/// operation that both have: operations may be missing there only because of the cut.
std::span<const Row> known_rows(const ReadTrace& here, const ReadTrace& there,
                                const TraceComparison& comparison) {
  const std::span<const Row> rows(comparison.rows);
  if (here.finished && there.finished) return rows;
  const auto last = std::find_if(rows.rbegin(), rows.rend(), [](const Row& row) { return row.matched; });
  return rows.first(static_cast<std::size_t>(rows.rend() - last));
}

}  // namespace

std::uint32_t mark_of(const ReadTrace& here, const ReadTrace& there, const Difference& difference) {
  if (!difference.here.empty()) return here.operations[difference.here.front()].mark;
  if (!difference.there.empty()) return there.operations[difference.there.front()].mark;
  return 0;
}

std::map<std::uint32_t, Marked> by_mark(const ReadTrace& here, const ReadTrace& there,
                                        const TraceComparison& comparison) {
  std::map<std::uint32_t, Marked> marked;
  const auto note = [&](std::uint32_t mark, std::uint32_t number) {
    const auto index = number - 1;
    const bool arises = mark_of(here, there, comparison.differences[index]) == mark;
    (arises ? marked[mark].arises : marked[mark].follows).insert(index);
  };
  for (const auto& row : known_rows(here, there, comparison)) {
    if (row.difference == 0) continue;
    const bool ours = row.pair.here != no_operation;
    note(ours ? here.operations[row.pair.here].mark : there.operations[row.pair.there].mark, row.difference);
  }
  for (const auto& shown : comparison.shown) {
    if (shown.difference != 0) {
      note(shown.mark, shown.difference);
    } else if (marked[shown.mark].shown == nullptr) {
      marked[shown.mark].shown = &shown;
    }
  }
  return marked;
}

}  // namespace torchbook::trace_diff
