// Copies the bits of tensors.
#include <torchbook/notebook/recorder.h>
#include <torchbook/pyrepr/dtype.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace torchbook::notebook {
namespace {

thread_local Recorder* current = nullptr;

}  // namespace

std::optional<RecordedTensor> recorded(const at::Tensor& tensor) {
  if (!tensor.defined() || tensor.is_nested() || tensor.layout() != at::kStrided) return std::nullopt;
  if (tensor.is_quantized() || tensor.is_meta()) return std::nullopt;
  const at::Tensor plain = tensor.detach().cpu().resolve_conj().resolve_neg().contiguous();
  return RecordedTensor{.dtype = pyrepr::dtype_name(plain.scalar_type()),
                        .shape = plain.sizes().vec(),
                        .bytes = std::string(static_cast<const char*>(plain.data_ptr()), plain.nbytes())};
}

Recorder::Recorder() : outer_(std::exchange(current, this)) {}

Recorder::~Recorder() { current = outer_; }

void Recorder::on_text_of(const at::Tensor& tensor) {
  if (auto copy = recorded(tensor)) tensors_.push_back(std::move(*copy));
}

std::vector<RecordedTensor> Recorder::take() {
  taken_ += tensors_.size();
  return std::exchange(tensors_, {});
}

std::size_t Recorder::next_number() {
  return current == nullptr ? 0 : current->taken_ + current->tensors_.size();
}

void Recorder::reorder(std::span<const RecordedRange> ranges) {
  std::size_t count = 0;
  for (const auto& range : ranges) count += range.end - range.begin;
  const auto end = taken_ + tensors_.size();
  const auto is_elsewhere = [&](const RecordedRange& range) {
    return range.begin < end - std::min(count, tensors_.size()) || range.end > end;
  };
  // An f-string that was made earlier, or is printed twice, keeps its place.
  if (count > tensors_.size() || std::any_of(ranges.begin(), ranges.end(), is_elsewhere)) return;
  std::vector<RecordedTensor> ordered;
  ordered.reserve(count);
  for (const auto& range : ranges) {
    for (auto number = range.begin; number < range.end; ++number)
      ordered.push_back(tensors_[number - taken_]);
  }
  std::move(ordered.begin(), ordered.end(), tensors_.end() - static_cast<std::ptrdiff_t>(count));
}

}  // namespace torchbook::notebook
