// Finds notebooks by slug and cells by label or position.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/selection.h>

#include <algorithm>
#include <charconv>

namespace torchbook::cli {
namespace {

std::size_t position_of(std::string_view number, const notebook::Transcript& outline) {
  const std::size_t count = outline.cells().size();
  std::size_t position = 0;
  const auto end = std::from_chars(number.data(), number.data() + number.size(), position);
  const bool whole = end.ec == std::errc{} && end.ptr == number.data() + number.size();
  if (!whole || position < 1 || position > count) {
    throw UsageError(fmt::format("--cell @{}: {} has the positions @1 to @{}", number, outline.slug, count));
  }
  return position;
}

std::size_t position_of_label(const std::string& label, const notebook::Transcript& outline) {
  std::vector<std::size_t> positions;
  for (const notebook::Cell* cell : outline.cells()) {
    if (cell->label == label) positions.push_back(cell->position);
  }
  if (positions.empty()) {
    throw UsageError(
        fmt::format("--cell {}: {} has no cell In [{}] (its --list shows them)", label, outline.slug, label));
  }
  if (positions.size() > 1) {
    throw UsageError(fmt::format("--cell {}: {} has {} cells In [{}]; say which: @{}", label, outline.slug,
                                 positions.size(), label, fmt::join(positions, ", @")));
  }
  return positions[0];
}

}  // namespace

std::vector<notebook::PortedNotebook> selected_notebooks(const std::vector<std::string>& slugs) {
  const auto linked = notebook::linked_notebooks();
  std::vector<std::string_view> known;
  for (const auto& notebook : linked) known.push_back(notebook.slug);
  for (const auto& slug : slugs) {
    if (std::find(known.begin(), known.end(), slug) == known.end()) {
      throw UsageError(fmt::format("no notebook is named {}; there are {}", slug, fmt::join(known, ", ")));
    }
  }
  std::vector<notebook::PortedNotebook> notebooks;
  for (const auto& notebook : linked) {
    if (slugs.empty() || std::find(slugs.begin(), slugs.end(), notebook.slug) != slugs.end()) {
      notebooks.push_back(notebook);
    }
  }
  return notebooks;
}

std::optional<std::set<std::size_t>> selected_cells(const std::vector<std::string>& cells,
                                                    const notebook::Transcript& outline) {
  if (cells.empty()) return std::nullopt;
  std::set<std::size_t> positions;
  for (const auto& cell : cells) {
    positions.insert(cell.starts_with('@') ? position_of(std::string_view(cell).substr(1), outline)
                                           : position_of_label(cell, outline));
  }
  return positions;
}

}  // namespace torchbook::cli
