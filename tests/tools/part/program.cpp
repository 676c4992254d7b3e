// Computes and records in C++ the same as tests/tools/part/languages_test.py in Python: PROGRAM CASE
// FILE.
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

/// A linear layer and its input.
struct Layer {
  torch::nn::Linear net;
  Tensor x;
};

/// Returns a layer whose results depend on the kernels, and so on the processor.
Layer long_sums() {
  Layer layer{torch::nn::Linear(2000, 100), numbers({2, 3, 2000})};
  const torch::NoGradGuard no_grad;
  layer.net->weight.copy_(numbers({100, 2000}));
  layer.net->bias.copy_(numbers({100}));
  return layer;
}

/// Computes 1 + 2^-8 + 2^-9 in bfloat16, whose numbers above 1 are 2^-7 apart. Every kernel gives 1 + 2^-7 if
/// it rounds once, and 1 if it rounds the product before it adds the bias.
Layer halfway() {
  Layer layer{torch::nn::Linear(2, 1), torch::ones({2, 3, 2}, torch::kBFloat16)};
  layer.net->to(torch::kBFloat16);
  const torch::NoGradGuard no_grad;
  layer.net->weight.copy_(torch::tensor({{1., 0x1p-8}}));
  layer.net->bias.fill_(0x1p-9);
  return layer;
}

void linear_module(Layer layer, const std::string& file) {
  const torchbook::Trace trace(file, *layer.net);
  torch::relu(layer.net->forward(layer.x));
}

void linear_function(Layer layer, const std::string& file) {
  const torchbook::Trace trace(file, *layer.net);
  torch::relu(torch::linear(layer.x, layer.net->weight, layer.net->bias));
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

/// Runs a cell of an LSTM, written by hand, for three steps and backward. Compilers evaluate its operands in
/// their own order.
void lstm_cell(const std::string& file) {
  const Tensor weight = numbers({3 + 4, 16}).requires_grad_();
  const Tensor x = numbers({3, 2, 3});
  const torchbook::Trace trace(file);
  Tensor h = torch::zeros({2, 4});
  Tensor c = torch::zeros({2, 4});
  for (int step = 0; step < 3; ++step) {
    const auto gates = torch::cat({x[step], h}, 1).matmul(weight).chunk(4, 1);
    c = torch::sigmoid(gates[1]) * c + torch::sigmoid(gates[0]) * torch::tanh(gates[2]);
    h = torch::sigmoid(gates[3]) * torch::tanh(c);
  }
  h.sum().backward();
}

}  // namespace

int main(int, char** arguments) {
  const std::map<std::string, std::function<void(const std::string&)>> cases = {
      {"module_of_long_sums", [](const std::string& file) { linear_module(long_sums(), file); }},
      {"function_of_long_sums", [](const std::string& file) { linear_function(long_sums(), file); }},
      {"module_halfway", [](const std::string& file) { linear_module(halfway(), file); }},
      {"function_halfway", [](const std::string& file) { linear_function(halfway(), file); }},
      {"difference_of_randoms", difference_of_randoms},
      {"ordered_randoms", ordered_randoms},
      {"lstm_cell", lstm_cell}};
  cases.at(arguments[1])(arguments[2]);
}
