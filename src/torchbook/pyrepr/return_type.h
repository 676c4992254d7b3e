// Prints the named results of a PyTorch function, such as `torch.max(t, 0)`.
#pragma once

#include <ATen/core/Tensor.h>
#include <torchbook/pyrepr/printer.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#pragma GCC visibility push(default)
namespace torchbook::pyrepr::inline v1 {

/// The results of a function, with the names that Python gives them. In C++, the function returns a
/// plain std::tuple.
struct ReturnType {
  /// A tensor and its name.
  struct Field {
    std::string name;   ///< `values`
    at::Tensor tensor;  ///< any shape
  };
  std::string function;       ///< as Python names it: `max`, `linalg_eigh`
  std::vector<Field> fields;  ///< in Python's order
};

/// Names the results of a function: `py::return_type("max", {"values", "indices"}, torch::max(t,
/// 0))`.
template <class... Tensors>
ReturnType return_type(std::string_view function,
                       const std::array<std::string_view, sizeof...(Tensors)>& names,
                       const std::tuple<Tensors...>& tensors) {
  ReturnType result{.function = std::string(function), .fields = {}};
  std::apply(
      [&](const auto&... tensor) {
        std::size_t at = 0;
        (result.fields.push_back({.name = std::string(names.at(at++)), .tensor = tensor}), ...);
      },
      tensors);
  return result;
}

/// `torch.return_types.max(` and a line for each tensor
template <>
struct Printer<ReturnType> {
  static constexpr std::string_view python_type = "torch.return_types";
  static std::string repr(const ReturnType& result);
};

}  // namespace torchbook::pyrepr::inline v1
#pragma GCC visibility pop
