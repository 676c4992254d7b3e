// Restores modules and optimizers as a run of Python left them.
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

/// What a run of Python left in a module or an optimizer:
/// `nb.carried<torchbook::CarriedState>("net").restore(*net);`.
class CarriedState {
 public:
  explicit CarriedState(c10::IValue state) : state_(std::move(state)) {}

  /// Gives a module the weights, buffers and gradients of Python's, and its mode: training or evaluation. The
  /// module has been constructed as Python's was. Throws std::runtime_error if names or sizes differ.
  void restore(torch::nn::Module& module) const;

  /// Gives an optimizer of the same parameters the learning rates and the state of each parameter: SGD, Adam
  /// or AdamW, also those of torchbook. Throws std::runtime_error if it has another number of groups or
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
