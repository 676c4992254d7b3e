// Measures the training library for bench/training.py: torchbook_bench_training FOLDER. Prints JSON: the
// least seconds of each thing in a few rounds, by torchbook and, where LibTorch has it, by LibTorch's own.
#include <fmt/format.h>
#include <torch/torch.h>
#include <torchbook/training/checkpoint.h>
#include <torchbook/training/data.h>
#include <torchbook/training/optim.h>
#include <torchbook/training/state_dict.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

namespace {

using torch::Tensor;

void measure(const std::string& name, int rounds, const std::function<void()>& run) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < rounds; ++i) {
    const auto began = std::chrono::steady_clock::now();
    run();
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
  }
  std::cout << fmt::format("\"{}\": {},\n", name, least);
}

std::vector<Tensor> parameters(std::int64_t count, std::int64_t size) {
  std::vector<Tensor> made;
  for (std::int64_t i = 0; i < count; ++i) {
    made.push_back(torch::rand({size}).requires_grad_());
    made.back().mutable_grad() = torch::rand({size});
  }
  return made;
}

template <class Ours, class Theirs, class Options>
void measure_optimizer(const std::string& name, const Options& options) {
  for (const auto& [count, size] : {std::pair<std::int64_t, std::int64_t>{1, 10'000'000}, {200, 50'000}}) {
    auto of_ours = parameters(count, size), of_theirs = parameters(count, size);
    Ours ours(of_ours, options);
    Theirs theirs(of_theirs, options);
    measure(fmt::format("torchbook/{}, {} tensors", name, count), 10, [&] { ours.step(); });
    measure(fmt::format("libtorch/{}, {} tensors", name, count), 10, [&] { theirs.step(); });
  }
}

struct Both : torch::data::datasets::Dataset<Both> {
  Tensor x, y;
  Both(Tensor x_of, Tensor y_of) : x(std::move(x_of)), y(std::move(y_of)) {}
  torch::data::Example<> get(std::size_t i) override {
    const auto place = static_cast<std::int64_t>(i);
    return {x[place], y[place]};
  }
  torch::optional<std::size_t> size() const override { return static_cast<std::size_t>(x.size(0)); }
};

void measure_loaders() {
  const Tensor x = torch::rand({60'000, 784}), y = torch::arange(60'000);
  const torchbook::data::DataLoader ours(torchbook::data::TensorDataset(x, y),
                                         torchbook::data::DataLoaderOptions(64).shuffle(true));
  auto theirs = torch::data::make_data_loader<torch::data::samplers::RandomSampler>(
      Both(x, y).map(torch::data::transforms::Stack<>()), torch::data::DataLoaderOptions(64));
  double sum = 0;
  measure("torchbook/epoch", 3, [&] {
    for (const auto& [features, target] : ours) sum += features.sizes()[0];
  });
  measure("libtorch/epoch", 3, [&] {
    for (const auto& batch : *theirs) sum += batch.data.sizes()[0];
  });
}

}  // namespace

int main(int, char** argv) {
  torch::set_num_threads(1);
  const std::string folder = argv[1];
  std::cout << "{\n";
  namespace of = torch::optim;
  namespace ours = torchbook::optim;
  measure_optimizer<ours::SGD, of::SGD>("SGD", of::SGDOptions(0.01).momentum(0.9));
  measure_optimizer<ours::Adam, of::Adam>("Adam", of::AdamOptions(0.01));
  measure_optimizer<ours::AdamW, of::AdamW>("AdamW", of::AdamWOptions(0.01));
  measure_optimizer<ours::RMSprop, of::RMSprop>("RMSprop", of::RMSpropOptions(0.01));
  measure_optimizer<ours::Adagrad, of::Adagrad>("Adagrad", of::AdagradOptions(0.01));
  measure_loaders();
  const Tensor weights = torch::rand({40'000'000});
  torchbook::nn::StateDict state;
  state["weights"] = weights;
  measure("torchbook/save", 3, [&] { torchbook::save(state, folder + "/cpp.pt"); });
  measure("torchbook/load", 3, [&] { torchbook::load(folder + "/cpp.pt"); });
  measure("libtorch/save", 3, [&] { torch::save(weights, folder + "/libtorch.pt"); });
  Tensor loaded;
  measure("libtorch/load", 3, [&] { torch::load(loaded, folder + "/libtorch.pt"); });
  std::cout << "\"end\": 0}\n";
}
