// The files that a translated notebook saves, in memory.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <torchbook/pyrepr/dict.h>
#include <torchbook/training/state_dict.h>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace torchbook {

/// An item of a checkpoint. The state of an optimizer or scheduler is an IValue.
using Item = std::variant<nn::StateDict, at::Tensor, std::vector<at::Tensor>, bool, std::int64_t, double,
                          std::string, std::vector<double>, c10::IValue>;

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
using Kept = std::variant<nn::StateDict, at::Tensor, std::vector<at::Tensor>, Checkpoint>;

/// Keeps a copy of a value in memory by the name of a file, as Python's `torch.save(value, path)` writes it.
/// A translated notebook writes no files. Throws std::runtime_error if the value is or has a tensor that
/// requires gradients, or two tensors that share memory.
void keep(const Kept& value, const std::string& path);

/// Returns a copy of the value that was kept last by this name, as Python's `torch.load(path)` reads it.
/// Throws std::runtime_error if there is none, or one of another type.
template <class T>
T kept(const std::string& path);

/// Returns the text that Python's `pprint.pprint(state)` prints.
std::string pprinted(const nn::StateDict& state);

}  // namespace torchbook
