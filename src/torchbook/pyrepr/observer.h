// Lets objects observe which tensors are printed.
#pragma once

#include <ATen/core/Tensor.h>

namespace torchbook::pyrepr::inline v1 {

/// While it lives, receives each tensor whose text is made on this thread, by repr, str or format. It does
/// not receive a tensor that is only a part of another one's text, as in a sparse tensor. If there are
/// several observers, only the latest receives tensors.
class TensorObserver {
 public:
  TensorObserver();
  virtual ~TensorObserver();
  TensorObserver(const TensorObserver&) = delete;
  TensorObserver& operator=(const TensorObserver&) = delete;

  /// Is called before the text is made.
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
  /// Restores the observer, even if it throws.
  struct Silence {
    TensorObserver* observer;
    explicit Silence(TensorObserver* silenced) : observer(silenced) {}
    Silence(const Silence&) = delete;
    Silence& operator=(const Silence&) = delete;
    ~Silence();
  };

  Silence silence_;
};

}  // namespace torchbook::pyrepr::inline v1
