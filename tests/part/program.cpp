// Computes in C++ what tests/part/languages_test.py computes in Python, and records it: PROGRAM CASE FILE.
#include <torch/torch.h>
#include <torchbook/trace/trace.h>

#include <functional>
#include <map>
#include <string>

namespace {

using torch::Tensor;

/// Returns numbers that are the same in both languages, and whose products round.
Tensor numbers(at::IntArrayRef sizes) {
  return torch::arange(c10::multiply_integers(sizes), torch::kFloat64)
      .mul(0.37)
      .sin()
      .to(torch::kFloat32)
      .view(sizes);
}

torch::nn::Linear layer() {
  torch::nn::Linear layer(2000, 5);
  const torch::NoGradGuard no_grad;
  layer->weight.copy_(numbers({5, 2000}));
  layer->bias.copy_(numbers({5}));
  return layer;
}

void linear_module(const std::string& file) {
  auto net = layer();
  const auto x = numbers({2, 3, 2000});
  const torchbook::Trace trace(file, *net);
  torch::relu(net->forward(x));
}

void linear_function(const std::string& file) {
  auto net = layer();
  const auto x = numbers({2, 3, 2000});
  const torchbook::Trace trace(file, *net);
  torch::relu(torch::linear(x, net->weight, net->bias));
}

void difference_of_randoms(const std::string& file) {
  torch::manual_seed(3);
  const torchbook::Trace trace(file);
  torch::rand({2, 3}) - torch::rand({2, 3});
}

void ordered_randoms(const std::string& file) {
  torch::manual_seed(3);
  const torchbook::Trace trace(file);
  const auto first = torch::rand({2, 3});
  const auto second = torch::rand({2, 3});
  first - second;
}

}  // namespace

int main(int, char** arguments) {
  const std::map<std::string, std::function<void(const std::string&)>> cases = {
      {"linear_module", linear_module},
      {"linear_function", linear_function},
      {"difference_of_randoms", difference_of_randoms},
      {"ordered_randoms", ordered_randoms}};
  cases.at(arguments[1])(arguments[2]);
}
