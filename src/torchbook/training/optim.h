// Optimizers that run the same operations as Python's, where LibTorch's own do not.
#pragma once

#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torchbook/pyrepr/printer.h>

#include <concepts>
#include <memory>
#include <string>

namespace torchbook::optim {

/// Sets the state of a parameter in an optimizer.
void set_state(torch::optim::Optimizer& optimizer, const at::Tensor& parameter,
               std::unique_ptr<torch::optim::OptimizerParamState> state);

/// Returns Python's repr of an optimizer without a scheduler: its class, and the options of each group. An
/// option that is an int by default, as `weight_decay` of SGD, shows as one if it is 0. Throws
/// std::invalid_argument for classes other than SGD, Adam, AdamW, RMSprop and Adagrad.
std::string repr(const torch::optim::Optimizer& optimizer);

/// Adam with the operations of Python's `torch.optim.Adam`. Since PyTorch 2.1, Python updates the
/// mean of the gradients by one `lerp_`. LibTorch uses a product and a sum, so its last bits
/// differ. Options, state and errors are those of `torch::optim::Adam`.
class Adam : public torch::optim::Adam {
 public:
  using torch::optim::Adam::Adam;

  /// Changes each parameter that has a gradient. Returns the result of `closure`, if it is given: the loss.
  at::Tensor step(LossClosure closure = nullptr) override;
};

/// AdamW with the operations of Python's `torch.optim.AdamW`; see `Adam`.
class AdamW : public torch::optim::AdamW {
 public:
  using torch::optim::AdamW::AdamW;

  /// Changes each parameter that has a gradient. Returns the result of `closure`, if it is given: the loss.
  at::Tensor step(LossClosure closure = nullptr) override;
};

}  // namespace torchbook::optim

template <std::derived_from<torch::optim::Optimizer> T>
struct torchbook::pyrepr::Printer<T> {
  static std::string repr(const torch::optim::Optimizer& optimizer) {
    return torchbook::optim::repr(optimizer);
  }
};
