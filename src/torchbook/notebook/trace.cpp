// Watches LibTorch's operations by the callbacks that its profiler uses.
#include <ATen/core/Tensor.h>
#include <ATen/ops/as_strided.h>
#include <ATen/record_function.h>
#include <torchbook/notebook/notebook.h>
#include <torchbook/notebook/recording.h>
#include <torchbook/notebook/trace.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <string_view>

namespace torchbook {
namespace {

constexpr std::int64_t largest_rank = 3;
constexpr std::int64_t most_elements = 1024;
constexpr std::size_t most_of_a_cell = 8;  // a loop may make any number

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

/// How often a tensor's memory was written to, as far as LibTorch counts that.
std::int64_t version_of(const at::Tensor& tensor) {
  return tensor.is_inference() ? 0 : static_cast<std::int64_t>(tensor._version());
}

/// What is known of the memory that tensors share with their views.
struct Memory {
  c10::weak_intrusive_ptr<c10::StorageImpl> storage;  // while it is held, no other has the same address
  at::ScalarType dtype{};                             // of the tensor that it was made for, and so on
  std::vector<std::int64_t> sizes{}, strides{};
  std::int64_t offset = 0;
  std::int64_t elements = 0;
  std::optional<std::int64_t> version{};  // at the last writing
  std::size_t position = 0;               // of the cell that wrote it last; 0 for none
  std::size_t shown = 0;
  std::optional<std::int64_t> kept{};  // the version that is among the tensors
};

/// The tensor whose view this one is; itself where that one is too large.
at::Tensor whole(const at::Tensor& tensor, const Memory& memory) {
  at::Tensor plain = tensor.detach();
  if (plain.scalar_type() != memory.dtype || memory.sizes.empty()) return plain;
  at::Tensor all = at::as_strided(plain, memory.sizes, memory.strides, memory.offset);
  return is_worth_keeping(all) ? all : plain;
}

}  // namespace

struct Trace::Watch {
  const Notebook& notebook;
  at::CallbackHandle handle{};
  std::size_t inside = 0;  // how many operations are at work, each for the one before; only the first counts
  std::map<const c10::StorageImpl*, Memory> memories{};
  std::size_t most_memories = 1024;                           // before those that are gone are forgotten
  std::map<std::size_t, std::deque<TracedTensor>> tensors{};  // by position

  static thread_local Watch* current;
  static std::unique_ptr<at::ObserverContext> before(const at::RecordFunction& operation);
  static void after(const at::RecordFunction& operation, at::ObserverContext*);

  Memory& memory_of(const at::Tensor& tensor);
  void written(const at::Tensor& tensor);
  void keep(const at::Tensor& tensor, bool given);
  void forget_what_is_gone();
};

thread_local Trace::Watch* Trace::Watch::current = nullptr;

// LibTorch hands callbacks on to threads that it starts for an operation; those have no `current`.

std::unique_ptr<at::ObserverContext> Trace::Watch::before(const at::RecordFunction& operation) {
  if (current == nullptr || current->inside++ != 0 || !is_watched(operation.name())) return nullptr;
  const at::DisableRecordFunctionGuard not_our_own;
  for (const auto& input : operation.inputs()) {
    if (input.isTensor()) current->keep(input.toTensor(), false);
  }
  return nullptr;
}

void Trace::Watch::after(const at::RecordFunction& operation, at::ObserverContext*) {
  if (current == nullptr || --current->inside != 0) return;
  const at::DisableRecordFunctionGuard not_our_own;
  for (const auto& output : operation.outputs()) {
    if (!output.isTensor()) continue;
    current->written(output.toTensor());
    if (is_watched(operation.name())) current->keep(output.toTensor(), true);
  }
}

/// A view is seen after the tensor that it views, and has no more elements.
Memory& Trace::Watch::memory_of(const at::Tensor& tensor) {
  const auto& storage = tensor.storage();
  auto& memory = memories.try_emplace(storage.unsafeGetStorageImpl(), Memory{storage.getWeakStorageImpl()})
                     .first->second;
  if (tensor.numel() > memory.elements && tensor.is_non_overlapping_and_dense()) {
    memory.dtype = tensor.scalar_type();
    memory.sizes = tensor.sizes().vec();
    memory.strides = tensor.strides().vec();
    memory.offset = tensor.storage_offset();
    memory.elements = tensor.numel();
  }
  return memory;
}

void Trace::Watch::written(const at::Tensor& tensor) {
  if (!has_memory(tensor)) return;
  forget_what_is_gone();
  Memory& memory = memory_of(tensor);
  const auto version = version_of(tensor);
  if (memory.version == version) return;
  const Cell* cell = notebook.running_cell();
  memory.version = version;
  memory.position = cell == nullptr ? 0 : cell->position;
  memory.shown = cell == nullptr ? 0 : cell->tensors.size();
}

void Trace::Watch::keep(const at::Tensor& tensor, bool given) {
  const Cell* cell = notebook.running_cell();
  if (cell == nullptr || !has_memory(tensor) || !is_worth_keeping(tensor)) return;
  Memory& memory = memory_of(tensor);
  const auto version = version_of(tensor);
  if (memory.kept == version) return;
  memory.kept = version;
  if (memory.position == 0) {
    memory.position = cell->position;
    memory.shown = cell->tensors.size();
  }
  std::vector<RecordedTensor> records;
  record(records, whole(tensor, memory));
  auto& kept = tensors[memory.position];
  for (auto& one : records) {
    kept.push_back(
        {.tensor = std::move(one), .position = memory.position, .shown = memory.shown, .given = given});
  }
  while (kept.size() > most_of_a_cell) kept.pop_front();
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
  std::vector<TracedTensor> all;
  for (const auto& [position, kept] : watch_->tensors) all.insert(all.end(), kept.begin(), kept.end());
  std::stable_sort(all.begin(), all.end(), [](const TracedTensor& a, const TracedTensor& b) {
    return std::tie(a.position, a.shown) < std::tie(b.position, b.shown);
  });
  return all;
}

}  // namespace torchbook
