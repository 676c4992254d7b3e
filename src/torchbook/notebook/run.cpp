// Runs a notebook's function; the first cell that throws ends the run.
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/GeneratorImpl.h>
#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>
#include <torchbook/notebook/notebook_run.h>
#include <torchbook/notebook/ported_notebook.h>
#include <torchbook/notebook/run_trace.h>
#include <torchbook/notebook/running_position.h>
#include <torchbook/notebook/temporary_file.h>
#include <torchbook/pyrepr/options.h>
#include <torchbook/pyrepr/suffixes.h>

#include <algorithm>
#include <exception>

namespace torchbook::notebook {
namespace {

/// The limits of a trace for pages: tensors of up to 1024 elements are stored whole, long trainings
/// are cut off.
constexpr RunTrace::Limits traced_for_pages = {.largest = 8 << 10, .most_of_a_part = 10'000};

void restore() {
  static const int threads = at::get_num_threads();  // while nothing has run; the rest has a fixed default
  pyrepr::set_print_options({});
  c10::set_default_dtype(caffe2::TypeMeta::Make<float>());
  c10::GradMode::set_enabled(true);
  auto& context = at::globalContext();
  context.setDeterministicAlgorithms(/*b=*/false, /*warn_only=*/false);
  context.setFloat32MatmulPrecision("highest");
  context.setFlushDenormal(false);
  if (at::get_num_threads() != threads) at::set_num_threads(threads);
  at::manual_seed(c10::default_rng_seed_val);
}

/// Resets print options, default dtype, grad mode, deterministic mode, precision of float32 products,
/// flushing of denormal numbers, number of threads, and the generator with its default seed. All are as in a
/// process that has run nothing, both when this object is made and when it is destroyed. run_twins.py does
/// the same for twins: it runs each in a process of its own.
struct FreshState {
  FreshState() { restore(); }
  ~FreshState() { restore(); }
  FreshState(const FreshState&) = delete;
  FreshState& operator=(const FreshState&) = delete;
};

/// Runs `body` and returns the message of the error that it threw, without a backtrace if possible.
template <class Body>
std::optional<std::string> error_of(const Body& body) {
  try {
    body();
    return std::nullopt;
  } catch (const NotebookRun::Finished&) {
    return std::nullopt;
  } catch (const c10::Error& error) {
    return error.what_without_backtrace();
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "something that is no std::exception";
  }
}

/// Adds the entries of the table that are not in the transcript because they did not run.
void add_rest(Transcript& transcript, std::span<const TableEntry> table,
              const std::optional<std::set<std::size_t>>& positions) {
  const auto is_note = [](const auto& item) { return std::holds_alternative<Note>(item); };
  const auto ran = transcript.items.size() - static_cast<std::size_t>(std::count_if(
                                                 transcript.items.begin(), transcript.items.end(), is_note));
  auto position = transcript.cells().size();
  for (const auto& entry : table.subspan(std::min(ran, table.size()))) {
    if (entry.restored) {
      transcript.items.emplace_back(restored_of(entry));
      continue;
    }
    auto cell = cell_of(entry, ++position);
    cell.selected = !positions || positions->contains(position);
    transcript.items.emplace_back(std::move(cell));
  }
}

Transcript named(const PortedNotebook& ported, Transcript transcript) {
  transcript.slug = ported.slug;
  transcript.document = ported.document;
  transcript.port_file = ported.port_file;
  return transcript;
}

}  // namespace

Transcript outline(const PortedNotebook& notebook) {
  Transcript transcript = named(notebook, {});
  add_rest(transcript, notebook.table, std::nullopt);
  return transcript;
}

Transcript run(const PortedNotebook& notebook, const std::optional<std::set<std::size_t>>& positions,
               RunTrace* trace) {
  const FreshState fresh;
  const pyrepr::PythonOperators operators;
  const std::string slug(notebook.slug);
  running_slug = slug.c_str();
  NotebookRun one(notebook.table, positions, trace, notebook.carried_file);
  const auto error = error_of([&] {
    notebook.define(one);
    one.finish();
  });
  const bool in_cell = error && one.fail(*error);
  Transcript transcript = named(notebook, one.transcript());
  if (error && !in_cell) transcript.outside = error;
  add_rest(transcript, notebook.table, positions);
  return transcript;
}

Transcript run_traced(const PortedNotebook& notebook, const std::string& library) {
  const TemporaryFile file;
  RunTrace trace(library, file.path(), traced_for_pages);
  Transcript transcript = run(notebook, std::nullopt, &trace);
  trace.finish();
  transcript.trace = file.bytes();
  return transcript;
}

}  // namespace torchbook::notebook
