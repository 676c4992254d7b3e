// Layers that run the operations of Python's layers, if LibTorch's own run others.
#pragma once

#include <c10/util/Optional.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/pimpl.h>

#include <memory>

namespace torchbook::nn {

/// A linear layer with the operations of Python's `torch.nn.Linear`. For input of three dimensions and with a
/// bias, LibTorch's own runs a product and a sum, and Python one operation on a matrix. These have other last
/// bits and another grad_fn. Initial weights, options and text are those of `torch::nn::Linear`.
class LinearImpl : public torch::nn::LinearImpl {
 public:
  using torch::nn::LinearImpl::LinearImpl;

  /// Returns `input`, (*, in_features), times the weights, plus the bias if there is one: (*, out_features).
  /// Throws c10::Error if the sizes do not fit.
  at::Tensor forward(const at::Tensor& input) { return at::linear(input, weight, bias); }

  /// Returns a copy, with parameters of its own, on `device` if it is given.
  std::shared_ptr<torch::nn::Module> clone(
      const c10::optional<torch::Device>& device = c10::nullopt) const override {
    const auto copy = torch::nn::LinearImpl::clone(device);
    return std::shared_ptr<LinearImpl>(new LinearImpl(dynamic_cast<const torch::nn::LinearImpl&>(*copy)));
  }

 private:
  // Module is a virtual base in some releases of LibTorch only, so no initializer can name it.
  explicit LinearImpl(const torch::nn::LinearImpl& other) : torch::nn::LinearImpl(other) {
    torch::nn::Module::operator=(other);
  }
};
TORCH_MODULE(Linear);

}  // namespace torchbook::nn
