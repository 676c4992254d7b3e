// Builds expressions on modules.
#pragma once

#include <torchbook/translate/lower/value.h>

#include <optional>
#include <string>
#include <string_view>

namespace torchbook::translate {

/// Returns an expression for the torch::nn::Module itself: `*model`.
cpp::Expr module_itself(const Value& module);

/// Returns the call of a method of a module, and a member of it.
cpp::Expr method_of_module(const Value& module, const std::string& name,
                           std::vector<cpp::Expr> arguments = {});
cpp::Expr member_of_module(const Value& module, const std::string& name);

/// Returns the class in C++ of a layer of PyTorch.
std::string layer_class(const std::string& name);

/// Returns an attribute of a layer of PyTorch: `linear.weight`, `lstm.bias_ih_l0`; nullopt if it
/// has none of this name. `base` is the layer in C++.
std::optional<Value> layer_member(const cpp::Expr& base, const Type& module, std::string_view name);

/// Returns the type of the result of calling a layer.
Type layer_result(const Type& module);

}  // namespace torchbook::translate
