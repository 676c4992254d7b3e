// Reads and writes checkpoints without Python: the files of torch.save, and safetensors.
#pragma once

#include <ATen/core/Dict.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <filesystem>
#include <initializer_list>
#include <string>
#include <utility>

#pragma GCC visibility push(default)
namespace torchbook::inline v1 {

/// Reads a file that torch.save wrote, in its format since PyTorch 1.6 or in the older one, or a safetensors
/// file, which becomes a dict of tensors in the order of their data.
///
/// The value is built of None, bool, int, float, complex, str, device, Tensor, list, tuple and dict. An
/// OrderedDict, a Counter and a torch.Size become a dict and a tuple; a Parameter becomes a tensor that
/// requires gradients. Tensors share memory as they did in Python. All tensors are on the CPU.
///
/// Executes nothing, so files from strangers are safe to load. Throws std::runtime_error with one line if the
/// file is damaged, or has an object that only Python can make.
c10::IValue load(const std::filesystem::path& path);

/// Returns a dict for save(): `dict({{"model", nn::state_dict(model)}, {"epoch", 3}})`.
c10::IValue dict(std::initializer_list<std::pair<std::string, c10::IValue>> items);

/// Writes a file that torch.load reads, also with weights_only=True. Takes the values that load() returns.
/// Tensors that share memory share it in the file; those of other devices are written as tensors of the CPU.
///
/// Replaces `path` only once the file is complete. Throws std::runtime_error if a value cannot be saved.
void save(const c10::IValue& value, const std::filesystem::path& path);

/// Writes a safetensors file. Tensors that share memory are written once each.
///
/// Replaces `path` only once the file is complete. Throws std::runtime_error if a tensor cannot be saved.
void save_safetensors(const c10::Dict<std::string, at::Tensor>& tensors, const std::filesystem::path& path);

}  // namespace torchbook::inline v1
#pragma GCC visibility pop
