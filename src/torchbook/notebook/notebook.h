// Defines what a ported notebook is written with: cells, notes and Python's print.
#pragma once

#include <torchbook/notebook/carried.h>
#include <torchbook/notebook/cells/table.h>
#include <torchbook/notebook/f_string.h>
#include <torchbook/notebook/recorder.h>
#include <torchbook/notebook/transcript.h>
#include <torchbook/pyrepr/pyrepr.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace torchbook::trace {
class Trace;
}

namespace torchbook::notebook {

/// Returns the mark of a cell in a trace, `@7`: what follows it belongs to that cell.
std::string mark_of(std::size_t position);
/// Returns the mark of the state that is restored before a cell, `restored before @7`.
std::string mark_of_restored(std::size_t position);

/// Records what the cells of one notebook print and display, in the order in which they run. A notebook is a
/// function that takes one of these, `void slug(torchbook::Notebook& nb)`, and reads from top to bottom like
/// the original.
class Notebook {
 public:
  /// `table` is the build's table of the notebook's cells; it must outlive this object. With `positions`,
  /// only those cells are selected: cells before the last of them run silently, and the run ends behind it.
  ///
  /// With a trace that this thread records, marks each cell and restored state in it (mark_of()). Names each
  /// tensor that a cell prints or displays by the cell and its number there: `shown @7.1`.
  /// `carried_file` is the path of `<slug>.carried`, or empty.
  explicit Notebook(std::span<const TableEntry> table,
                    std::optional<std::set<std::size_t>> positions = std::nullopt,
                    trace::Trace* trace = nullptr, std::string_view carried_file = {});

  /// Ends what was before it and begins a cell of the document. `label` is the number in the document's
  /// `In [n]`, or `None` if it shows none; it is a string literal. Cells stand at the top level of the
  /// function. Throws std::logic_error if the table has another cell here.
  void cell(std::string_view label);

  /// Ends what was before it and begins state that the original kernel held and the document does not show.
  /// It has no position and shows nothing. `why` says what is restored and how that is known.
  void restored(std::string_view why);

  /// Ends what was before it. `text` explains what comes next, in one paragraph.
  void note(std::string_view text);

  /// Displays a value as Jupyter displays the last expression of a cell: as its repr, a long list, tuple, set
  /// or dict on several lines, and None not at all. Takes whatever pyrepr prints. Throws std::logic_error if
  /// the cell has displayed a value before.
  template <class T>
  void display(const T& value) {
    set_result(pyrepr::pretty(value));
  }

  /// Python's `print(a, b, …)`: the str of each value, a space between two, a newline at the end. The keyword
  /// arguments come last: `nb.print(a, b, torchbook::sep(", "), torchbook::end(""))`.
  template <class... T>
  void print(const T&... values) {
    static_assert((!std::is_same_v<T, pyrepr::file> && ...), "a cell prints to its output, and to no file");
    pyrepr::detail::require_keywords_last<T...>();
    std::vector<RecordedRange> of_f_strings;
    (note_range(of_f_strings, values), ...);
    recorder_.reorder(of_f_strings);
    pyrepr::detail::PrintedText printed;
    (printed.add(values), ...);
    write(printed.text());
  }

  /// Says that the running cell is not ported, and `why`, which is a string literal. It stands in a cell at
  /// most once. What else the cell prints and displays is recorded, and compared with nothing. Throws
  /// std::logic_error between cells.
  void not_ported(std::string_view why);

  /// Returns what a name held in Python behind the running cell, which is not ported: of `<slug>.carried`.
  /// Throws std::runtime_error if that file is missing, torn, or made by other Python.
  template <class T>
  T carried(std::string_view name) {
    note_carried(name);
    return detail::carried_as<T>(carried_.value(position_, name));
  }

  /// Gives the generator the state that it had in Python behind the running cell. Throws as carried() does.
  void carried_generator();

  /// Ends the run behind the last cell. Throws std::logic_error if cells of the table are left.
  void finish();

  /// Records that what is running now threw; nothing runs after it. Returns whether a cell or restored state
  /// was running.
  bool fail(const std::string& error);

  /// Returns what was recorded so far. Cells and restored state of the table that have not run yet are not in
  /// it.
  const Transcript& transcript() const { return transcript_; }

  /// Returns the cell that is running now; nullptr between cells.
  const Cell* running_cell() const;

  /// Returns how many tensors the running cell has printed or displayed so far.
  std::size_t tensors_shown() const { return recorder_.size(); }

  /// Is thrown by cell(), restored() and note() behind the last cell that was asked for.
  struct Finished {};

 private:
  template <class T>
  static void note_range(std::vector<RecordedRange>& ranges, const T& value) {
    if constexpr (std::is_same_v<T, FString>) ranges.push_back(value.tensors);
  }

  void note_carried(std::string_view name);
  void set_result(std::string repr);
  void write(const std::string& text);
  void trace_shown();
  void close_cell();
  void end_part();
  const TableEntry& begin_part(bool restored, std::string_view label, std::string_view what);

  std::span<const TableEntry> table_;
  std::optional<std::set<std::size_t>> positions_;
  trace::Trace* trace_;
  Carried carried_;
  Transcript transcript_{};
  Recorder recorder_;
  std::size_t next_entry_ = 0;  // of the table
  std::size_t position_ = 0;    // of the latest cell
  bool running_ = false;        // the last item of the transcript is a cell or restored state that runs
  std::size_t traced_ = 0;      // how many of the tensors of the running cell have a name in the trace
  bool displayed_ = false;      // by the running cell
  std::chrono::steady_clock::time_point began_{};  // when the latest cell began
};

}  // namespace torchbook::notebook

namespace torchbook {

// What a notebook is written with.
using notebook::f;
using notebook::Notebook;
using pyrepr::end;
using pyrepr::Parameter;
using pyrepr::return_type;
using pyrepr::round;
using pyrepr::sep;
using pyrepr::shape;
using pyrepr::Size;

}  // namespace torchbook
