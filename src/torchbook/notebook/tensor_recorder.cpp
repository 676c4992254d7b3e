#include <ATen/record_function.h>
#include <torchbook/notebook/tensor_recorder.h>
#include <torchbook/pyrepr/dtype.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace torchbook::notebook {
namespace {

thread_local TensorRecorder* current = nullptr;

/// Puts the last `count` values in the order of the ranges. The first value has the number `first`.
template <class Value>
void put_in_order(std::vector<Value>& values, std::span<const RecordedRange> ranges, std::size_t first,
                  std::size_t count) {
  std::vector<Value> ordered;
  ordered.reserve(count);
  for (const auto& range : ranges) {
    for (auto number = range.begin; number < range.end; ++number) ordered.push_back(values[number - first]);
  }
  std::move(ordered.begin(), ordered.end(), values.end() - static_cast<std::ptrdiff_t>(count));
}

}  // namespace

std::optional<RecordedTensor> recorded(const at::Tensor& tensor) {
  if (!tensor.defined() || tensor.is_nested() || tensor.layout() != at::kStrided) return std::nullopt;
  if (tensor.is_quantized() || tensor.is_meta()) return std::nullopt;
  const at::Tensor plain = tensor.detach().cpu().resolve_conj().resolve_neg().contiguous();
  return RecordedTensor{.dtype = pyrepr::dtype_name(plain.scalar_type()),
                        .shape = plain.sizes().vec(),
                        .bytes = std::string(static_cast<const char*>(plain.data_ptr()), plain.nbytes())};
}

TensorRecorder::TensorRecorder(bool keeps_originals)
    : keeps_originals_(keeps_originals), outer_(std::exchange(current, this)) {}

TensorRecorder::~TensorRecorder() { current = outer_; }

void TensorRecorder::on_text_of(const at::Tensor& tensor) {
  const at::DisableRecordFunctionGuard not_traced;  // this is no operation of the program
  auto copy = recorded(tensor);
  if (!copy) return;
  tensors_.push_back(std::move(*copy));
  if (keeps_originals_) originals_.push_back(tensor);
}

std::vector<RecordedTensor> TensorRecorder::take() {
  taken_ += tensors_.size();
  originals_.clear();
  return std::exchange(tensors_, {});
}

std::size_t TensorRecorder::next_number() {
  return current == nullptr ? 0 : current->taken_ + current->tensors_.size();
}

void TensorRecorder::reorder(std::span<const RecordedRange> ranges) {
  std::size_t count = 0;
  for (const auto& range : ranges) count += range.end - range.begin;
  const auto end = taken_ + tensors_.size();
  const auto is_elsewhere = [&](const RecordedRange& range) {
    return range.begin < end - std::min(count, tensors_.size()) || range.end > end;
  };
  // An f-string that was made earlier, or is printed twice, keeps its place.
  if (count > tensors_.size() || std::any_of(ranges.begin(), ranges.end(), is_elsewhere)) return;
  put_in_order(tensors_, ranges, taken_, count);
  if (keeps_originals_) put_in_order(originals_, ranges, taken_, count);
}

}  // namespace torchbook::notebook
