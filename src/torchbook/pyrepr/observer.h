// Sees the tensors that are printed.
#pragma once

#include <ATen/core/Tensor.h>

namespace torchbook::pyrepr {

/// While it lives, is told of each tensor whose text is made on this thread, by repr, str or format. A tensor
/// that is only a part of another one's text, as in a sparse tensor, is not told. Observers nest: the latest
/// is told.
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

/// Tells the observer of a tensor, if there is one, and of no further one while it lives.
class Observed {
 public:
  explicit Observed(const at::Tensor& tensor);

 private:
  /// Puts the observer back, also if what it is told makes it throw.
  struct Silence {
    TensorObserver* observer;
    explicit Silence(TensorObserver* silenced) : observer(silenced) {}
    Silence(const Silence&) = delete;
    Silence& operator=(const Silence&) = delete;
    ~Silence();
  };

  Silence silence_;
};

}  // namespace torchbook::pyrepr
