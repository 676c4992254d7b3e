// The cells of a transcript, and what they threw.
#include <fmt/format.h>
#include <torchbook/notebook/transcript.h>

namespace torchbook::notebook {

Cell cell_of(const TableEntry& entry, std::size_t position) {
  Cell cell;
  cell.position = position;
  cell.label = entry.label;
  cell.source = entry.source;
  cell.twin = entry.twin;
  cell.line = entry.line;
  cell.source_line = entry.source_line;
  return cell;
}

Restored restored_of(const TableEntry& entry) {
  Restored state;
  state.source = entry.source;
  state.twin = entry.twin;
  state.line = entry.line;
  state.source_line = entry.source_line;
  return state;
}

std::string mark_of(std::size_t position) { return fmt::format("@{}", position); }
std::string mark_of_restored(std::size_t position) { return fmt::format("restored before @{}", position); }

std::vector<const Cell*> Transcript::cells() const& {
  std::vector<const Cell*> cells;
  for (const auto& item : items) {
    if (const auto* cell = std::get_if<Cell>(&item)) cells.push_back(cell);
  }
  return cells;
}

std::optional<std::string> Transcript::error() const {
  for (const auto& item : items) {
    if (const auto* cell = std::get_if<Cell>(&item); cell && cell->error) {
      return fmt::format("{}:{}: cell In [{}] (@{}) threw: {}", port_file, cell->line, cell->label,
                         cell->position, *cell->error);
    }
    if (const auto* state = std::get_if<Restored>(&item); state && state->error) {
      return fmt::format("{}:{}: the restored state threw: {}", port_file, state->line, *state->error);
    }
  }
  if (outside) return fmt::format("{}: outside of cells: {}", port_file, *outside);
  return std::nullopt;
}

}  // namespace torchbook::notebook
