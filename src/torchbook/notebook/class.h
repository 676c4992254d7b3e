// Shows the classes of Python's values as Jupyter displays them.
#pragma once

#include <torchbook/pyrepr/printer.h>

#include <string>

namespace torchbook {

/// A Python class, as the value of `type(x)`.
struct Class {
  std::string name;  ///< with the module in front, unless Python's own: `torch.Tensor`, `int`
};

}  // namespace torchbook

/// Jupyter displays `torch.Tensor`, and print shows `<class 'torch.Tensor'>`.
template <>
struct torchbook::pyrepr::Printer<torchbook::Class> {
  static std::string repr(const torchbook::Class& shown) { return shown.name; }
  static std::string str(const torchbook::Class& shown) { return "<class '" + shown.name + "'>"; }
};
