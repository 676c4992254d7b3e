// Transfers the weights of a module between Python and C++, bit for bit.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <torchbook/notebook/dict.h>
#include <torchbook/pyrepr/containers.h>
#include <torchbook/pyrepr/printer.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace torch::nn {
class Module;
}
namespace torch::optim {
class Optimizer;
}

namespace torchbook::nn {

/// The parameters and buffers of a module by their names, as Python's `module.state_dict()` returns them. It
/// prints as an OrderedDict.
class StateDict : public Dict<std::string, at::Tensor> {};

/// Returns the parameters and buffers of a module, in Python's order. They share the module's
/// memory and are detached from autograd.
StateDict state_dict(const torch::nn::Module& module);

/// Returns a copy of a state whose tensors have their own memory, as Python's copy.deepcopy() does.
StateDict copy(const StateDict& state);

/// Returns the text that Python's `pprint.pprint(state)` prints.
std::string pprinted(const StateDict& state);

/// The state and the options of an optimizer, as LibTorch serializes them.
struct OptimizerState {
  std::string bytes{};
};

OptimizerState state_dict(const torch::optim::Optimizer& optimizer);

/// Sets the state and the options of an optimizer that has as many parameters.
void load_state_dict(torch::optim::Optimizer& optimizer, const OptimizerState& state);

/// An item of a checkpoint.
using Item = std::variant<StateDict, at::Tensor, std::vector<at::Tensor>, OptimizerState, bool, std::int64_t,
                          double, std::string, std::vector<double>>;

/// A dict that torch.save writes: `{"model": model.state_dict(), "epoch": 3}`.
class Checkpoint : public Dict<std::string, Item> {
 public:
  using Dict<std::string, Item>::Dict;
  /// Returns an item. Throws std::out_of_range if there is none, and std::bad_variant_access if it has
  /// another type.
  template <class T>
  const T& get(const std::string& key) const {
    return std::get<T>(at(key));
  }
};

/// The types of values that torch.save may write in a translated notebook.
using Kept = std::variant<StateDict, at::Tensor, std::vector<at::Tensor>, Checkpoint>;

/// Keeps a copy of a value in memory by the name of a file, as Python's `torch.save(value, path)` writes it.
/// A translated notebook writes no files. Throws std::runtime_error if the value is or has a tensor that
/// requires gradients, or two tensors that share memory.
void keep(const Kept& value, const std::string& path);

/// Returns a copy of the value that was kept last by this name, as Python's `torch.load(path)` reads it.
/// Throws std::runtime_error if there is none, or one of another type.
template <class T>
T kept(const std::string& path);

/// The result of Python's load_state_dict(): `<All keys matched successfully>`.
struct KeysMatched {};

/// Copies tensors by their names into a module's parameters and buffers. Throws std::runtime_error if the
/// names or sizes are not those of the module; the module is unchanged then.
KeysMatched load_state_dict(torch::nn::Module& module, const Dict<std::string, at::Tensor>& state);

/// Writes a module's parameters and buffers, by their names, to a file. In Python,
/// `module.load_state_dict(torch.load(path))` reads it. The file appears whole or not at all.
/// Throws std::runtime_error if it cannot be written.
void save_state_dict(const torch::nn::Module& module, const std::string& path);

/// Copies tensors by their names into a module's parameters and buffers, as Python's
/// `module.load_state_dict(torch.load(path))` does. In Python, `torch.save(dict(module.state_dict()), path)`
/// writes the file; LibTorch cannot read it without the `dict`.
/// Throws std::runtime_error if the file cannot be read, or if its names or sizes are not those of the
/// module; the module is unchanged then.
void load_state_dict(torch::nn::Module& module, const std::string& path);

}  // namespace torchbook::nn

template <>
struct torchbook::pyrepr::Printer<torchbook::nn::StateDict> : torchbook::pyrepr::detail::ComposedPrinter {
  static constexpr std::string_view python_type = "collections.OrderedDict";
  static void compose(const torchbook::nn::StateDict& state, torchbook::pyrepr::detail::Composition& out);
};

template <>
struct torchbook::pyrepr::Printer<torchbook::nn::KeysMatched> {
  static std::string repr(torchbook::nn::KeysMatched /*value*/) { return "<All keys matched successfully>"; }
};
