// Prints a torch::nn::Module as Python's print(module) does. pyrepr.h does not include it, because LibTorch's
// module header takes seconds to compile.
#pragma once

#include <ATen/core/ivalue.h>  // first, because clang cannot read LibTorch 1.13 otherwise
#include <torch/nn/module.h>
#include <torch/nn/modules/container/any.h>
#include <torch/nn/pimpl.h>
#include <torchbook/pyrepr/printer.h>

#include <concepts>
#include <memory>
#include <string>

#pragma GCC visibility push(default)
namespace torchbook::pyrepr::inline v1 {

/// Adds Python's `extra_repr` to your own module: inherit from it in addition to torch::nn::Module.
struct ExtraRepr {
  virtual ~ExtraRepr() = default;
  /// Returns the text between the parentheses, such as `width=3, bias=True`. It may have several
  /// lines.
  virtual std::string extra_repr() const = 0;
};

/// Lets a module of your own print another name than that of its class: inherit from it in addition to
/// torch::nn::Module.
struct ClassName {
  virtual ~ClassName() = default;
  /// Returns the name, such as `Linear`.
  virtual std::string class_name() const = 0;
};

namespace detail {
std::string repr_module(const torch::nn::Module& module);
}

/// Prints the module's class, options and children. The class name is printed without its
/// namespace, template arguments and `Impl` suffix. Throws std::invalid_argument if the module
/// contains itself. Follows torch/nn/modules of the release compiled against.
template <std::derived_from<torch::nn::Module> T>
struct Printer<T> {
  static std::string repr(const torch::nn::Module& module) { return detail::repr_module(module); }
};

/// Prints the module, or `None` if there is none.
template <std::derived_from<torch::nn::Module> T>
struct Printer<std::shared_ptr<T>> {
  static std::string repr(const std::shared_ptr<T>& module) {
    return module ? detail::repr_module(*module) : "None";
  }
};

/// Prints the module of a holder, such as torch::nn::Linear, or of an AnyModule. An empty one is
/// `None`.
template <class T>
requires std::same_as<T, torch::nn::AnyModule> ||(requires {
  typename T::ContainedType;
} && std::derived_from<T, torch::nn::ModuleHolder<typename T::ContainedType>>)struct Printer<T> {
  static std::string repr(const T& holder) {
    return holder.is_empty() ? "None" : detail::repr_module(*holder.ptr());
  }
};

}  // namespace torchbook::pyrepr::inline v1
#pragma GCC visibility pop
