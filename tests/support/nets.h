// Defines modules with any children and any extra_repr.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/pimpl.h>
#include <torchbook/pyrepr/module.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace torchbook::test {

using Children = std::vector<std::pair<std::string, std::shared_ptr<torch::nn::Module>>>;

struct NetImpl : torch::nn::Module {
  explicit NetImpl(const Children& children) {
    for (const auto& [name, child] : children) register_module(name, child);
  }
};
TORCH_MODULE(Net);

struct ScaledImpl : NetImpl, pyrepr::ExtraRepr {
  ScaledImpl(const Children& children, std::string text) : NetImpl(children), text_(std::move(text)) {}
  std::string extra_repr() const override { return text_; }

 private:
  std::string text_;
};
TORCH_MODULE(Scaled);

/// Returns an nn::Sequential of any modules. Its constructors take only those that have a forward of their
/// own.
inline torch::nn::Sequential sequential(const Children& children) {
  torch::nn::Sequential result;
  for (const auto& [name, child] : children) result->register_module(name, child);
  return result;
}

}  // namespace torchbook::test
