// Keeps the tensors that products and softmaxes read and give, whether or not a cell shows them.
#pragma once

#include <torchbook/notebook/transcript.h>

#include <memory>
#include <vector>

namespace torchbook {

class Notebook;

/// While it lives, it watches the operations that LibTorch does on this thread for the cells of a notebook.
/// It keeps what `matmul`, `dot`, `softmax` and their kin take and give, where that has 1 to 3 dimensions and
/// 2 to 1024 real numbers, of each cell the last eight. Of a view it keeps the whole tensor that is viewed.
/// It changes nothing that the notebook computes. There can be one at a time on a thread.
class Trace {
 public:
  explicit Trace(const Notebook& notebook);
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  /// What was kept so far: cell by cell, and there by what was shown before.
  std::vector<TracedTensor> tensors() const;

 private:
  struct Watch;
  std::unique_ptr<Watch> watch_;
};

}  // namespace torchbook
