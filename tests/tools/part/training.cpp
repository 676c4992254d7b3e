// Trains a small network as tests/tools/part/training_test.py does in Python: FAULT FILE. FAULT is the
// difference that it has from Python, or `none`.
#include <torch/torch.h>
#include <torchbook/trace/trace.h>
#include <torchbook/training/data.h>
#include <torchbook/training/nn.h>
#include <torchbook/training/optim.h>

#include <cmath>
#include <limits>
#include <string>

namespace {

using torch::Tensor;
namespace F = torch::nn::functional;

struct Net : torch::nn::Module {
  torchbook::nn::Linear first = register_module("first", torchbook::nn::Linear(6, 16));
  torchbook::nn::Linear second = register_module("second", torchbook::nn::Linear(16, 3));

  Tensor forward(Tensor x, const std::string& fault) {  // (batch, 6)
    x = torch::tanh(first(x));
    if (fault == "operation") x = torch::relu(x);
    x = F::layer_norm(x, F::LayerNormFuncOptions({16}).eps(fault == "argument" ? 1e-6 : 1e-5));
    if (fault == "draw") torch::rand({3});
    if (fault == "infinity") x = torch::log(x - x.amin());
    return second(torch::dropout(x, 0.2, is_training()));
  }
};

void train(const std::string& fault, const std::string& file) {
  torch::manual_seed(4);
  Net net;
  const Tensor x = torch::arange(60).to(torch::kFloat32).mul(0.37).sin().view({10, 6});
  const Tensor y = torch::arange(10) % 3;
  torchbook::optim::AdamW optimizer(net.parameters(), torch::optim::AdamWOptions(0.01));
  const torchbook::data::DataLoader loader(torchbook::data::TensorDataset(x, y),
                                           torchbook::data::DataLoaderOptions(4).shuffle(true));
  const torchbook::Trace trace(file, net);
  for (int epoch = 0; epoch < 2; ++epoch) {
    for (const auto& [inputs, labels] : loader) {
      optimizer.zero_grad();
      F::cross_entropy(net.forward(inputs, fault), labels).backward();
      optimizer.step();
    }
  }
}

}  // namespace

int main(int, char** arguments) { train(arguments[1], arguments[2]); }
