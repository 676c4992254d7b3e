// Runs cells in order and records them; the first one that throws ends the run.
#include <c10/util/Exception.h>
#include <torchbook/notebook/notebook.h>
#include <torchbook/notebook/ported_notebook.h>
#include <torchbook/notebook/source.h>
#include <torchbook/notebook/trace.h>
#include <torchbook/notebook/twin.h>

#include <exception>
#include <stdexcept>

namespace torchbook::notebook {
namespace {

/// Runs `body`; gives what it threw, in one line where the exception can say it so.
template <class Body>
std::optional<std::string> error_of(const Body& body) {
  try {
    body();
    return std::nullopt;
  } catch (const c10::Error& error) {
    return error.what_without_backtrace();
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "something that is no std::exception";
  }
}

}  // namespace

std::vector<const Cell*> Transcript::cells() const {
  std::vector<const Cell*> cells;
  for (const auto& item : items) {
    if (const auto* cell = std::get_if<Cell>(&item)) cells.push_back(cell);
  }
  return cells;
}

std::optional<std::string> Transcript::error() const {
  for (const auto& item : items) {
    if (const auto* cell = std::get_if<Cell>(&item); cell && cell->error) {
      return fmt::format("cell In [{}] (@{}) threw: {}", cell->label, cell->position, *cell->error);
    }
    if (const auto* state = std::get_if<Restored>(&item); state && state->error) {
      return fmt::format("the restored state threw: {}", *state->error);
    }
  }
  return std::nullopt;
}

Notebook::Notebook(std::string_view source, Plan plan) : source_(source), plan_(std::move(plan)) {}

bool Notebook::wanted(std::size_t position) const {
  return !plan_.positions || plan_.positions->contains(position);
}

/// Whether what stands after the current position still has to run: a wanted cell is yet to come.
bool Notebook::running() const {
  if (!plan_.execute || failed_) return false;
  return !plan_.positions || plan_.positions->upper_bound(position_) != plan_.positions->end();
}

void Notebook::note(std::string_view text) { transcript_.items.emplace_back(Note{std::string(text)}); }

void Notebook::write(std::string_view text) {
  if (cell_ == nullptr) throw std::logic_error("print outside a cell: " + std::string(text));
  cell_->out.append(text).push_back('\n');
}

void Notebook::run_cell(std::string_view label, std::size_t line, const Display& body) {
  const bool runs = running();
  Cell cell;
  cell.position = ++position_;
  cell.label = label;
  cell.source = call_body(source_, line);
  cell.selected = wanted(cell.position);
  if (runs) {
    cell_ = &cell;
    cell.error = error_of([&] { cell.result = body(); });
    cell_ = nullptr;
    failed_ = cell.error.has_value();
  }
  transcript_.items.emplace_back(std::move(cell));
}

void Notebook::run_restored(std::string_view note, std::size_t line, const std::function<void()>& body) {
  Restored state{
      .note = std::string(note), .source = call_body(source_, line), .twin = {}, .error = std::nullopt};
  if (running()) {
    state.error = error_of(body);
    failed_ = state.error.has_value();
  }
  transcript_.items.emplace_back(std::move(state));
}

namespace {

Transcript record(const PortedNotebook& ported, Notebook::Plan plan, bool traced) {
  Notebook notebook(ported.source, std::move(plan));
  std::optional<Trace> trace;
  if (traced) trace.emplace(notebook);
  ported.define(notebook);
  Transcript transcript = notebook.transcript();
  if (trace) transcript.traced = trace->tensors();
  transcript.slug = ported.slug;
  transcript.document = ported.document;
  attach_twin(transcript, ported.twin);
  return transcript;
}

}  // namespace

Transcript outline(const PortedNotebook& notebook) { return record(notebook, {.execute = false}, false); }

Transcript run(const PortedNotebook& notebook, std::optional<std::set<std::size_t>> positions) {
  return record(notebook, {.execute = true, .positions = std::move(positions)}, false);
}

Transcript run_traced(const PortedNotebook& notebook) { return record(notebook, {}, true); }

}  // namespace torchbook::notebook
