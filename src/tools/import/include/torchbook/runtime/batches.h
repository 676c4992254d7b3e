// Passes over loaders that Python's code holds in variables.
#pragma once

#include <ATen/core/Tensor.h>
#include <torchbook/training/data.h>

#include <iterator>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

namespace torchbook::data {

/// Returns the tensors of a batch as a list, because a batch is a list in Python.
template <class... Tensors>
std::vector<at::Tensor> list(const std::tuple<Tensors...>& batch) {
  return std::apply([](const auto&... each) { return std::vector<at::Tensor>{each...}; }, batch);
}

/// Python's `iter(loader)`: one pass over a loader. It keeps the loader alive.
template <class Loader>
class Pass {
 public:
  explicit Pass(Loader loader)
      : loader_(std::make_shared<const Loader>(std::move(loader))), at_(loader_->begin()) {}

  /// Python's `next(batches)`. Throws std::out_of_range after the last batch.
  auto next() {
    if (at_ == std::default_sentinel) throw std::out_of_range("there is no further batch");
    auto batch = *at_;
    ++at_;
    return batch;
  }

 private:
  std::shared_ptr<const Loader> loader_;
  typename Loader::Iterator at_;
};

}  // namespace torchbook::data
