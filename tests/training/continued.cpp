// Trains three steps of a small language model: continued IN OUT OPTIMIZER. It continues from the checkpoint
// IN and writes OUT. Or prints the next twelve rates of a scheduler that was saved in IN and made with other
// numbers here: continued IN SCHEDULER. state_dict_test.py does the same in Python.
#include <torch/torch.h>
#include <torchbook/pyrepr/pyrepr.h>
#include <torchbook/training/checkpoint.h>
#include <torchbook/training/nn.h>
#include <torchbook/training/optim.h>
#include <torchbook/training/schedulers.h>
#include <torchbook/training/state_dict.h>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace {

using torch::Tensor;
namespace F = torch::nn::functional;

struct Model : torch::nn::Module {
  torch::nn::Embedding embedding = register_module("embedding", torch::nn::Embedding(11, 8));
  torchbook::nn::Linear hidden = register_module("hidden", torchbook::nn::Linear(8, 16));
  torch::nn::LayerNorm norm =
      register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({16})));
  torch::nn::BatchNorm1d batch_norm = register_module("batch_norm", torch::nn::BatchNorm1d(16));
  torch::nn::Dropout dropout = register_module("dropout", torch::nn::Dropout(0.2));
  torchbook::nn::Linear out =
      register_module("out", torchbook::nn::Linear(torch::nn::LinearOptions(16, 11).bias(false)));
  Tensor calls = register_buffer("calls", torch::zeros({}, torch::kInt64));

  Tensor forward(const Tensor& tokens) {  // (batch, time)
    calls += 1;
    const Tensor channels = torch::gelu(norm(hidden(embedding(tokens)))).flatten(0, 1);  // (batch * time, 16)
    return out(dropout(batch_norm(channels))).unflatten(0, {2, 5});                      // (batch, time, 11)
  }
};

std::unique_ptr<torch::optim::Optimizer> make_optimizer(const std::string& name,
                                                        const std::vector<Tensor>& parameters) {
  namespace optim = torch::optim;
  if (name == "SGD") {
    return std::make_unique<torchbook::optim::SGD>(
        parameters, optim::SGDOptions(0.1).momentum(0.9).nesterov(true).weight_decay(0.01));
  }
  if (name == "Adam") {
    return std::make_unique<torchbook::optim::Adam>(
        parameters, optim::AdamOptions(0.01).weight_decay(0.01).amsgrad(true));
  }
  if (name == "AdamW") {
    return std::make_unique<torchbook::optim::AdamW>(parameters, optim::AdamWOptions(0.01).betas({0.8, 0.9}));
  }
  if (name == "RMSprop") {
    return std::make_unique<torchbook::optim::RMSprop>(
        parameters, optim::RMSpropOptions(0.01).momentum(0.5).centered(true));
  }
  if (name == "Adagrad")
    return std::make_unique<torchbook::optim::Adagrad>(parameters, optim::AdagradOptions(0.01).lr_decay(0.1));
  throw std::invalid_argument("there is no optimizer " + name);
}

void train(const std::string& in, const std::string& out, const std::string& optimizer_name) {
  auto checkpoint = torchbook::load(in).toGenericDict();
  Model model;
  torchbook::nn::load_state_dict(model, torchbook::nn::StateDict(checkpoint.at("model")));
  torch::manual_seed(7);  // for the dropout
  const auto optimizer = make_optimizer(optimizer_name, model.parameters());
  torchbook::optim::CosineAnnealingLR schedule(*optimizer, 10);
  if (checkpoint.contains("optim")) {
    torchbook::optim::load_state_dict(*optimizer, checkpoint.at("optim"));
    schedule.load_state_dict(checkpoint.at("schedule"));
  }
  for (int step = 0; step < 3; ++step) {
    const Tensor tokens = (torch::arange(10).view({2, 5}) * (step + 3)) % 11;  // (batch, time)
    optimizer->zero_grad();
    F::cross_entropy(model.forward(tokens).flatten(0, 1), tokens.roll(-1, 1).flatten()).backward();
    optimizer->step();
    schedule.step();
  }
  checkpoint.insert_or_assign("model", torchbook::nn::state_dict(model));
  checkpoint.insert_or_assign("optim", torchbook::optim::state_dict(*optimizer));
  checkpoint.insert_or_assign("schedule", schedule.state_dict());
  torchbook::save(checkpoint, out);
}

void print_rates(const std::string& in, const std::string& name) {
  namespace optim = torchbook::optim;
  const auto checkpoint = torchbook::load(in).toGenericDict();
  optim::SGD optimizer({torch::ones(1).requires_grad_()}, torch::optim::SGDOptions(0.1).momentum(0.9));
  const auto print = [&](auto& schedule, const auto& step) {
    optim::load_state_dict(optimizer, checkpoint.at("optim"));
    schedule.load_state_dict(checkpoint.at("schedule"));
    for (int i = 0; i < 12; ++i) {
      step(schedule);
      std::cout << torchbook::pyrepr::repr(schedule.get_last_lr().front()) << '\n';
    }
  };
  const auto step = [](auto& schedule) { schedule.step(); };
  optim::ExponentialLR first(optimizer, 0.5), second(optimizer, 0.25);
  if (name == "MultiStepLR") {
    optim::MultiStepLR schedule(optimizer, {2});
    print(schedule, step);
  } else if (name == "SequentialLR") {
    optim::SequentialLR schedule(optimizer, {first, second}, {2});
    print(schedule, step);
  } else if (name == "OneCycleLR") {
    optim::OneCycleLR schedule(optimizer, {0.3, 20});
    print(schedule, step);
  } else {
    optim::ReduceLROnPlateau schedule(optimizer);
    print(schedule, [](auto& plateau) { plateau.step(3); });
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 3) {
      print_rates(argv[1], argv[2]);
    } else {
      train(argv[1], argv[2], argv[3]);
    }
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
