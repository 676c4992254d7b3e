// A small GPT, and how it is trained. gpt.py has the same in Python.
#pragma once

#include <torch/torch.h>
#include <torchbook/pyrepr/pyrepr.h>
#include <torchbook/training/checkpoint.h>
#include <torchbook/training/nn.h>
#include <torchbook/training/optim.h>
#include <torchbook/training/schedulers.h>
#include <torchbook/training/state_dict.h>

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

namespace gpt {

using torch::Tensor;
using torch::indexing::Slice;
namespace F = torch::nn::functional;
namespace nn = torchbook::nn;
namespace optim = torchbook::optim;

constexpr std::int64_t context = 32, channels = 32, heads = 4, layers = 2, batch_size = 16;

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
inline std::vector<torch::optim::OptimizerParamGroup> groups(const torch::nn::Module& model,
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
  std::int64_t step_count;
  GPT model;
  optim::AdamW optimizer;
  optim::LinearLR warm{optimizer, /*start_factor=*/0.1, /*end_factor=*/1.0, /*total_iters=*/10};
  optim::CosineAnnealingLR cold{optimizer, step_count - 10, /*eta_min=*/0.001};
  optim::SequentialLR schedule{optimizer, {warm, cold}, {10}};

  Training(std::int64_t vocabulary, std::int64_t step_count)
      : step_count(step_count),
        model(vocabulary),
        optimizer(groups(*model, torch::optim::AdamWOptions(0.01).betas({0.9, 0.95}))) {}

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

  /// Trains from step `first` to step `last`. A batch has parts of `ids` that begin at some of `places`.
  void steps(const Tensor& ids, const Tensor& places, std::int64_t first, std::int64_t last,
             std::int64_t told = 10) {
    for (std::int64_t step = first; step < last; ++step) {
      const Tensor starts = places.index({torch::randint(places.size(0), {batch_size})});
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
      if ((step + 1) % told == 0)
        torchbook::pyrepr::print("step", step + 1, "loss", loss.item<double>(), "norm", norm.item<double>(),
                                 "rate", schedule.get_last_lr()[0]);
    }
  }
};

}  // namespace gpt
