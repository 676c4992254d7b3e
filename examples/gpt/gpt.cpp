// Trains a small GPT on the letters of a text, saves it half-way, continues from the checkpoint, and samples.
// gpt.py does the same in Python and prints the same: gpt TEXT CHECKPOINT.
#include <torch/torch.h>
#include <torchbook/pyrepr/pyrepr.h>
#include <torchbook/training/checkpoint.h>
#include <torchbook/training/nn.h>
#include <torchbook/training/optim.h>
#include <torchbook/training/schedulers.h>
#include <torchbook/training/state_dict.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <iterator>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace {

using torch::Tensor;
using torch::indexing::Slice;
namespace F = torch::nn::functional;
namespace py = torchbook::pyrepr;
namespace nn = torchbook::nn;
namespace optim = torchbook::optim;

constexpr std::int64_t context = 32, channels = 32, heads = 4, layers = 2, batch_size = 16, step_count = 60;

struct AttentionImpl : torch::nn::Module {
  nn::Linear qkv = register_module("qkv", nn::Linear(channels, 3 * channels));
  nn::Linear out = register_module("out", nn::Linear(channels, channels));
  torch::nn::Dropout dropout = register_module("dropout", torch::nn::Dropout(0.1));
  Tensor mask = register_buffer("mask", torch::tril(torch::ones({context, context})) == 0);  // (T, T)

  Tensor forward(const Tensor& x) {  // (B, T, C)
    const auto batch = x.size(0), time = x.size(1);
    const auto parts = qkv(x).split(channels, 2);
    const auto by_head = [&](const Tensor& each) {
      return each.view({batch, time, heads, -1}).transpose(1, 2);
    };
    const Tensor query = by_head(parts[0]), key = by_head(parts[1]),
                 value = by_head(parts[2]);  // (B, heads, T, C / heads)
    const Tensor scores =
        query.matmul(key.transpose(-2, -1)) / std::pow(channels / heads, 0.5);  // (B, heads, T, T)
    const Tensor masked = scores.masked_fill(mask.index({Slice(0, time), Slice(0, time)}),
                                             -std::numeric_limits<double>::infinity());
    const Tensor weights = dropout(torch::softmax(masked, -1));
    return out(weights.matmul(value).transpose(1, 2).reshape({batch, time, channels}));
  }
};
TORCH_MODULE(Attention);

struct BlockImpl : torch::nn::Module {
  torch::nn::LayerNorm norm1 =
      register_module("norm1", torch::nn::LayerNorm(torch::nn::LayerNormOptions({channels})));
  Attention attention = register_module("attention", Attention());
  torch::nn::LayerNorm norm2 =
      register_module("norm2", torch::nn::LayerNorm(torch::nn::LayerNormOptions({channels})));
  nn::Sequential mlp = register_module(  // braces draw the weights in order
      "mlp", nn::Sequential{nn::Linear(channels, 4 * channels), torch::nn::GELU(),
                            nn::Linear(4 * channels, channels)});

  Tensor forward(const Tensor& before) {  // (B, T, C)
    const Tensor x = before + attention(norm1(before));
    return x + mlp->forward(norm2(x));
  }
};
TORCH_MODULE(Block);

struct GPTImpl : torch::nn::Module {
  torch::nn::Embedding tokens, positions;
  nn::Sequential blocks;
  torch::nn::LayerNorm norm{nullptr};
  nn::Linear head{nullptr};

  explicit GPTImpl(std::int64_t vocabulary)
      : tokens(register_module("tokens", torch::nn::Embedding(vocabulary, channels))),
        positions(register_module("positions", torch::nn::Embedding(context, channels))) {
    for (std::int64_t i = 0; i < layers; ++i) blocks->push_back(Block());
    register_module("blocks", blocks);
    norm = register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({channels})));
    head = register_module("head", nn::Linear(torch::nn::LinearOptions(channels, vocabulary).bias(false)));
    nn::apply(*this, [](torch::nn::Module& module) {
      if (auto* linear = module.as<torch::nn::Linear>()) torch::nn::init::normal_(linear->weight, 0, 0.02);
      if (auto* embedding = module.as<torch::nn::Embedding>())
        torch::nn::init::normal_(embedding->weight, 0, 0.02);
    });
  }

  Tensor forward(const Tensor& ids) {  // (B, T)
    const Tensor x = tokens(ids) + positions(torch::arange(ids.size(1)));
    return head(norm(blocks->forward(x)));  // (B, T, vocabulary)
  }
};
TORCH_MODULE(GPT);

