// Restores modules and optimizers as a run of Python left them.
#pragma once

#include <ATen/core/ivalue.h>
#include <torchbook/notebook/carried.h>

namespace torch::nn {
class Module;
}

namespace torch::optim {
class Optimizer;
}

namespace torchbook {

/// What a run of Python left in a module: `nb.carried<torchbook::CarriedModule>("net").restore(*net);`.
class CarriedModule {
 public:
  explicit CarriedModule(c10::IValue state) : state_(std::move(state)) {}

  /// Gives a module the weights, buffers and gradients of Python's, and its mode: training or evaluation. The
  /// module has been constructed as Python's was. Throws std::runtime_error if names or sizes differ.
  void restore(torch::nn::Module& module) const;

 private:
  c10::IValue state_;
};

/// What a run of Python left in an optimizer: the learning rates, and the state of each parameter.
class CarriedOptimizer {
 public:
  explicit CarriedOptimizer(c10::IValue state) : state_(std::move(state)) {}

  /// Gives it to an optimizer of the same parameters: SGD, Adam or AdamW, also those of torchbook. Throws
  /// std::runtime_error if it has another number of groups or parameters, or another class.
  void restore(torch::optim::Optimizer& optimizer) const;

 private:
  c10::IValue state_;
};

namespace notebook::detail {

template <>
struct CarriedAs<CarriedModule> {
  static CarriedModule from(const c10::IValue& value) { return CarriedModule(value); }
};

template <>
struct CarriedAs<CarriedOptimizer> {
  static CarriedOptimizer from(const c10::IValue& value) { return CarriedOptimizer(value); }
};

}  // namespace notebook::detail

}  // namespace torchbook
