// Records the operands and results of products and softmaxes, even if no cell shows them.
#pragma once

#include <torchbook/notebook/transcript.h>

#include <memory>
#include <vector>

namespace torchbook::notebook {

class Notebook;

/// Watches the operations that LibTorch runs on this thread for the cells of a notebook, while this object
/// lives.
///
/// It keeps the operands and results of `matmul`, `mm`, `bmm`, `mv`, `dot`, `linear` and `softmax` that have
/// 1 to 3 dimensions and 2 to 1024 real numbers. For each cell it keeps the sixteen that were used last. A
/// row of a matrix is kept as that matrix. A right operand that is the transpose of a tensor is kept as that
/// tensor.
///
/// It changes nothing that the notebook computes. A thread can have one at a time.
class Trace {
 public:
  explicit Trace(const Notebook& notebook);
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  /// Returns the tensors kept so far. They are sorted by cell; within a cell, by the number of tensors shown
  /// before, then by first use.
  std::vector<TracedTensor> tensors() const;

 private:
  struct Watch;
  std::unique_ptr<Watch> watch_;
};

}  // namespace torchbook::notebook
