// Carries the weights of a module between Python and C++, bit for bit.
#pragma once

#include <string>

namespace torch::nn {
class Module;
}

namespace torchbook::nn {

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
