// Prints a dozen tensors with LibTorch's own << and with pyrepr. printing_table.py adds Python's text. A line
// with a single dot ends each text.
#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torchbook/pyrepr/pyrepr.h>

#include <limits>
#include <sstream>

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

void show(const at::Tensor& tensor) {
  std::ostringstream stream;
  stream << tensor;
  fmt::print("{}\n.\n{}\n.\n", stream.str(), torchbook::pyrepr::repr(tensor));
}

}  // namespace

// printing_table.py has the same tensors in the same order.
int main() {
  show(at::ones({2}));
  show(at::tensor({0.5F, 100.0F}));
  show(at::tensor({1.0F, 1001.0F}));
  show(at::full({}, 0.1));
  show(at::tensor({0.0F, -inf, not_a_number}));
  show(at::arange(4).view({2, 2}));
  show(at::tensor({9007199254740993}));
  show(at::tensor({1, 0}).to(at::kBool));
  show(at::tensor({c10::complex<float>(1, -2.5F), c10::complex<float>(0, 3)}));
  show(at::arange(2000));
  show(at::zeros({2, 0}));
  show(at::ones({2}, at::kHalf).requires_grad_());
}
