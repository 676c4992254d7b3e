// The parameters and buffers of a module by their names, as Python's `module.state_dict()` has them.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <torch/arg.h>
#include <torchbook/pyrepr/dict.h>
#include <torchbook/pyrepr/printer.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace torch::nn {
class Module;
}

#pragma GCC visibility push(default)
namespace torchbook::nn::inline v1 {

/// The parameters and buffers of a module by their names, in Python's order. It prints as an OrderedDict.
class StateDict : public Dict<std::string, at::Tensor> {
 public:
  StateDict() = default;
  /// Reads what torchbook::load() returns for a file that holds a state_dict. Throws std::runtime_error if it
  /// is no dict of tensors; then the message names the item that is none.
  explicit StateDict(const c10::IValue& dict);
  /// For torchbook::save().
  operator c10::IValue() const;
  /// For torchbook::save_safetensors().
  operator c10::Dict<std::string, at::Tensor>() const;
};

/// Returns the parameters and buffers of a module, in Python's order. They share the module's memory and are
/// detached from autograd. Throws std::logic_error if the module has a lazy layer that was not called yet.
StateDict state_dict(const torch::nn::Module& module);

/// Returns a copy of a state whose tensors have their own memory, as Python's copy.deepcopy() does.
StateDict copy(const StateDict& state);

/// How load_state_dict() treats names.
struct LoadOptions {
  LoadOptions(bool strict = true) : strict_(strict) {}

  TORCH_ARG(bool, strict);  // refuse missing and unexpected names
  /// Returns the name that the module has for one of the state, or an empty text to leave the tensor out.
  TORCH_ARG(std::function<std::string(const std::string&)>, rename) = nullptr;
};

/// The result of load_state_dict(): the names that only the module has, and those that only the state has.
/// It prints as in Python, `<All keys matched successfully>` if there are none.
struct IncompatibleKeys {
  std::vector<std::string> missing_keys{}, unexpected_keys{};
};

/// Copies tensors by their names into a module's parameters and buffers, and converts them to its dtypes.
/// Throws std::runtime_error if the sizes differ, or the names if `strict`; the module is unchanged then.
IncompatibleKeys load_state_dict(torch::nn::Module& module, const Dict<std::string, at::Tensor>& state,
                                 const LoadOptions& options = {});

}  // namespace torchbook::nn::inline v1
#pragma GCC visibility pop

template <>
struct torchbook::pyrepr::Printer<torchbook::nn::StateDict> : torchbook::pyrepr::detail::ComposedPrinter {
  static constexpr std::string_view python_type = "collections.OrderedDict";
  static void compose(const torchbook::nn::StateDict& state, torchbook::pyrepr::detail::Composition& out);
};

template <>
struct torchbook::pyrepr::Printer<torchbook::nn::IncompatibleKeys> {
  static std::string repr(const torchbook::nn::IncompatibleKeys& keys);
};
