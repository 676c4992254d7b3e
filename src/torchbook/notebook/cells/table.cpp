// Puts port and twin side by side.
#include <absl/strings/str_cat.h>
#include <torchbook/notebook/cells/table.h>

#include <algorithm>

namespace torchbook::notebook {
namespace {

std::string place_of(std::string_view file, std::size_t line) {
  return std::string(file) + ':' + std::to_string(line);
}

/// Returns how to begin a restored state on the side that lacks it.
std::string hint(bool in_port, bool in_twin) {
  if (in_port == in_twin) return {};
  return in_port ? "; a line '# %% [restored] …' begins one in a twin" : "; nb.restored begins one in a port";
}

/// Throws TextError, with the twin's line, unless both name the same axes in the same order.
void require_same_axes(const PortCell& port, const TwinCell& twin, std::string_view port_file) {
  for (std::size_t i = 0; i < std::max(port.axes.size(), twin.axes.size()); ++i) {
    const auto* ours = i < port.axes.size() ? &port.axes[i] : nullptr;
    const auto* theirs = i < twin.axes.size() ? &twin.axes[i] : nullptr;
    if (ours != nullptr && theirs != nullptr && ours->comment() == theirs->comment()) continue;
    const auto in_port = ours == nullptr ? "no axis" : absl::StrCat("'", ours->comment(), "'");
    const auto in_twin = theirs == nullptr ? "no axis" : absl::StrCat("'", theirs->comment(), "'");
    throw TextError(
        theirs != nullptr ? theirs->line : twin.line - 1,
        absl::StrCat(name_of(twin.restored, twin.label), " has ", in_twin, ", where the port has ", in_port,
                     " (", place_of(port_file, ours != nullptr ? ours->line : port.line), ")"));
  }
}

}  // namespace

std::string name_of(bool restored, std::string_view label) {
  return restored ? "restored state" : "In [" + std::string(label) + "]";
}

void require_same_cells(std::span<const TableEntry> table, const std::vector<TwinCell>& twin,
                        std::string_view port) {
  for (std::size_t i = 0; i < std::min(table.size(), twin.size()); ++i) {
    const auto& entry = table[i];
    if (entry.restored == twin[i].restored && entry.label == twin[i].label) continue;
    throw TextError(twin[i].line - 1, "here is " + name_of(twin[i].restored, twin[i].label) +
                                          ", where the port has " + name_of(entry.restored, entry.label) +
                                          " (" + place_of(port, entry.line) + ")" +
                                          hint(entry.restored, twin[i].restored));
  }
  if (twin.size() > table.size()) {
    const auto& extra = twin[table.size()];
    throw TextError(extra.line - 1, "here is " + name_of(extra.restored, extra.label) +
                                        ", but the port has no further cell (" + std::string(port) + ")");
  }
  if (twin.size() < table.size()) {
    const auto& missing = table[twin.size()];
    throw TextError(0, "it ends before " + name_of(missing.restored, missing.label) +
                           ", which the port has (" + place_of(port, missing.line) + ")");
  }
}

std::vector<TableEntry> table_of(const std::vector<PortCell>& port, const std::vector<TwinCell>& twin,
                                 std::string_view port_file) {
  std::vector<TableEntry> table;
  table.reserve(port.size());
  for (const auto& cell : port) {
    table.push_back({.restored = cell.restored,
                     .label = cell.label,
                     .source = cell.source,
                     .line = cell.line,
                     .source_line = cell.source_line});
  }
  if (twin.empty()) return table;
  require_same_cells(table, twin, port_file);
  for (std::size_t i = 0; i < table.size(); ++i) {
    require_same_axes(port[i], twin[i], port_file);
    table[i].twin = twin[i].source;
    table[i].twin_line = twin[i].line;
  }
  return table;
}

}  // namespace torchbook::notebook
