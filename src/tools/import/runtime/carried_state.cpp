// Reads the dicts that carry.py writes for modules and optimizers.
#include <torch/nn/module.h>
#include <torchbook/runtime/carried_state.h>
#include <torchbook/training/optim.h>
#include <torchbook/training/state_dict.h>

#include <set>
#include <stdexcept>
#include <string>

namespace torchbook {
namespace {

using at::Tensor;

/// Converts parameters and buffers to the dtypes of the tensors of the same names.
void take_dtypes(torch::nn::Module& module, const nn::StateDict& carried) {
  const auto take = [&](auto& named) {
    if (!carried.contains(named.key())) return;
    const auto dtype = carried.at(named.key()).scalar_type();
    if (dtype != named->scalar_type()) named->set_data(named->to(dtype));
  };
  for (auto& parameter : module.named_parameters()) take(parameter);
  for (auto& buffer : module.named_buffers()) take(buffer);
}

[[noreturn]] void fail_of_groups() {
  throw std::runtime_error("Python's state belongs to an optimizer with other parameters");
}

}  // namespace

void CarriedState::restore(torch::nn::Module& module) const {
  const auto carried = state_.toGenericDict();
  const nn::StateDict state(carried.at("state"));
  take_dtypes(module, state);
  nn::load_state_dict(module, state);
  const nn::StateDict gradients(carried.at("gradients"));
  std::set<std::string> frozen;
  for (const c10::IValue& name : carried.at("frozen").toListRef()) frozen.insert(name.toStringRef());
  for (auto& parameter : module.named_parameters()) {
    const auto& name = parameter.key();
    parameter->requires_grad_(!frozen.contains(name));
    parameter->mutable_grad() = gradients.contains(name) ? gradients.at(name).clone() : Tensor();
  }
  module.train(carried.at("training").toBool());
}

void CarriedState::restore(torch::optim::Optimizer& optimizer) const {
  const auto carried = state_.toGenericDict();
  const auto rates = carried.at("rates").toListRef();
  const auto states = carried.at("states").toListRef();
  auto& groups = optimizer.param_groups();
  if (groups.size() != rates.size()) fail_of_groups();
  optimizer.state().clear();
  std::size_t place = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    groups[i].options().set_lr(rates[i].toDouble());
    for (const auto& parameter : groups[i].params()) {
      if (place == states.size()) fail_of_groups();
      const auto& state = states[place++];
      if (!state.toGenericDict().empty()) optim::set_state(optimizer, parameter, state);
    }
  }
  if (place != states.size()) fail_of_groups();
}

}  // namespace torchbook
