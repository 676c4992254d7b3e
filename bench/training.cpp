// Measures the training library for bench/training.py: torchbook_bench_training FOLDER NAME. For each line of
// standard input it runs the thing of that name once by torchbook and once by LibTorch's own, and prints
// the seconds of both.
#include <torch/torch.h>
#include <torchbook/training/checkpoint.h>
#include <torchbook/training/data.h>
#include <torchbook/training/optim.h>
#include <torchbook/training/state_dict.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

using torch::Tensor;

/// What is measured, by both.
struct Pair {
  std::function<void()> ours, theirs;
};

double seconds(const std::function<void()>& run) {
  const auto began = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
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
std::function<Pair()> steps(const Options& options, std::int64_t count) {
  return [options, count] {
    const auto size = 10'000'000 / count;
    const auto ours = std::make_shared<Ours>(parameters(count, size), options);
    const auto theirs = std::make_shared<Theirs>(parameters(count, size), options);
    return Pair{[ours] { ours->step(); }, [theirs] { theirs->step(); }};
  };
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

Pair epochs() {
  const Tensor x = torch::rand({60'000, 784}), y = torch::arange(60'000);
  using Set = torchbook::data::TensorDataset<Tensor, Tensor>;
  const auto ours = std::make_shared<torchbook::data::DataLoader<Set>>(
      Set(x, y), torchbook::data::DataLoaderOptions(64).shuffle(true));
  auto loader = torch::data::make_data_loader<torch::data::samplers::RandomSampler>(
      Both(x, y).map(torch::data::transforms::Stack<>()), torch::data::DataLoaderOptions(64));
  const std::shared_ptr theirs = std::move(loader);
  return {[ours] {
            for ([[maybe_unused]] const auto& batch : *ours) {
            }
          },
          [theirs] {
            for ([[maybe_unused]] const auto& batch : *theirs) {
            }
          }};
}

/// To a new file, as both do it at the same cost; replacing a file, save() writes a new one first.
Pair saves(const std::string& folder) {
  const Tensor weights = torch::rand({40'000'000});
  torchbook::nn::StateDict state;
  state["weights"] = weights;
  const auto ours = folder + "/cpp.pt", theirs = folder + "/libtorch.pt";
  return {[=] {
            std::filesystem::remove(ours);
            torchbook::save(state, ours);
          },
          [=] {
            std::filesystem::remove(theirs);
            torch::save(weights, theirs);
          }};
}

Pair loads(const std::string& folder) {
  const auto [ours, theirs] = saves(folder);
  ours(), theirs();
  return {[=] { torchbook::load(folder + "/cpp.pt"); },
          [=] {
            Tensor loaded;
            torch::load(loaded, folder + "/libtorch.pt");
          }};
}

std::map<std::string, std::function<Pair()>> things(const std::string& folder) {
  namespace of = torch::optim;
  namespace ours = torchbook::optim;
  std::map<std::string, std::function<Pair()>> made{
      {"epoch", epochs}, {"save", [=] { return saves(folder); }}, {"load", [=] { return loads(folder); }}};
  for (const std::int64_t count : {1, 200}) {
    const auto tensors = ", tensors: " + std::to_string(count);
    made["SGD" + tensors] = steps<ours::SGD, of::SGD>(of::SGDOptions(0.01).momentum(0.9), count);
    made["Adam" + tensors] = steps<ours::Adam, of::Adam>(of::AdamOptions(0.01), count);
    made["AdamW" + tensors] = steps<ours::AdamW, of::AdamW>(of::AdamWOptions(0.01), count);
    made["RMSprop" + tensors] = steps<ours::RMSprop, of::RMSprop>(of::RMSpropOptions(0.01), count);
    made["Adagrad" + tensors] = steps<ours::Adagrad, of::Adagrad>(of::AdagradOptions(0.01), count);
  }
  return made;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  torch::set_num_threads(1);
  const auto thing = things(argv[1]).at(argv[2])();
  for (std::string line; std::getline(std::cin, line);) {
    const auto ours = seconds(thing.ours);
    std::cout << ours << ' ' << seconds(thing.theirs) << std::endl;
  }
}
