// Layers that run the same operations as Python's layers, where LibTorch's own do not.
#pragma once

#include <ATen/ATen.h>
#include <c10/util/Optional.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/options/upsampling.h>
#include <torch/nn/pimpl.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#pragma GCC visibility push(default)
namespace torchbook::nn::inline v1 {

/// A linear layer with the operations of Python's `torch.nn.Linear`. For three-dimensional input
/// and a bias, LibTorch's own runs a product and a sum; Python runs a single operation on a matrix.
/// The last bits and grad_fn differ. Initial weights, options and text are those of
/// `torch::nn::Linear`.
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

/// A Sequential that can be nested in another one. LibTorch's own cannot, because its forward is a
/// template.
class SequentialImpl : public torch::nn::SequentialImpl {
 public:
  using torch::nn::SequentialImpl::SequentialImpl;

  /// Passes `input` through the modules in order and returns the result.
  at::Tensor forward(const at::Tensor& input) { return torch::nn::SequentialImpl::forward(input); }

  /// Returns a copy, with modules of its own, on `device` if it is given.
  std::shared_ptr<torch::nn::Module> clone(
      const c10::optional<torch::Device>& device = c10::nullopt) const override {
    const auto base =
        std::dynamic_pointer_cast<torch::nn::SequentialImpl>(torch::nn::SequentialImpl::clone(device));
    auto copy = std::make_shared<SequentialImpl>();
    copy->take(*base);
    return copy;
  }

  /// Appends the modules of another Sequential, with their names.
  void take(const torch::nn::SequentialImpl& other) {
    const auto names = other.named_children().keys();
    std::size_t at = 0;
    for (const auto& module : other) push_back(names.at(at++), module);
  }
};
TORCH_MODULE(Sequential);

/// Python's `x.norm()` and `x.norm(p)`: the norm of all elements. LibTorch's own has another grad_fn.
at::Tensor norm(const at::Tensor& x, const at::Scalar& p = 2);

/// Python's `x.norm(dim=dims)` and `x.norm(p, dims, keepdim)`. Without `p`, it is the Frobenius norm; without
/// dimensions, that of all elements.
at::Tensor norm(const at::Tensor& x, const std::optional<at::Scalar>& p, at::IntArrayRef dims,
                bool keepdim = false);

/// Python's `F.interpolate(x, …)`. LibTorch's own computes the scale of each side differently.
/// `options.recompute_scale_factor` and the mode `area` are not taken. Throws c10::Error if the mode does not
/// fit.
at::Tensor interpolate(const at::Tensor& x, const torch::nn::functional::InterpolateFuncOptions& options);

/// Scales gradients so that their norm is at most `max_norm`, with the operations of Python's
/// `torch.nn.utils.clip_grad_norm_`. LibTorch's own divides by another operation. Returns the norm before
/// scaling. Throws c10::Error, and scales nothing, if `error_if_nonfinite` is set and the norm is infinite or
/// NaN.
at::Tensor clip_grad_norm_(const std::vector<at::Tensor>& parameters, double max_norm, double norm_type = 2.0,
                           bool error_if_nonfinite = false);

/// Calls a function with each module of a tree, as Python's `module.apply(function)` does: children come
/// before their parent. LibTorch's own begins with the parent.
template <class Function>
void apply(torch::nn::Module& module, const Function& function) {
  for (const auto& child : module.children()) apply(*child, function);
  function(module);
}

}  // namespace torchbook::nn::inline v1
#pragma GCC visibility pop
