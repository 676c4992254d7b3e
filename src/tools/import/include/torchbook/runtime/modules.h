// What translated ports do with modules beyond torchbook/training/nn.h.
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/modules/container/sequential.h>
#include <torchbook/pyrepr/module.h>
#include <torchbook/pyrepr/tensor.h>
#include <torchbook/training/lazy.h>
#include <torchbook/training/nn.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace torchbook::nn {

/// Returns a Sequential that can be nested in another one, with the modules of `row` and their
/// names.
inline Sequential inner(const torch::nn::Sequential& row) {
  Sequential result;
  result->take(*row);
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

/// Returns a module as a layer if it is one in `type(module) == Layer`: a lazy layer becomes one in its first
/// call.
template <class Layer>
auto* as_made(torch::nn::Module& module) {
  const auto* lazy = dynamic_cast<const detail::LazyLayer*>(&module);
  return lazy != nullptr && lazy->is_lazy() ? nullptr : module.as<Layer>();
}

}  // namespace torchbook::nn
