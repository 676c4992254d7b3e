// Restores the state that modules and optimizers had in a run of Python.
#pragma once

#include <ATen/core/ivalue.h>
#include <torchbook/notebook/carried.h>

#include <utility>

namespace torch::nn {
class Module;
}

namespace torch::optim {
class Optimizer;
}

namespace torchbook {

/// The state of a module or an optimizer in a run of Python:
/// `nb.carried<torchbook::CarriedState>("net").restore(*net);`.
class CarriedState {
 public:
  explicit CarriedState(c10::IValue state) : state_(std::move(state)) {}

  /// Restores the weights, buffers, gradients and mode (training or evaluation) of a module that was
  /// constructed as in Python. Throws std::runtime_error if names or sizes differ.
  void restore(torch::nn::Module& module) const;

  /// Restores the learning rates and the state of each parameter of an SGD, Adam or AdamW, also of
  /// torchbook's, for the same parameters. Throws std::runtime_error if it has another number of groups or
  /// parameters, or another class.
  void restore(torch::optim::Optimizer& optimizer) const;

 private:
  c10::IValue state_;
};

template <>
struct notebook::detail::CarriedAs<CarriedState> {
  static CarriedState from(const c10::IValue& value) { return CarriedState(value); }
};

}  // namespace torchbook
