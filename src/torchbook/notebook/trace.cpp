// Watches LibTorch's operations through the callbacks of its profiler.
#include <ATen/core/Tensor.h>
#include <ATen/ops/as_strided.h>
#include <ATen/record_function.h>
#include <torchbook/notebook/notebook.h>
#include <torchbook/notebook/recorder.h>
#include <torchbook/notebook/trace.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <string_view>
#include <tuple>

namespace torchbook::notebook {
namespace {

constexpr std::int64_t largest_rank = 3;
constexpr std::int64_t most_elements = 1024;
constexpr std::size_t most_of_a_cell = 16;  // tensors; a loop may use any number of them

/// Returns whether an operation is watched. All of these take their operands first: two, or one for softmax.
bool is_watched(std::string_view operation) {
  static constexpr std::array<std::string_view, 7> watched = {
      "aten::matmul", "aten::mm", "aten::bmm", "aten::mv", "aten::dot", "aten::linear", "aten::softmax"};
  return std::find(watched.begin(), watched.end(), operation) != watched.end();
}

bool has_memory(const at::Tensor& tensor) {
  return tensor.defined() && tensor.layout() == at::kStrided && !tensor.is_nested() && !tensor.is_meta();
}

bool is_worth_keeping(const at::Tensor& tensor) {
  return tensor.dim() >= 1 && tensor.dim() <= largest_rank && tensor.numel() >= 2 &&
         tensor.numel() <= most_elements && !tensor.is_complex();
}

/// Returns how often a tensor's memory was written, as far as LibTorch counts it.
std::int64_t version_of(const at::Tensor& tensor) {
  return tensor.is_inference() ? 0 : static_cast<std::int64_t>(tensor._version());
}

/// The memory that a tensor shares with its views.
struct Memory {
  c10::weak_intrusive_ptr<c10::StorageImpl> storage;  // while it is held, no other storage has its address
  std::optional<std::int64_t> version{};              // its version when it was last written
  std::size_t position = 0;                           // position of the cell that last wrote it, or 0
  std::size_t shown_before = 0;
  at::ScalarType dtype{};  // of the matrix that fills it row by row, with these sizes
  std::int64_t rows = 0;
  std::int64_t columns = 0;
};

/// Returns the matrix of which a vector is a row, or the vector itself if it is not a row.
at::Tensor matrix_of_row(const at::Tensor& vector, const Memory& memory) {
  const bool is_row = vector.numel() == memory.columns && vector.stride(0) == 1 &&
                      vector.scalar_type() == memory.dtype && vector.storage_offset() % memory.columns == 0 &&
                      vector.storage_offset() / memory.columns < memory.rows;
  if (!is_row || memory.rows * memory.columns > most_elements) return vector;
  return at::as_strided(vector, {memory.rows, memory.columns}, {memory.columns, 1}, 0);
}

/// A tensor that was used, and the order of its first use.
struct Used {
  TracedTensor tensor;
  std::size_t order;
};

}  // namespace

struct Trace::Watch {
  enum class Role { left, right, result };

  const Notebook& notebook;
  at::CallbackHandle handle{};
  std::size_t inside = 0;  // the depth of nested operations; only the outermost counts
  std::map<const c10::StorageImpl*, Memory> memories{};
  std::size_t most_memories = 1024;                 // limit at which expired memories are removed
  std::map<std::size_t, std::deque<Used>> cells{};  // by position; the last used tensor is the last
  std::size_t used = 0;

  static thread_local Watch* current;
  static std::unique_ptr<at::ObserverContext> before(const at::RecordFunction& operation);
  static void after(const at::RecordFunction& operation, at::ObserverContext*);

