// Defines the run of a notebook: it follows the table of the cells, and records what they show.
#pragma once

#include <torchbook/notebook/notebook.h>
#include <torchbook/notebook/transcript.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace torchbook::notebook {

class RunTrace;

/// A run of a notebook.
class NotebookRun : public Notebook {
 public:
  /// `table` is the build's table of the notebook's cells; it must outlive this object. With `positions`,
  /// only those cells are selected: cells before the last of them run silently, and the run ends after it.
  ///
  /// With a trace that this thread records, marks each cell and restored state in it (mark_of()). Names each
  /// tensor that a cell prints or displays by the cell and its number there: `shown @7.1`. A tensor with a
  /// named axis is shown as `axis 0: Your, journey`.
  /// `carried_file` is the path of `<slug>.carried`, or empty.
  explicit NotebookRun(std::span<const TableEntry> table,
                       std::optional<std::set<std::size_t>> positions = std::nullopt,
                       RunTrace* trace = nullptr, std::string_view carried_file = {});
  ~NotebookRun() override;

  void cell(std::string_view label) override;
  void restored(std::string_view why) override;
  void note(std::string_view text) override;
  void not_ported(std::string_view why) override;
  void carried_generator() override;

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
  void reorder(const std::vector<RecordedRange>& of_f_strings) override { recorder_.reorder(of_f_strings); }
  void write(const std::string& text) override;
  void set_result(std::string repr) override;
  void note_error(const std::exception& thrown, std::string_view error) override;
  void name_axis(const at::Tensor& tensor, std::int64_t dim, std::span<const std::string_view> names,
                 std::string_view file, int line) override;
  c10::IValue carried_value(std::string_view name) override;
  Cell& running_cell(std::string_view otherwise);
  void trace_shown();
  void close_cell();
  void end_part();
  const TableEntry& begin_part(bool restored, std::string_view label, std::string_view what);

  std::span<const TableEntry> table_;
  std::optional<std::set<std::size_t>> positions_;
  RunTrace* trace_;
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
