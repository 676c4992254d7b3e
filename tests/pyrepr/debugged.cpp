// A program for debugger_test.py. Its tensors are those of the dict TENSORS there.
#include <ATen/ATen.h>
#include <torchbook/pyrepr/pyrepr.h>

#include <string>
#include <vector>

namespace {

void stop_here(const at::Tensor& floats, at::Tensor columns, const std::vector<at::Tensor>& several) {
  const std::string text = torchbook::pyrepr::repr(floats) + std::to_string(columns.dim() + several[0].dim());
}

}  // namespace

int main() {
  const at::Tensor undefined;
  const at::Tensor many = at::arange(3000).view({3, 10, 2, 1, 5, 10});
  stop_here(at::arange(6).view({2, 3}) / 7, at::arange(8).view({4, 2}).t(),
            {at::tensor({-1.5, 1e300}), at::tensor({-1.5f}).to(at::kBFloat16), at::zeros({0, 3}, at::kHalf),
             many, at::ones({}, at::kBool), at::full({1}, c10::complex<float>(1, -2)), undefined});
}
