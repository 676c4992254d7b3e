// Writes what C++ says of modules.
#pragma once

#include <torchbook/translate/lower/value.h>

#include <optional>
#include <string>
#include <string_view>

namespace torchbook::translate {

/// Returns `*model`, or what else is the torch::nn::Module itself.
cpp::Expr module_itself(const Value& module);

/// Returns the call of a method of a module, and a member of it.
cpp::Expr method_of_module(const Value& module, const std::string& name,
                           std::vector<cpp::Expr> arguments = {});
cpp::Expr member_of_module(const Value& module, const std::string& name);

/// Returns the class in C++ of a layer of PyTorch.
std::string layer_class(const std::string& name);

/// Returns what a layer of PyTorch has: `linear.weight`, `lstm.bias_ih_l0`. `base` is the layer in C++.
std::optional<Value> layer_member(const cpp::Expr& base, const Type& module, std::string_view name);

/// Returns the type of what a call of a layer gives.
Type layer_result(const Type& module);

}  // namespace torchbook::translate
