// Prints tensors with LibTorch's own << and as Python does.
#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torchbook/pyrepr/pyrepr.h>

#include <iostream>

int main() {
  const at::Tensor states =
      at::tensor({0.21, 0.51, 1.25, 4.13, -41.3, 0.02}, at::kFloat).view({2, 3});  // (2, 3)
  const at::Tensor weights = at::ones({2});                                        // (2)
  const at::Tensor loss = at::full({}, 0.1, at::kFloat);                           // ()

  std::cout << states << "\n" << weights << "\n" << std::flush;
  fmt::print("\n{}\n{}\nloss {}, or {:.3f}\n", states, weights, loss, loss);
}
