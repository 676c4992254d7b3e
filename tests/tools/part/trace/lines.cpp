// Runs operations in all kinds of places. Each is on one line, whose comment names it for
// tests/trace/lines_test.py.
#include "lines.h"

#include <ATen/ATen.h>
#include <torchbook/trace/trace.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "lines_net.h"

namespace lines {
namespace {

using at::Tensor;

[[gnu::always_inline]] inline Tensor inlined(const Tensor& x) {
  auto y = x.exp();  // runs aten::exp
  return y.contiguous();
}

[[gnu::noinline]] Tensor called(const Tensor& x) {
  auto y = x.abs();  // runs aten::abs
  return y.contiguous();
}

template <class Number>
struct Clamp {
  Tensor operator()(const Tensor& x) const {
    auto y = x.clamp(Number{2});  // runs aten::clamp
    return y.contiguous();
  }
};

void lambdas(const Tensor& x) {
  const std::function<Tensor()> kept = [&] {
    auto y = x.sqrt();  // runs aten::sqrt
    return y.contiguous();
  };
  kept();
  std::vector<Tensor> all(3, x);
  std::for_each(all.begin(), all.end(), [](Tensor& one) {
    one.floor_();  // runs aten::floor_
  });
}

void backward(const Tensor& x) {
  auto leaf = x.detach().requires_grad_();
  auto sum = leaf.log1p().sum();  // runs aten::log1p aten::sum
  sum.backward();                 // runs Log1PBackward0 SumBackward0
}

}  // namespace

void record(const std::string& file) {
  const auto x = at::ones({2, 3});
  const torchbook::Trace trace(file);
  x.neg();  // runs aten::neg
  inlined(x);
  called(x);
  Clamp<int>()(x);
  for (int i = 0; i < 3; ++i) {
    x.sin();  // runs aten::sin
  }
  lambdas(x);
  Net().forward(x);
  at::softmax(x + x.sum(), 0);  // runs aten::add.Tensor aten::softmax.int aten::sum
  backward(x);
}

}  // namespace lines
