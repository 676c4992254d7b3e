// Python's type(x) as a value.
#pragma once

#include <ATen/core/Tensor.h>
#include <torchbook/pyrepr/printer.h>

#include <string>

namespace torchbook {

/// A Python class, as the value of `type(x)`.
struct Class {
  std::string name;  ///< with the module in front, unless Python's own: `torch.Tensor`, `int`
};

/// Returns the text of Python's `x.type()`: `torch.FloatTensor`.
inline std::string type_name(const at::Tensor& x) {
  return std::string(x.is_cuda() ? "torch.cuda." : "torch.") + c10::toString(x.scalar_type()) + "Tensor";
}

}  // namespace torchbook

/// Jupyter displays `torch.Tensor`, and print shows `<class 'torch.Tensor'>`.
template <>
struct torchbook::pyrepr::Printer<torchbook::Class> {
  static std::string repr(const torchbook::Class& shown) { return shown.name; }
  static std::string str(const torchbook::Class& shown) { return "<class '" + shown.name + "'>"; }
};