/// Returns the groups of parameters: only matrices decay.
std::vector<torch::optim::OptimizerParamGroup> groups(const torch::nn::Module& model,
                                                      const torch::optim::AdamWOptions& options) {
  std::vector<Tensor> matrices, vectors;
  for (const auto& each : model.parameters()) (each.dim() > 1 ? matrices : vectors).push_back(each);
  const auto with = [&](double decay) {
    return std::make_unique<torch::optim::AdamWOptions>(
        torch::optim::AdamWOptions(options).weight_decay(decay));
  };
  std::vector<torch::optim::OptimizerParamGroup> both;
  both.emplace_back(matrices, with(0.1));
  both.emplace_back(vectors, with(0.0));
  return both;
}

struct Training {
  GPT model;
  optim::AdamW optimizer;
  optim::LinearLR warm{optimizer, /*start_factor=*/0.1, /*end_factor=*/1.0, /*total_iters=*/10};
  optim::CosineAnnealingLR cold{optimizer, step_count - 10, /*eta_min=*/0.001};
  optim::SequentialLR schedule{optimizer, {warm, cold}, {10}};

  explicit Training(std::int64_t vocabulary)
      : model(vocabulary), optimizer(groups(*model, torch::optim::AdamWOptions(0.01).betas({0.9, 0.95}))) {}

  c10::IValue state(std::int64_t step) {
    return torchbook::dict({{"model", nn::state_dict(*model)},
                            {"optim", optim::state_dict(optimizer)},
                            {"schedule", schedule.state_dict()},
                            {"step", step}});
  }

  void load(const c10::impl::GenericDict& state) {
    nn::load_state_dict(*model, nn::StateDict(state.at("model")));
    optim::load_state_dict(optimizer, state.at("optim"));
    schedule.load_state_dict(state.at("schedule"));
  }

  void steps(const Tensor& ids, std::int64_t first, std::int64_t last) {
    for (std::int64_t step = first; step < last; ++step) {
      const Tensor starts = torch::randint(ids.size(0) - context, {batch_size});
      std::vector<Tensor> inputs, targets;
      for (std::int64_t i = 0; i < batch_size; ++i) {
        const auto start = starts[i].item<std::int64_t>();
        inputs.push_back(ids.slice(0, start, start + context));
        targets.push_back(ids.slice(0, start + 1, start + context + 1));
      }
      const Tensor x = torch::stack(inputs), y = torch::stack(targets);  // (B, T)
      const Tensor loss = F::cross_entropy(model(x).flatten(0, 1), y.flatten());
      optimizer.zero_grad();
      loss.backward();
      const Tensor norm = nn::clip_grad_norm_(model->parameters(), 1.0);
      optimizer.step();
      schedule.step();
      if (step % 10 == 9)
        py::print("step", step + 1, "loss", loss.item<double>(), "norm", norm.item<double>(), "rate",
                  schedule.get_last_lr()[0]);
    }
  }
};

Tensor sampled(GPT& model, Tensor ids, int count) {
  const torch::NoGradGuard no_grad;
  model->eval();
  for (int i = 0; i < count; ++i) {
    const Tensor logits =
        model(ids.slice(0, std::max<std::int64_t>(ids.size(0) - context, 0)).unsqueeze(0))[0][-1] / 0.8;
    ids = torch::cat({ids, torch::multinomial(torch::softmax(logits, -1), 1)});
  }
  return ids;
}

void run(const std::string& text_file, const std::string& checkpoint) {
  std::ifstream file(text_file);
  if (!file) throw std::runtime_error("cannot read " + text_file);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const std::set<char> letters(text.begin(), text.end());
  std::vector<std::int64_t> numbers;
  for (const char letter : text) numbers.push_back(std::distance(letters.begin(), letters.find(letter)));
  const Tensor ids = torch::tensor(numbers);
  const auto vocabulary = static_cast<std::int64_t>(letters.size());
  torch::manual_seed(1337);
  Training began(vocabulary);
  std::int64_t count = 0;
  for (const auto& each : began.model->parameters()) count += each.numel();
  py::print("parameters", count);
  began.steps(ids, 0, step_count / 2);
  torchbook::save(began.state(step_count / 2), checkpoint);
  Training goes_on(vocabulary);
  const auto state = torchbook::load(checkpoint).toGenericDict();
  goes_on.load(state);
  goes_on.steps(ids, state.at("step").toInt(), step_count);
  std::string sample;
  const Tensor drawn = sampled(goes_on.model, ids.slice(0, 0, 8), 80);
  for (std::int64_t i = 0; i < drawn.size(0); ++i)
    sample += *std::next(letters.begin(), drawn[i].item<std::int64_t>());
  py::print(sample);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) throw std::invalid_argument("usage: gpt TEXT CHECKPOINT");
  run(argv[1], argv[2]);
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
