// Makes the table of a notebook's cells from the texts of port and twin. This happens during the build.
#pragma once

#include <torchbook/notebook/cells/port.h>
#include <torchbook/notebook/cells/twin.h>

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace torchbook::notebook {

/// A cell of a notebook, or a restored state of it. The build embeds the texts in the program, so
/// the views are always valid.
struct TableEntry {
  bool restored = false;
  std::string_view label{};  ///< the number in the document's `In [n]`, or `None`; empty for a restored state
  std::string_view source{};    ///< its C++ text, without the common indent
  std::size_t line = 0;         ///< its first line in the port's file, from 1
  std::size_t source_line = 0;  ///< the first line of `source` in the port's file, from 1
  std::string_view twin{};      ///< its PyTorch counterpart; empty if the notebook has no twin
  std::size_t twin_line = 0;    ///< the first line of `twin` in the twin's file, from 1; 0 without a twin
};

/// Returns the labels of the cells of a table or a twin, which must outlive them.
template <class Entries>
std::vector<std::string_view> labels_of(const Entries& entries) {
  std::vector<std::string_view> labels;
  for (const auto& entry : entries) {
    if (!entry.restored) labels.push_back(entry.label);
  }
  return labels;
}

/// Throws TextError, with the twin's line, unless the twin has the table's cells in the table's order. `port`
/// is the name of the port's file, for the message.
void require_same_cells(std::span<const TableEntry> table, const std::vector<TwinCell>& twin,
                        std::string_view port);

/// Returns the table of a port with its twin; both must outlive it. An empty `twin` means that there is no
/// twin. Otherwise throws as require_same_cells() does, also if they name other axes.
std::vector<TableEntry> table_of(const std::vector<PortCell>& port, const std::vector<TwinCell>& twin,
                                 std::string_view port_file);

/// Returns the name of an entry for messages: `In [7]`, or `restored state`.
std::string name_of(bool restored, std::string_view label);

}  // namespace torchbook::notebook
