// Lets objects observe which tensors are printed. Only notebooks use it, so it is no part of the interface.
#pragma once

#include <ATen/core/Tensor.h>

namespace torchbook::pyrepr::inline v1::detail {

/// Receives each tensor that repr, str or format prints on this thread during the observer's
/// lifetime. It does not receive tensors that are only part of another tensor's text, such as those
/// of a sparse tensor. If there are several observers, only the latest receives tensors.
class TensorObserver {
 public:
  TensorObserver();
  virtual ~TensorObserver();
  TensorObserver(const TensorObserver&) = delete;
  TensorObserver& operator=(const TensorObserver&) = delete;

  /// Called before the tensor is printed.
  virtual void on_text_of(const at::Tensor& tensor) = 0;

 private:
  TensorObserver* outer_;
};

/// Passes a tensor to the observer, if there is one. While this object lives, the observer receives no other
/// tensor.
class Observed {
 public:
  explicit Observed(const at::Tensor& tensor);

 private:
  /// Restores the observer, even if on_text_of() throws.
  struct Silence {
    TensorObserver* observer;
    explicit Silence(TensorObserver* silenced) : observer(silenced) {}
    Silence(const Silence&) = delete;
    Silence& operator=(const Silence&) = delete;
    ~Silence();
  };

  Silence silence_;
};

}  // namespace torchbook::pyrepr::inline v1::detail
