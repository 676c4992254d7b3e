// Sorts the differences of two traces by their marks.
#include <torchbook/part/marked.h>

namespace torchbook::part {

std::uint32_t mark_of(const Trace& here, const Trace& there, const Difference& difference) {
  if (!difference.here.empty()) return here.operations[difference.here.front()].mark;
  if (!difference.there.empty()) return there.operations[difference.there.front()].mark;
  return 0;
}

std::map<std::uint32_t, Marked> by_mark(const Trace& here, const Trace& there, const Verdict& verdict) {
  std::map<std::uint32_t, Marked> marked;
  const auto note = [&](std::uint32_t mark, std::uint32_t number) {
    const auto index = number - 1;
    const bool arises = mark_of(here, there, verdict.differences[index]) == mark;
    (arises ? marked[mark].arises : marked[mark].follows).insert(index);
  };
  for (const auto& row : verdict.rows) {
    if (row.difference == 0) continue;
    const bool ours = row.pair.here != no_operation;
    note(ours ? here.operations[row.pair.here].mark : there.operations[row.pair.there].mark, row.difference);
  }
  for (const auto& shown : verdict.shown) {
    if (shown.difference != 0) {
      note(shown.mark, shown.difference);
    } else if (marked[shown.mark].shown == nullptr) {
      marked[shown.mark].shown = &shown;
    }
  }
  return marked;
}

}  // namespace torchbook::part
