// Records, bit for bit, the tensors that are converted to text while a notebook runs.
#pragma once

#include <torchbook/notebook/recorded_tensor.h>
#include <torchbook/pyrepr/observer.h>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace torchbook::notebook {

/// Returns a copy of the tensor as it is now, or nullopt if it has no plain bits (undefined, sparse, nested,
/// quantized, meta).
std::optional<RecordedTensor> recorded(const at::Tensor& tensor);

/// The tensors that a text shows, as the recorder numbered them: from `begin` up to, not including, `end`.
struct RecordedRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// While it exists, records each tensor that is converted to text on this thread. For a port, it
/// records what Python's recorder records for the twin.
class TensorRecorder : public pyrepr::detail::TensorObserver {
 public:
  /// With `keeps_originals`, also keeps the tensors themselves, which may change.
  explicit TensorRecorder(bool keeps_originals = false);
  ~TensorRecorder() override;

  void on_text_of(const at::Tensor& tensor) override;

  /// Returns the tensors kept since the last call, in the order in which their texts were made.
  std::vector<RecordedTensor> take();

  /// Returns how many tensors were kept since the last call of take().
  std::size_t size() const { return tensors_.size(); }

  /// Returns the tensors themselves, in the order in which take() will return their copies.
  const std::vector<at::Tensor>& originals() const { return originals_; }

  /// Reorders the tensors recorded last in the order of these ranges. C++ may evaluate the
  /// arguments of a call in any order; Python evaluates them from left to right.
  void reorder(std::span<const RecordedRange> ranges);

  /// Returns the number that the next tensor gets on this thread; 0 if nothing records.
  static std::size_t next_number();

 private:
  bool keeps_originals_;
  std::vector<RecordedTensor> tensors_{};
  std::vector<at::Tensor> originals_{};
  std::size_t taken_ = 0;  // how many were taken before those
  TensorRecorder* outer_;
};

}  // namespace torchbook::notebook
