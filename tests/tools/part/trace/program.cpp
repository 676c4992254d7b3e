// Records in C++ what tests/trace/trace_test.py records in Python, and what only C++ can do.
#include <ATen/record_function.h>
#include <torch/torch.h>
#include <torchbook/trace/trace.h>

#include <csignal>
#include <cstdio>
#include <functional>
#include <map>
#include <string>

namespace {

/// Returns numbers that are the same in both languages.
torch::Tensor numbers(at::IntArrayRef sizes) {
  const auto count = c10::multiply_integers(sizes);
  return torch::arange(count, torch::kFloat64)
      .mul(torch::tensor(0.37, torch::kFloat64))
      .sin()
      .to(torch::kFloat32)
      .view(sizes);
}

/// A network that calls the functions which PyTorch's own modules call in Python.
struct Net : torch::nn::Module {
  torch::nn::Embedding words = register_module("words", torch::nn::Embedding(7, 4));
  torch::nn::Linear wide = register_module("wide", torch::nn::Linear(4, 6));
  torch::nn::LayerNorm norm = register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({6})));
  torch::nn::Linear out = register_module("out", torch::nn::Linear(6, 3));

  Net() {
    const torch::NoGradGuard no_grad;
    for (auto& parameter : parameters()) parameter.copy_(numbers(parameter.sizes()));
    register_buffer("mask", torch::ones({2, 3}).tril());
  }

  torch::Tensor forward(const torch::Tensor& indices) {
    auto x = torch::linear(torch::embedding(words->weight, indices), wide->weight, wide->bias);
    x = torch::dropout(torch::relu(x), 0.5, true);
    x = torch::linear(torch::layer_norm(x, {6}, norm->weight, norm->bias), out->weight, out->bias);
    return torch::softmax(x.mul(named_buffers()["mask"]), -1);
  }
};

void training(const std::string& file) {
  torch::manual_seed(123);
  Net net;
  const auto indices = torch::tensor({1, 4});
  const auto target = torch::tensor({0, 2});
  const auto one = torch::ones({});
  torchbook::Trace trace(file, net);
  trace.name("indices", indices);
  const auto loss = torch::cross_entropy_loss(net.forward(indices), target);
  trace.mark("backward");
  loss.backward(one);
  trace.mark("step");
  const torch::NoGradGuard no_grad;
  for (auto& parameter : net.parameters()) parameter.sub_(parameter.grad(), 0.1);
}

void operations(const std::string& file) {
  torch::manual_seed(7);
  const auto options = torch::device(torch::kCPU).pinned_memory(false);
  auto x = numbers({3, 4});
  const auto y = numbers({4});
  torchbook::Trace trace(file);
  x.add_(y);
  auto row = x.select(0, 1);
  row.mul_(y);
  x.t().contiguous();
  torch::cat({x, x}, 1).sum(0, true);
  x.to(torch::kBFloat16).gt(x);
  torch::rand({3}, options);
  torch::randperm(5, options.dtype(torch::kInt64));
  x.normal_(0.5, 2.0);
  torch::view_as_complex(x.view({3, 2, 2})).conj().mul(torch::view_as_complex(x.view({3, 2, 2})));
}

void tiny(const std::string& file) {
  auto x = torch::tensor({1.0F, 2.0F});
  auto y = torch::tensor({{1, 2}, {3, 4}}).t();
  torchbook::Trace trace(file, torchbook::trace::Options{.largest = 6});
  trace.name("x", x);
  trace.mark("a mark");
  x.add_(x, 3);
  y.neg();
}

void killed(const std::string& file) {
  torchbook::Trace trace(file);
  auto x = torch::zeros({2});
  for (int i = 0; i < 2000; ++i) x.add_(x);
  std::raise(SIGKILL);
}

void thrown(const std::string& file) {
  torchbook::Trace trace(file);
  try {
    torch::mm(torch::ones({2, 3}), torch::ones({2, 3}));
  } catch (const c10::Error&) {
    torch::ones({1});
  }
}

void passed_on(const std::string& file) {
  try {
    const torchbook::Trace trace(file);
    torch::ones({1}).neg();
    throw std::runtime_error("passed on");
  } catch (const std::runtime_error& error) {
    std::puts(error.what());
  }
}

/// Prints whether LibTorch has callbacks before, during and after a trace.
void callbacks(const std::string& file) {
  std::printf("%d", at::hasCallbacks());
  {
    const torchbook::Trace trace(file);
    std::printf("%d", at::hasCallbacks());
  }
  std::printf("%d\n", at::hasCallbacks());
  torch::ones({1}).add(1);
}

/// Prints why a second trace of the thread is refused; the first one goes on.
void twice(const std::string& file) {
  torchbook::Trace trace(file);
  try {
    const torchbook::Trace other(file + ".other");
  } catch (const std::runtime_error& error) {
    std::puts(error.what());
  }
  torch::ones({1}).neg();
  trace.finish();
  torch::ones({1}).neg();
}

void finished(const std::string& file) {
  try {
    torchbook::Trace trace(file);
    for (int i = 0; i < 100; ++i) torch::ones({1000});
    trace.finish();
  } catch (const std::runtime_error& error) {
    std::puts(error.what());
  }
}

}  // namespace

int main(int count, char** arguments) {
  const std::map<std::string, std::function<void(const std::string&)>> cases = {
      {"training", training},   {"operations", operations}, {"tiny", tiny},
      {"killed", killed},       {"thrown", thrown},         {"passed_on", passed_on},
      {"callbacks", callbacks}, {"twice", twice},           {"finished", finished}};
  if (count != 3 || !cases.contains(arguments[1])) return 2;
  cases.at(arguments[1])(arguments[2]);
}
