// Keeps the tensors that products and softmaxes read and give, whether or not a cell shows them.
#pragma once

#include <torchbook/notebook/transcript.h>

#include <memory>
#include <vector>

namespace torchbook::notebook {

class Notebook;

/// While it lives, it watches the operations that LibTorch does on this thread for the cells of a notebook.
/// It keeps what `matmul`, `mm`, `bmm`, `mv`, `dot`, `linear` and `softmax` take and give, where that has 1
/// to 3 dimensions and 2 to 1024 real numbers: of each cell the sixteen that were used last. A row of a
/// matrix is kept as that matrix, and a right operand that is the transpose of a tensor as that tensor. It
/// changes nothing that the notebook computes. There can be one at a time on a thread.
class Trace {
 public:
  explicit Trace(const Notebook& notebook);
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  /// What was kept so far: cell by cell, there by what was shown before, and there by when it was used first.
  std::vector<TracedTensor> tensors() const;

 private:
  struct Watch;
  std::unique_ptr<Watch> watch_;
};

}  // namespace torchbook::notebook
