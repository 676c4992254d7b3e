// Formats drafts for people.
#include <fmt/format.h>
#include <torchbook/cli/commands/import/import_report.h>
#include <torchbook/report/quoted.h>
#include <torchbook/report/words.h>

#include <algorithm>
#include <cstddef>

namespace torchbook::cli {

std::string counts(const golden::Golden& golden) {
  return fmt::format("{}, {} with output", report::counted(golden.cells.size(), "cell"),
                     golden::output_count(golden));
}

std::string remarks_text(const importing::Draft& draft) {
  constexpr std::size_t most_of_text = 3;  // a course has a picture between any two cells
  const auto is_of_text = [](const importing::Remark& remark) { return remark.label.empty(); };
  const auto& remarks = draft.remarks;
  const auto of_text = static_cast<std::size_t>(std::count_if(remarks.begin(), remarks.end(), is_of_text));
  std::string text;
  for (const auto& remark : remarks) {
    if (is_of_text(remark) && of_text > most_of_text) continue;
    const auto place = is_of_text(remark) ? fmt::format("after @{}", remark.position)
                                          : fmt::format("@{} In [{}]", remark.position, remark.label);
    text += fmt::format("  {}: {}\n", place, report::pictured(remark.what, report::Breaks::pictured));
  }
  if (of_text > most_of_text)
    text += fmt::format("  between the cells: {} pictures and blocks of code in the text\n", of_text);
  return text.empty() ? text : "not taken, or taken in another form:\n" + text;
}

std::string no_outputs(const importing::Draft& draft, bool ran) {
  if (ran) return fmt::format("{} shows nothing when it runs", draft.document);
  return fmt::format("{} stores no outputs; --run takes those that PyTorch gives for its Python here",
                     draft.document);
}

std::string changes_text(const importing::Updated& updated) {
  auto text = fmt::format("{} kept, {} new, {} removed\n", report::counted(updated.kept, "cell"),
                          updated.added, updated.removed);
  for (const auto& change : updated.changes) text += fmt::format("  {}\n", change);
  return text;
}

}  // namespace torchbook::cli
