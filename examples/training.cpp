#include <torch/torch.h>
#include <torchbook/pyrepr/pyrepr.h>
#include <torchbook/training/checkpoint.h>
#include <torchbook/training/data.h>
#include <torchbook/training/nn.h>
#include <torchbook/training/optim.h>
#include <torchbook/training/schedulers.h>
#include <torchbook/training/state_dict.h>

using torch::Tensor;
namespace F = torch::nn::functional;
namespace py = torchbook::pyrepr;
namespace nn = torchbook::nn;
namespace optim = torchbook::optim;
namespace data = torchbook::data;

int main() {
  torch::manual_seed(1);
  const Tensor x = torch::rand({64, 3});  // (batch, features)
  const Tensor y = (x.sum(1, /*keepdim=*/true) > 1.5).to(torch::kFloat);
  const data::DataLoader loader(data::TensorDataset(x, y), data::DataLoaderOptions(16).shuffle(true));
  torch::nn::Sequential model{nn::Linear(3, 8), torch::nn::GELU(),
                              nn::Linear(8, 1)};  // braces keep the order
  optim::AdamW optimizer(model->parameters(), torch::optim::AdamWOptions().weight_decay(0.1));
  optim::OneCycleLR schedule(optimizer, optim::OneCycleLROptions(/*max_lr=*/0.1, /*total_steps=*/20));
  for (int epoch = 0; epoch < 5; ++epoch) {
    double total = 0;
    for (const auto& [features, target] : loader) {
      const Tensor loss = F::binary_cross_entropy_with_logits(model->forward(features), target);
      optimizer.zero_grad();
      loss.backward();
      nn::clip_grad_norm_(model->parameters(), 1.0);
      optimizer.step();
      schedule.step();
      total += loss.item<double>() * static_cast<double>(features.size(0));
    }
    py::print(epoch, total / static_cast<double>(x.size(0)), schedule.get_last_lr());
  }
  torchbook::save(
      torchbook::dict(
          {{"model", nn::state_dict(*model)}, {"optim", optim::state_dict(optimizer)}, {"epoch", 5}}),
      "checkpoint.pth");
  py::print(nn::StateDict(torchbook::load("checkpoint.pth").toGenericDict().at("model")).at("2.weight"));
}
