// Defines the table of PyTorch's layers, losses and optimizers.
#pragma once

#include <tools/import/translate/core/match.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::translate {

/// The result of calling a layer.
enum class LayerResult {
  tensor,
  reshaped,  ///< a tensor of another number of dimensions
  two_tensors,
  tensor_and_two,
  attention,  ///< an output and weights, from several arguments
  encoded,    ///< a tensor, from an input and masks
};

/// A class of PyTorch. `first` has the constructor arguments of its options class in C++, in the order of
/// Python's parameters. `others` has options that are set by name. These may be left out, and so may `p?`
/// among the first ones. A name that begins with `*` is a keyword-only parameter.
struct Layer {
  std::string_view name;
  std::string_view first{};
  std::string_view others{};
  bool draws = false;  ///< it draws its first weights
  LayerResult result_kind = LayerResult::tensor;

  /// Returns the parameters in Python. `before` has those that the class in C++ does not take as options.
  std::vector<CallParameter> parameters(std::vector<CallParameter> before = {}) const;
  /// Returns the class in C++.
  std::string type() const;
  /// Returns the namespace of its class of options.
  std::string_view options_space() const;
  /// Whether a call takes masks, which may be None, and may name its arguments.
  bool takes_masks() const;
  /// Whether its first call makes its weights, and draws them.
  bool is_lazy() const;
  /// Whether a call may change the layer, or the tensor that it takes.
  bool may_change() const;
  /// Returns the effects of a call: it reads, and may change the layer or the tensor, or draw.
  cpp::Effects effects() const;
  /// Returns the type of the result of a call.
  Type result() const;
};

/// Returns the layer of this name in `torch.nn`; nullptr if there is none.
const Layer* layer_named(std::string_view name);

/// Whether a piece of Python has the name of a lazy layer.
bool names_lazy_layer(const Node& tree);

/// Returns the names in `torch.nn` that are translated.
std::vector<std::string> layer_names();

/// Returns the row of a module's class; nullptr if the class has none.
const Layer* layer_of(const Type& module);

/// Returns an attribute of a layer of PyTorch: `linear.weight`, `lstm.bias_ih_l0`; nullopt if it
/// has none of this name. `base` is the layer in C++.
std::optional<Value> layer_member(const cpp::Expr& base, const Type& module, std::string_view name);

/// Returns the optimizer of this name in torch.optim; nullptr if there is none. Its arguments are
/// those after the parameters.
const Layer* optimizer_named(std::string_view name);
/// Whether a type of the kind `optimizer` is that of a scheduler of the rate.
bool is_scheduler(const Type& type);
/// Returns the type of an optimizer by its name in Python.
Type optimizer_type(std::string_view name);

/// Returns the constant of LibTorch for a str that is an option, as "mean" or "fan_in"; empty for another
/// value.
cpp::Expr mode_of(const Value& value);

/// Returns the arguments of the constructor in C++: the first ones, or an object of options. `space` is the
/// namespace of the class of options. `given` has the arguments by parameter; the first `skipped` ones are no
/// options.
std::vector<cpp::Expr> constructor_arguments(const Layer& layer, std::string_view space,
                                             const std::vector<const Value*>& given, std::size_t skipped);

}  // namespace torchbook::translate
