// Selects the items of a transcript that a report shows.
#include <torchbook/report/shown.h>

#include <algorithm>

namespace torchbook::report {
namespace {

bool threw(const Item& item) {
  const auto* cell = std::get_if<notebook::Cell>(&item);
  const auto* state = std::get_if<notebook::Restored>(&item);
  return (cell != nullptr && cell->error) || (state != nullptr && state->error);
}

}  // namespace

std::vector<const Item*> shown_items(const golden::JudgedTranscript& judged) {
  const auto cells = judged.transcript.cells();
  const bool whole =
      std::all_of(cells.begin(), cells.end(), [](const notebook::Cell* cell) { return cell->selected; });
  std::vector<const Item*> shown;
  for (const auto& item : judged.transcript.items) {
    const auto* cell = std::get_if<notebook::Cell>(&item);
    if (cell != nullptr ? judged.judgements.contains(cell->position) : whole) shown.push_back(&item);
    if (threw(item)) break;
  }
  return shown;
}

}  // namespace torchbook::report