  Memory& memory_of(const at::Tensor& tensor);
  void written(const at::Tensor& tensor);
  void keep(const at::Tensor& tensor, Role role);
  void keep(RecordedTensor tensor, const Memory& memory);
  void forget_what_is_gone();
};

thread_local Trace::Watch* Trace::Watch::current = nullptr;

// LibTorch passes callbacks to threads that it starts for an operation. These threads have no `current`.

std::unique_ptr<at::ObserverContext> Trace::Watch::before(const at::RecordFunction& operation) {
  if (current == nullptr || current->inside++ != 0 || !is_watched(operation.name())) return nullptr;
  const at::DisableRecordFunctionGuard not_our_own;
  const auto inputs = operation.inputs();
  if (inputs.size() > 0 && inputs[0].isTensor()) current->keep(inputs[0].toTensor(), Role::left);
  if (inputs.size() > 1 && inputs[1].isTensor()) current->keep(inputs[1].toTensor(), Role::right);
  return nullptr;
}

void Trace::Watch::after(const at::RecordFunction& operation, at::ObserverContext*) {
  if (current == nullptr || --current->inside != 0) return;
  const at::DisableRecordFunctionGuard not_our_own;
  for (const auto& output : operation.outputs()) {
    if (!output.isTensor()) continue;
    current->written(output.toTensor());
    if (is_watched(operation.name())) current->keep(output.toTensor(), Role::result);
  }
}

Memory& Trace::Watch::memory_of(const at::Tensor& tensor) {
  const auto& storage = tensor.storage();
  const auto* key = storage.unsafeGetStorageImpl();
  return memories.try_emplace(key, Memory{storage.getWeakStorageImpl()}).first->second;
}

void Trace::Watch::written(const at::Tensor& tensor) {
  if (!has_memory(tensor)) return;
  forget_what_is_gone();
  Memory& memory = memory_of(tensor);
  if (tensor.dim() == 2 && tensor.is_contiguous() && tensor.storage_offset() == 0) {
    memory.dtype = tensor.scalar_type();
    memory.rows = tensor.size(0);
    memory.columns = tensor.size(1);
  }
  const auto version = version_of(tensor);
  if (memory.version == version) return;
  const Cell* cell = notebook.running_cell();
  memory.version = version;
  memory.position = cell == nullptr ? 0 : cell->position;
  memory.shown_before = notebook.tensors_shown();
}

void Trace::Watch::keep(const at::Tensor& tensor, Role role) {
  const Cell* cell = notebook.running_cell();
  if (cell == nullptr || !has_memory(tensor) || !is_worth_keeping(tensor)) return;
  Memory& memory = memory_of(tensor);
  if (memory.position == 0) {
    memory.position = cell->position;
    memory.shown_before = notebook.tensors_shown();
  }
  at::Tensor kept = tensor.detach();
  if (kept.dim() == 1) {
    kept = matrix_of_row(kept, memory);
  } else if (role == Role::right && kept.stride(-2) < kept.stride(-1)) {  // its columns are rows in memory
    kept = kept.transpose(-2, -1);
  }
  if (auto copy = recorded(kept)) keep(std::move(*copy), memory);
}

void Trace::Watch::keep(RecordedTensor tensor, const Memory& memory) {
  auto& cell = cells[memory.position];
  const auto same =
      std::find_if(cell.begin(), cell.end(), [&](const Used& one) { return one.tensor.tensor == tensor; });
  if (same != cell.end()) {
    std::rotate(same, same + 1, cell.end());
    return;
  }
  cell.push_back(
      {{.tensor = std::move(tensor), .position = memory.position, .shown_before = memory.shown_before},
       ++used});
  if (cell.size() > most_of_a_cell) cell.pop_front();
}

void Trace::Watch::forget_what_is_gone() {
  if (memories.size() < most_memories) return;
  std::erase_if(memories, [](const auto& entry) { return entry.second.storage.expired(); });
  most_memories = std::max(most_memories, 2 * memories.size());
}

Trace::Trace(const Notebook& notebook) : watch_(new Watch{.notebook = notebook}) {
  Watch::current = watch_.get();
  watch_->handle = at::addThreadLocalCallback(at::RecordFunctionCallback(Watch::before, Watch::after)
                                                  .needsInputs(true)
                                                  .needsOutputs(true)
                                                  .scopes({at::RecordScope::FUNCTION}));
}

Trace::~Trace() {
  at::removeCallback(watch_->handle);
  Watch::current = nullptr;
}

std::vector<TracedTensor> Trace::tensors() const {
  std::vector<Used> all;
  for (const auto& [position, cell] : watch_->cells) all.insert(all.end(), cell.begin(), cell.end());
  std::sort(all.begin(), all.end(), [](const Used& a, const Used& b) {
    return std::tie(a.tensor.position, a.tensor.shown_before, a.order) <
           std::tie(b.tensor.position, b.tensor.shown_before, b.order);
  });
  std::vector<TracedTensor> tensors;
  tensors.reserve(all.size());
  for (auto& one : all) tensors.push_back(std::move(one.tensor));
  return tensors;
}

}  // namespace torchbook::notebook
