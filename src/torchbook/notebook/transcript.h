// What one run of a notebook produced: its cells with their output, and what is between them.
#pragma once

#include <torchbook/notebook/cells/table.h>
#include <torchbook/notebook/recorded_tensor.h>

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace torchbook::notebook {

/// A cell of the document, as the port ran it.
struct Cell {
  std::size_t position = 0;           ///< 1, 2, 3 … in document order
  std::string label;                  ///< the number in `In [n]`, or `None`
  std::string source;                 ///< its C++ text, as it is in the file, without the common indent
  std::string twin;                   ///< its PyTorch counterpart, empty if it has none
  std::size_t line = 0;               ///< its first line in the port's file
  std::size_t source_line = 0;        ///< the first line of `source` in the port's file; 0 if it is not known
  std::string out;                    ///< what it printed, byte for byte
  std::optional<std::string> result;  ///< what it displays, without a last newline
  std::vector<RecordedTensor> tensors;      ///< the tensors that it printed or displayed, in that order
  std::optional<std::string> error;         ///< what it threw; the cells after it did not run
  bool raises = false;                      ///< it threw, and says that Python raises, too
  std::optional<std::string> not_ported{};  ///< why the cell is not ported; nullopt if it is
  std::vector<std::string> carried{};       ///< what Python gave instead, by name; `the generator` is one
  bool selected = true;                     ///< asked for; a cell that is not runs silently
  bool ran = false;                         ///< it ran to its end, or threw
  double seconds = 0;                       ///< how long it ran, as a clock on the wall measures it

  /// Returns whether the cell printed or displayed anything.
  bool has_output() const { return !out.empty() || result.has_value(); }
};

/// An explanation between cells: one paragraph.
struct Note {
  std::string text;
};

/// State that the original kernel held and the document does not show.
struct Restored {
  std::string note;             ///< what is restored, and how it is known
  std::string source;           ///< the C++ text that restores it
  std::string twin;             ///< its PyTorch counterpart, empty if it has none
  std::size_t line = 0;         ///< its first line in the port's file
  std::size_t source_line = 0;  ///< the first line of `source` in the port's file; 0 if it is not known
  std::optional<std::string> error;
};

/// Returns a cell of the table that has not run, with its position.
Cell cell_of(const TableEntry& entry, std::size_t position);

/// Returns a restored state of the table that has not run.
Restored restored_of(const TableEntry& entry);

/// Returns the mark of a cell in a trace, `@7`: what follows it belongs to that cell.
std::string mark_of(std::size_t position);
/// Returns the mark of the state that is restored before a cell, `restored before @7`.
std::string mark_of_restored(std::size_t position);

/// A whole run, in document order. It has every cell of the notebook, whether or not it ran.
struct Transcript {
  std::string slug;         ///< the notebook's name
  std::string document;     ///< the file that holds the original
  std::string port_file{};  ///< the name of the port's file
  std::vector<std::variant<Cell, Note, Restored>> items;
  std::string trace{};                   ///< the trace file of the run; empty if it was not traced
  std::optional<std::string> outside{};  ///< what was thrown outside of cells and restored state

  /// Returns every cell, selected or not. The pointers are valid as long as this transcript, so the
  /// overload for temporaries is deleted.
  std::vector<const Cell*> cells() const&;
  std::vector<const Cell*> cells() const&& = delete;
  std::optional<std::string> error() const;  ///< the first thing thrown: file, line, cell and what it says
};

}  // namespace torchbook::notebook
