#pragma once

#include <ATen/core/Tensor.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/function.h>
#include <torchbook/pyrepr/printer.h>

#include <string>
#include <type_traits>
#include <utility>

namespace torchbook {

/// Python's `tensor.grad_fn`. Unless it is None, its text contains an address, which differs in
/// each run.
struct GradFn {
  /// nullptr for a tensor that nothing computed. The type is deduced, because the smart pointer of LibTorch
  /// 2.14 is not that of 1.13.
  std::decay_t<decltype(std::declval<const at::Tensor&>().grad_fn())> node;
};

/// Returns Python's name of an autograd node's class: `torch.autograd.function.DoubleBackward` for a class
/// that derives from torch::autograd::Function, otherwise the name in C++.
std::string name_of_node(const std::string& node);

}  // namespace torchbook

/// Jupyter displays `<MulBackward0 at 0x7f00>`, print shows `<MulBackward0 object at 0x7f00>`; or `None`.
template <>
struct torchbook::pyrepr::Printer<torchbook::GradFn> {
  static std::string repr(const torchbook::GradFn& shown) { return text(shown, ""); }
  static std::string str(const torchbook::GradFn& shown) { return text(shown, "object "); }

 private:
  static std::string text(const torchbook::GradFn& shown, const char* what) {
    if (shown.node == nullptr) return "None";
    return fmt::format("<{} {}at {}>", torchbook::name_of_node(shown.node->name()), what,
                       fmt::ptr(shown.node.get()));
  }
};
