// Defines the run of a notebook: it follows the table of the cells, and records what they show.
#pragma once

#include <torchbook/notebook/carried.h>
#include <torchbook/notebook/cells/table.h>
#include <torchbook/notebook/tensor_recorder.h>
#include <torchbook/notebook/transcript.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace torchbook::trace {
class Trace;
}

namespace torchbook::notebook {

/// Returns the mark of a cell in a trace, `@7`: what follows it belongs to that cell.
std::string mark_of(std::size_t position);
/// Returns the mark of the state that is restored before a cell, `restored before @7`.
std::string mark_of_restored(std::size_t position);

/// Returns the position of the cell that is running in this program, or 0 if none is. A signal
/// handler may call it.
std::size_t running_position();

/// A run of a notebook. The notebook's function accesses it through a Notebook, which documents the
/// functions that both classes have.
class NotebookRun {
 public:
  /// `table` is the build's table of the notebook's cells; it must outlive this object. With `positions`,
  /// only those cells are selected: cells before the last of them run silently, and the run ends after it.
  ///
  /// With a trace that this thread records, marks each cell and restored state in it (mark_of()). Names each
  /// tensor that a cell prints or displays by the cell and its number there: `shown @7.1`.
  /// `carried_file` is the path of `<slug>.carried`, or empty.
  explicit NotebookRun(std::span<const TableEntry> table,
                       std::optional<std::set<std::size_t>> positions = std::nullopt,
                       trace::Trace* trace = nullptr, std::string_view carried_file = {});
  ~NotebookRun();
  NotebookRun(const NotebookRun&) = delete;
  NotebookRun& operator=(const NotebookRun&) = delete;

  void cell(std::string_view label);
  void restored(std::string_view why);
  void note(std::string_view text);
  void not_ported(std::string_view why);
  c10::IValue carried(std::string_view name);
  void carried_generator();

  /// Adds a text to what the running cell printed. Throws std::logic_error between cells.
  void write(const std::string& text);
  /// Records the value that the running cell displays. Throws std::logic_error between cells, or if
  /// the cell has already displayed a value.
  void set_result(std::string repr);
  TensorRecorder& recorder() { return recorder_; }

  /// Ends the run after the last cell. Throws std::logic_error if cells of the table are left.
  void finish();

  /// Records that what is running now threw; nothing runs after it. Returns whether a cell or restored state
  /// was running.
  bool fail(const std::string& error);

  /// Returns what was recorded so far. Cells and restored state of the table that have not run yet are not in
  /// it.
  const Transcript& transcript() const { return transcript_; }

  /// Thrown by cell(), restored(), note() and finish() after the last selected cell.
  struct Finished {};

 private:
  Cell& running_cell(std::string_view otherwise);
  void trace_shown();
  void close_cell();
  void end_part();
  const TableEntry& begin_part(bool restored, std::string_view label, std::string_view what);

  std::span<const TableEntry> table_;
  std::optional<std::set<std::size_t>> positions_;
  trace::Trace* trace_;
  Carried carried_;
  Transcript transcript_{};
  TensorRecorder recorder_;
  std::size_t next_entry_ = 0;  // of the table
  std::size_t position_ = 0;    // of the latest cell
  bool running_ = false;        // the last item of the transcript is a cell or restored state that runs
  std::size_t traced_ = 0;      // how many of the tensors of the running cell have a name in the trace
  bool displayed_ = false;      // by the running cell
  std::chrono::steady_clock::time_point began_{};  // when the latest cell began
};

}  // namespace torchbook::notebook
