// Layers that run the same operations as Python's layers, where LibTorch's own do not.
#pragma once

#include <ATen/ATen.h>
#include <c10/util/Optional.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/pimpl.h>
#include <torch/version.h>
#include <torchbook/pyrepr/module.h>
#include <torchbook/pyrepr/tensor.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace torchbook::nn {

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
};
TORCH_MODULE(Sequential);

/// Returns a Sequential that can be nested in another one, with the modules of `row` and their
/// names.
inline Sequential inner(const torch::nn::Sequential& row) {
  Sequential result;
  const auto names = row->named_children().keys();
  std::size_t at = 0;
  for (const auto& module : *row) result->push_back(names.at(at++), module);
  return result;
}

/// Calls a module, which must be of one of the classes `Layers`: an element of an nn.ModuleList.
template <class... Layers>
at::Tensor called_as(const std::shared_ptr<torch::nn::Module>& module, const at::Tensor& input) {
  at::Tensor output;
  const auto is_called = [&](auto* layer) {
    if (layer != nullptr) output = layer->forward(input);
    return layer != nullptr;
  };
  if (!(is_called(dynamic_cast<typename Layers::ContainedType*>(module.get())) || ...))
    throw std::logic_error("a list of modules has an element of another class");
  return output;
}

/// Returns tensors as Python parameters, which print with an additional line, `Parameter
/// containing:`.
inline std::vector<pyrepr::Parameter> as_parameters(const std::vector<at::Tensor>& tensors) {
  std::vector<pyrepr::Parameter> parameters;
  for (const auto& tensor : tensors) parameters.push_back({tensor});
  return parameters;
}

/// Python's `x.norm()` and `x.norm(p)`: the norm of all elements. LibTorch's own has another grad_fn.
inline at::Tensor norm(const at::Tensor& x, const at::Scalar& p = 2) {
#if TORCH_VERSION_MAJOR >= 2
  return at::linalg_vector_norm(x, p);
#else
  std::vector<std::int64_t> dims(static_cast<std::size_t>(x.dim()));
  std::iota(dims.begin(), dims.end(), 0);
  return at::norm(x, p, dims);
#endif
}

/// Python's `x.norm(dim=dims)` and `x.norm(p, dims, keepdim)`. Without `p`, it is the Frobenius norm; without
/// dimensions, that of all elements.
inline at::Tensor norm(const at::Tensor& x, const std::optional<at::Scalar>& p, at::IntArrayRef dims,
                       bool keepdim = false) {
#if TORCH_VERSION_MAJOR >= 2
  return at::linalg_vector_norm(x, p.value_or(2), dims, keepdim);
#else
  return p ? at::norm(x, *p, dims, keepdim) : at::frobenius_norm(x, dims, keepdim);
#endif
}

/// Python's `F.interpolate(x, size=sides)` if `sizes` is true, and `F.interpolate(x, scale_factor=sides)`
/// else. A single side is used for all.
inline at::Tensor interpolated(const at::Tensor& x, std::vector<double> sides, bool sizes,
                               const std::string& mode, bool align_corners) {
  if (sides.size() == 1) sides.resize(static_cast<std::size_t>(x.dim() - 2), sides[0]);
  at::OptionalIntArrayRef size = c10::nullopt;
  c10::optional<at::ArrayRef<double>> scales = c10::nullopt;
  const std::vector<std::int64_t> whole(sides.begin(), sides.end());
  if (sizes) {
    size = whole;
  } else {
    scales = sides;
  }
  if (mode == "nearest" && x.dim() == 3) return at::upsample_nearest1d(x, size, scales);
  if (mode == "nearest" && x.dim() == 4) return at::upsample_nearest2d(x, size, scales);
  if (mode == "nearest" && x.dim() == 5) return at::upsample_nearest3d(x, size, scales);
  if (mode == "linear" && x.dim() == 3) return at::upsample_linear1d(x, size, align_corners, scales);
  if (mode == "bilinear" && x.dim() == 4) return at::upsample_bilinear2d(x, size, align_corners, scales);
  if (mode == "bicubic" && x.dim() == 4) return at::upsample_bicubic2d(x, size, align_corners, scales);
  TORCH_CHECK(mode == "trilinear" && x.dim() == 5, "interpolate: the mode does not fit the input");
  return at::upsample_trilinear3d(x, size, align_corners, scales);
}
inline at::Tensor resized(const at::Tensor& x, std::vector<double> sides, const std::string& mode,
                          bool align_corners = false) {
  return interpolated(x, std::move(sides), true, mode, align_corners);
}
inline at::Tensor scaled(const at::Tensor& x, std::vector<double> sides, const std::string& mode,
                         bool align_corners = false) {
  return interpolated(x, std::move(sides), false, mode, align_corners);
}

/// Scales gradients so that their norm is at most `max_norm`, with the operations of Python's
/// `torch.nn.utils.clip_grad_norm_`. LibTorch's own divides by another operation. Returns the norm
/// before scaling.
inline at::Tensor clip_grad_norm_(const std::vector<at::Tensor>& parameters, double max_norm,
                                  double norm_type = 2.0) {
  std::vector<at::Tensor> norms;
  for (const auto& parameter : parameters) {
    if (parameter.grad().defined())
      norms.push_back(torchbook::nn::norm(parameter.grad().detach(), norm_type));
  }
  if (norms.empty()) return at::zeros({1})[0];
  const at::Tensor total = torchbook::nn::norm(at::stack(norms), norm_type);
  const at::Tensor factor = ((total + 1e-6).reciprocal() * max_norm).clamp_max(1.0);
  for (const auto& parameter : parameters) {
    if (parameter.grad().defined()) parameter.grad().detach().mul_(factor);
  }
  return total;
}

/// Calls a function with each module of a tree, as Python's `module.apply(function)` does: children come
/// before their parent. LibTorch's own begins with the parent.
template <class Function>
void apply(torch::nn::Module& module, const Function& function) {
  for (const auto& child : module.children()) apply(*child, function);
  function(module);
}

/// Replaces a module's parameter by a tensor, and returns the tensor.
inline at::Tensor replace_parameter(torch::nn::Module& module, const std::string& name, at::Tensor value) {
  struct Access : torch::nn::Module {  // a derived class may name protected members
    static auto parameters() { return &Access::parameters_; }
  };
  return (module.*Access::parameters())[name] = std::move(value);
}

/// Returns Python's `type(module).__name__`.
inline std::string class_name(const torch::nn::Module& module) {
  const auto text = pyrepr::repr(module);
  return text.substr(0, text.find('('));
}

/// Sets the gradients of an optimizer's parameters to zero, or to None, as Python's
/// `optimizer.zero_grad(set_to_none)` does. LibTorch 1.13 has no such argument.
template <class Optimizer>
void zero_grad(Optimizer& optimizer, bool set_to_none) {
  for (auto& group : optimizer.param_groups()) {
    for (auto& parameter : group.params()) {
      if (set_to_none) {
        parameter.mutable_grad().reset();
      } else if (parameter.grad().defined()) {
        parameter.mutable_grad().detach_().zero_();
      }
    }
  }
}

}  // namespace torchbook::nn
