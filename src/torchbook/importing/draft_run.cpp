// Parses the errors of a twin's cells, which begin with file and line: `nb.py:12: ValueError: …`.
#include <fmt/format.h>
#include <torchbook/importing/draft_run.h>
#include <torchbook/importing/jupyter_remarks.h>

#include <string>

namespace torchbook::importing {
namespace {

/// Returns why a cell has no port: `it raised ValueError`, or `it ended by signal 9`.
std::string why_it_failed(std::string_view error) {
  error.remove_prefix(error.find(": ") + 2);
  const auto name = error.substr(0, error.find(':'));
  const bool is_name = name.find(' ') == name.npos;
  return fmt::format("it {}{}", is_name ? "raised " : "", cited(name));
}

/// Returns whether a result is a plot object, whose text contains an address.
bool is_of_picture(const std::string& result) {
  return result.find("<matplotlib.") != result.npos || result.starts_with("<Figure size");
}

void take_cell(DraftCell& cell, golden::GoldenCell& golden, const golden::GoldenCell& run) {
  golden.out = run.out;
  golden.result = run.result;
  if (golden.result && is_of_picture(*golden.result)) {
    golden.result.reset();
    if (cell.exception.empty()) cell.exception = "picture";
  }
  if (cell.exception.starts_with("not ported: it raised")) {  // when its outputs were stored
    cell.exception.clear();
    cell.why = "it is not written yet";
    cell.raised_line = 0;
  }
  // It stored HTML beside its text, as of a data frame; the run tells the text.
  if (cell.exception.starts_with("picture: ") && run.result) cell.exception.clear();
  if (!cell.exception.empty()) return;
  if (run.error || !run.ran) {
    cell.why = run.error ? why_it_failed(*run.error) : "it did not run";
    cell.exception = "not ported: " + cell.why;
  } else {
    cell.exception = jupyter_exception(golden, cell.twin);
  }
}

}  // namespace

void take_run(Draft& draft, const golden::Golden& run, std::string_view torch) {
  for (std::size_t i = 0; i < draft.cells.size(); ++i) {
    const auto& cell = run.cells[i];
    draft.cells[i].shapes = cell.shapes;
    take_cell(draft.cells[i], draft.golden.cells[i], cell);
    if (cell.missing) {
      draft.remarks.push_back(
          {cell.position, cell.label, fmt::format("this Python does not have {}", cited(*cell.missing))});
    }
    if (cell.error) {
      draft.remarks.push_back({cell.position, cell.label, "its Python fails here: " + cited(*cell.error)});
    } else if (!cell.ran) {
      draft.remarks.push_back(
          {cell.position, cell.label, "it did not run, because a cell above ended Python"});
    }
  }
  sort_remarks(draft);
  draft.golden.document = fmt::format("{} ({} ran it)", draft.document, torch);
}

}  // namespace torchbook::importing
