// Optimizers that run the same operations as Python's, and whose state Python and C++ exchange.
#pragma once

#include <ATen/core/ivalue.h>
#include <torch/optim/adagrad.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/rmsprop.h>
#include <torch/optim/sgd.h>
#include <torchbook/pyrepr/printer.h>

#include <concepts>
#include <map>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace torchbook::optim::inline v1 {

namespace detail {

/// The numbers that Python's schedulers add to the groups of an optimizer's parameters, such as `initial_lr`.
class ScheduledGroups {
 public:
  virtual ~ScheduledGroups() = default;
  std::vector<std::map<std::string, double>> added{};  ///< for each group; empty before the first scheduler
};

}  // namespace detail

// Options are LibTorch's: Python's `foreach`, `fused`, `maximize`, `capturable` and `differentiable` are not
// there.

/// SGD. LibTorch's own runs the same operations as Python's.
class SGD : public torch::optim::SGD, public detail::ScheduledGroups {
 public:
  using torch::optim::SGD::SGD;
};

/// Adam with the operations of Python's `torch.optim.Adam`. Since PyTorch 2.1, Python updates the mean of the
/// gradients by one `lerp_`. LibTorch uses a product and a sum, so its last bits differ. Options, state and
/// errors are those of `torch::optim::Adam`.
class Adam : public torch::optim::Adam, public detail::ScheduledGroups {
 public:
  using torch::optim::Adam::Adam;

  /// Changes each parameter that has a gradient. Returns the result of `closure`, if it is given: the loss.
  /// Throws c10::Error, and changes nothing, if a gradient is sparse.
  at::Tensor step(LossClosure closure = nullptr) override;
};

/// AdamW with the operations of Python's `torch.optim.AdamW`; see `Adam`.
class AdamW : public torch::optim::AdamW, public detail::ScheduledGroups {
 public:
  using torch::optim::AdamW::AdamW;

  /// As `Adam::step`.
  at::Tensor step(LossClosure closure = nullptr) override;
};

/// RMSprop with the operations of Python's `torch.optim.RMSprop`; see `Adam`.
class RMSprop : public torch::optim::RMSprop, public detail::ScheduledGroups {
 public:
  using torch::optim::RMSprop::RMSprop;

  /// As `Adam::step`.
  at::Tensor step(LossClosure closure = nullptr) override;
};

/// Adagrad with the operations of Python's `torch.optim.Adagrad`. LibTorch's own treats a complex number as
/// one number, Python as two.
class Adagrad : public torch::optim::Adagrad, public detail::ScheduledGroups {
 public:
  using torch::optim::Adagrad::Adagrad;

  /// Changes each parameter that has a gradient, which may be sparse. Returns the result of `closure`.
  at::Tensor step(LossClosure closure = nullptr) override;
};

// The functions below take these classes and those of torch::optim that they are derived from. They throw
// std::invalid_argument for an optimizer of another class.

/// Returns the state of an optimizer as Python's `optimizer.state_dict()`, a dict that torchbook::save()
/// writes and Python's `optimizer.load_state_dict()` takes. Its tensors share the optimizer's memory.
c10::IValue state_dict(const torch::optim::Optimizer& optimizer);

/// Sets the state and the options of an optimizer to those that state_dict() or Python's
/// `optimizer.state_dict()` returned for one with as many parameters. Copies the tensors. Options that C++
/// does not have, such as `foreach`, must have their default values. Throws std::runtime_error, and changes
/// nothing, if the state does not fit.
void load_state_dict(torch::optim::Optimizer& optimizer, const c10::IValue& state);

/// Sets the state of one parameter to that of an item of Python's `optimizer.state_dict()["state"]`.
void set_state(torch::optim::Optimizer& optimizer, const at::Tensor& parameter, const c10::IValue& state);

/// Returns Python's repr of an optimizer: its class, and the options of each group. An option that is an int
/// by default, as `weight_decay` of SGD, shows as one if it is 0.
std::string repr(const torch::optim::Optimizer& optimizer);

/// Sets the gradients of an optimizer's parameters to zero, or to None, as Python's
/// `optimizer.zero_grad(set_to_none)` does. LibTorch 1.13 has no such argument.
void zero_grad(torch::optim::Optimizer& optimizer, bool set_to_none);

}  // namespace torchbook::optim::inline v1
#pragma GCC visibility pop

template <std::derived_from<torch::optim::Optimizer> T>
struct torchbook::pyrepr::Printer<T> {
  static std::string repr(const torch::optim::Optimizer& optimizer) {
    return torchbook::optim::repr(optimizer);
  }
};
