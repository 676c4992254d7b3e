// Trains three steps of a small language model: training IN OUT. It reads the weights before them from IN and
// writes those after them to OUT. state_dict_test.py does the same in Python.
#include <torch/torch.h>
#include <torchbook/notebook/nn.h>
#include <torchbook/notebook/state_dict.h>

#include <iostream>

namespace {

using torch::Tensor;
namespace F = torch::nn::functional;

struct Model : torch::nn::Module {
  torch::nn::Embedding embedding = register_module("embedding", torch::nn::Embedding(11, 8));
  torchbook::nn::Linear hidden = register_module("hidden", torchbook::nn::Linear(8, 16));
  torch::nn::LayerNorm norm =
      register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({16})));
  torchbook::nn::Linear out =
      register_module("out", torchbook::nn::Linear(torch::nn::LinearOptions(16, 11).bias(false)));
  Tensor calls = register_buffer("calls", torch::zeros({}, torch::kInt64));

  Tensor forward(const Tensor& tokens) {  // (batch, time)
    calls += 1;
    return out(torch::gelu(norm(hidden(embedding(tokens)))));  // (batch, time, 11)
  }
};

void train(const std::string& in, const std::string& out) {
  Model model;
  torchbook::nn::load_state_dict(model, in);
  torch::optim::AdamW optimizer(model.parameters(), torch::optim::AdamWOptions(0.01));
  for (int step = 0; step < 3; ++step) {
    const Tensor tokens = (torch::arange(10).view({2, 5}) * (step + 3)) % 11;  // (batch, time)
    optimizer.zero_grad();
    F::cross_entropy(model.forward(tokens).flatten(0, 1), tokens.roll(-1, 1).flatten()).backward();
    optimizer.step();
  }
  torchbook::nn::save_state_dict(model, out);
}

}  // namespace

int main(int, char** argv) {
  try {
    train(argv[1], argv[2]);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
