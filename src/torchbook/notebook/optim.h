// Optimizers that run the operations of Python's optimizers, if LibTorch's own run others.
#pragma once

#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>

namespace torchbook::optim {

/// Adam with the operations of Python's `torch.optim.Adam`. From PyTorch 2.1 on, that takes the mean of the
/// gradients by one `lerp_`, and LibTorch's own by a product and a sum; so the last bits differ. Options,
/// state and errors are those of `torch::optim::Adam`.
class Adam : public torch::optim::Adam {
 public:
  using torch::optim::Adam::Adam;

  /// Changes each parameter that has a gradient. Returns what `closure` returned, if it is given: the loss.
  at::Tensor step(LossClosure closure = nullptr) override;
};

/// AdamW with the operations of Python's `torch.optim.AdamW`; see `Adam`.
class AdamW : public torch::optim::AdamW {
 public:
  using torch::optim::AdamW::AdamW;

  /// Changes each parameter that has a gradient. Returns what `closure` returned, if it is given: the loss.
  at::Tensor step(LossClosure closure = nullptr) override;
};

}  // namespace torchbook::optim
