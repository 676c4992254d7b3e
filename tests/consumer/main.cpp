// Prints tensors, a shape and numbers under several options. Its twin main.py prints the same.
#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torchbook/pyrepr/pyrepr.h>

#include <string>

namespace pyrepr = torchbook::pyrepr;

int main() {
  const at::Tensor sevenths = at::arange(6, at::kFloat).view({2, 3}) / 7;
  const std::string text = pyrepr::repr(sevenths);
  fmt::print("{}\n", text);
  fmt::print("t = {}\n", sevenths.to(at::kDouble) * 1e-5);
  fmt::print("loss {:.3f}, or {:>12.2e}\n", sevenths.sum(), sevenths.mean());
  fmt::print("{} has {} elements\n", pyrepr::shape(sevenths), sevenths.numel());
  fmt::print("{}\n", pyrepr::repr(sevenths > 0.5));
  fmt::print("{}\n", at::arange(100000, at::kLong).view({100, 1000}));
  fmt::print("{}\n", pyrepr::Parameter{sevenths.clone().requires_grad_()});

  pyrepr::set_print_options({.precision = 2, .edgeitems = 1, .sci_mode = false});
  fmt::print("{}\n", sevenths);
  fmt::print("{}\n", at::arange(100000, at::kInt).view({100, 1000}));
  {
    const pyrepr::ScopedPrintOptions full(pyrepr::PrintOptions::full_profile());
    fmt::print("{}\n", at::arange(1200, at::kShort));
  }
  pyrepr::set_print_options(pyrepr::PrintOptions::default_profile());
  fmt::print("{}\n", sevenths);
}
