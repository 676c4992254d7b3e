// Follows the table of a notebook's cells while its function runs.
#include <ATen/CPUGeneratorImpl.h>
#include <c10/util/Exception.h>
#include <fmt/format.h>
#include <torchbook/notebook/cells/axis.h>
#include <torchbook/notebook/notebook_run.h>
#include <torchbook/notebook/ported_notebook.h>
#include <torchbook/notebook/run_trace.h>
#include <torchbook/notebook/running_position.h>

#include <algorithm>
#include <span>
#include <sstream>
#include <stdexcept>

namespace torchbook::notebook {

NotebookRun::NotebookRun(std::span<const TableEntry> table, std::optional<std::set<std::size_t>> positions,
                         RunTrace* trace, std::string_view carried_file)
    : table_(table),
      positions_(std::move(positions)),
      trace_(trace),
      carried_(std::string(carried_file), table),
      recorder_(trace != nullptr) {}

NotebookRun::~NotebookRun() { running_position = 0; }

/// Returns the running cell. Throws std::logic_error with the text `otherwise` if there is none.
Cell& NotebookRun::running_cell(std::string_view otherwise) {
  auto* cell = running_ ? std::get_if<Cell>(&transcript_.items.back()) : nullptr;
  if (cell == nullptr) throw std::logic_error(std::string(otherwise));
  return *cell;
}

/// Names in the trace the tensors that the running cell has shown since the last call.
void NotebookRun::trace_shown() {
  const bool in_cell = running_ && std::holds_alternative<Cell>(transcript_.items.back());
  if (trace_ == nullptr || !in_cell) return;
  const auto& shown = recorder_.originals();
  for (; traced_ < shown.size(); ++traced_)
    trace_->shown(fmt::format("shown @{}.{}", position_, traced_ + 1), shown[traced_]);
}

/// Moves the recorded tensors to the cell that showed them, which has ended. Records how long it
/// ran.
void NotebookRun::close_cell() {
  trace_shown();
  traced_ = 0;
  auto tensors = recorder_.take();
  if (!running_) return;
  auto* cell = std::get_if<Cell>(&transcript_.items.back());
  if (cell == nullptr) return;
  cell->tensors = std::move(tensors);
  cell->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
}

/// Ends the running part. Throws Finished after the last selected cell.
void NotebookRun::end_part() {
  close_cell();
  running_ = false;
  running_position = 0;
  if (positions_ && positions_->upper_bound(position_) == positions_->end()) throw Finished{};
}

const TableEntry& NotebookRun::begin_part(bool restored, std::string_view label, std::string_view what) {
  end_part();
  const bool known = next_entry_ < table_.size() && table_[next_entry_].restored == restored &&
                     (restored || table_[next_entry_].label == label);
  if (!known) {
    throw std::logic_error(fmt::format(
        "{} begins here, but the build saw {}; a cell must be written out at the top level of the notebook",
        what,
        next_entry_ < table_.size() ? name_of(table_[next_entry_].restored, table_[next_entry_].label)
                                    : "no further cell"));
  }
  return table_[next_entry_++];
}

void NotebookRun::cell(std::string_view label) {
  const auto& entry = begin_part(false, label, name_of(false, label));
  ++position_;
  transcript_.items.emplace_back(cell_of(entry, position_));
  auto& cell = std::get<Cell>(transcript_.items.back());
  cell.selected = !positions_ || positions_->contains(position_);
  cell.ran = true;
  running_ = true;
  displayed_ = false;
  if (trace_ != nullptr) trace_->mark(mark_of(position_));
  running_position = position_;
  began_ = std::chrono::steady_clock::now();
}

void NotebookRun::restored(std::string_view why) {
  const auto& entry = begin_part(true, {}, name_of(true, {}));
  transcript_.items.emplace_back(restored_of(entry));
  std::get<Restored>(transcript_.items.back()).note = why;
  running_ = true;
  if (trace_ != nullptr) trace_->mark(mark_of_restored(position_ + 1));
}

void NotebookRun::note(std::string_view text) {
  end_part();
  transcript_.items.emplace_back(Note{std::string(text)});
}

void NotebookRun::write(const std::string& text) {
  running_cell("this is printed in no cell: " + text).out += text;
  trace_shown();
}

void NotebookRun::set_result(std::string repr) {
  auto& cell = running_cell("this is displayed in no cell: " + repr);
  if (displayed_) throw std::logic_error("a cell can display one value only; this is the second: " + repr);
  displayed_ = true;
  trace_shown();
  if (repr != "None") cell.result = std::move(repr);
}

void NotebookRun::note_error(const std::exception& thrown, std::string_view error) {
  const auto* const of_torch = dynamic_cast<const c10::Error*>(&thrown);
  std::istringstream words(of_torch == nullptr ? thrown.what() : of_torch->what_without_backtrace());
  std::string text;  // in one line, as record_twin.py has that of Python
  for (std::string word; words >> word;) text += (text.empty() ? "" : " ") + word;
  if (!error.empty() && text != error)
    throw std::runtime_error(fmt::format("C++ throws \"{}\", where Python raises \"{}\"", text, error));
  running_cell("this throws, in no cell").raises = true;
}

void NotebookRun::name_axis(const at::Tensor& tensor, std::int64_t dim,
                            std::span<const std::string_view> names, std::string_view file, int line) {
  const auto refuse = [&](const std::string& what) {
    throw std::runtime_error(fmt::format("{}:{}: {}", file.substr(file.rfind('/') + 1), line, what));
  };
  if (dim == of_words) {
    const bool are_ids = tensor.defined() && tensor.scalar_type() == at::kLong && tensor.is_contiguous();
    if (!are_ids) refuse("words are named by a contiguous tensor of int64");
    const std::span ids(tensor.data_ptr<std::int64_t>(), static_cast<std::size_t>(tensor.numel()));
    const auto count = static_cast<std::int64_t>(names.size());
    const auto wrong = std::ranges::find_if(ids, [&](std::int64_t id) { return id < 0 || id >= count; });
    if (wrong != ids.end()) refuse(fmt::format("the id {} has no word; there are {}", *wrong, count));
    if (trace_ != nullptr) trace_->shown("axis " + axis_text(dim, names), tensor);
    return;
  }
  const bool is_there = tensor.defined() && dim < tensor.dim();
  const auto entries = is_there ? tensor.size(dim) : 0;
  if (!is_there || entries != static_cast<std::int64_t>(names.size())) {
    const auto what = is_there ? fmt::format("has {} entries, but {} names", entries, names.size())
                               : fmt::format("does not exist; the tensor has {} dimensions", tensor.dim());
    refuse(fmt::format("dimension {} {}", dim, what));
  }
  if (trace_ != nullptr) trace_->shown("axis " + axis_text(dim, names), tensor);
}

void NotebookRun::not_ported(std::string_view why) {
  running_cell("this is not ported, in no cell: " + std::string(why)).not_ported = why;
}

c10::IValue NotebookRun::carried_value(std::string_view name) {
  running_cell("no cell carries " + std::string(name)).carried.emplace_back(name);
  return carried_.value(position_, name);
}

void NotebookRun::carried_generator() {
  running_cell("no cell carries the generator").carried.emplace_back("the generator");
  auto generator = at::detail::getDefaultCPUGenerator();
  const auto state = carried_.generator(position_);
  const std::scoped_lock lock(generator.mutex());
  generator.set_state(state);
}

void NotebookRun::finish() {
  end_part();
  if (next_entry_ == table_.size()) return;
  const auto& entry = table_[next_entry_];
  throw std::logic_error("the notebook returned before " + name_of(entry.restored, entry.label));
}

bool NotebookRun::fail(const std::string& error) {
  const bool ran = running_;
  close_cell();
  if (ran) {
    auto& item = transcript_.items.back();
    if (auto* cell = std::get_if<Cell>(&item)) cell->error = error;
    if (auto* state = std::get_if<Restored>(&item)) state->error = error;
  }
  running_ = false;
  return ran;
}

}  // namespace torchbook::notebook
