// The modules of GPT-2 with the twelve blocks of its smallest size, but narrow, so that they are made
// quickly.
#pragma once

#include <ATen/ATen.h>
#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/container/modulelist.h>
#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/normalization.h>

#include <string>

// gpt2.py has the same modules in the same order.
namespace gpt2 {

namespace nn = torch::nn;

constexpr std::int64_t width = 48;
constexpr std::int64_t words = 503;

inline nn::LayerNorm layer_norm() { return nn::LayerNorm(nn::LayerNormOptions({width})); }
inline nn::GELU gelu() { return nn::GELU(nn::GELUOptions().approximate("tanh")); }

struct Attention : nn::Module {
  Attention() {
    register_module("c_attn", nn::Linear(width, 3 * width));
    register_module("c_proj", nn::Linear(width, width));
    register_module("attn_dropout", nn::Dropout(0.1));
    register_module("resid_dropout", nn::Dropout(0.1));
  }
};

struct MLP : nn::Module {
  MLP() {
    register_module("c_fc", nn::Linear(width, 4 * width));
    register_module("c_proj", nn::Linear(4 * width, width));
    register_module("act", gelu());
    register_module("dropout", nn::Dropout(0.1));
  }
};

struct Block : nn::Module {
  Block() {
    register_module("ln_1", layer_norm());
    register_module("attn", std::make_shared<Attention>());
    register_module("ln_2", layer_norm());
    register_module("mlp", std::make_shared<MLP>());
  }
};

struct GPT2 : nn::Module {
  GPT2() {
    register_module("wte", nn::Embedding(words, width));
    register_module("wpe", nn::Embedding(32, width));
    register_module("drop", nn::Dropout(0.1));
    const auto blocks = register_module("h", nn::ModuleList());
    for (int i = 0; i < 12; ++i) blocks->push_back(Block());
    register_module("ln_f", layer_norm());
    register_module("lm_head", nn::Linear(nn::LinearOptions(width, words).bias(false)));
  }
};

using State = torch::OrderedDict<std::string, at::Tensor>;

/// Returns the names and tensors of a model's state, with values that Python makes, too.
inline State state_dict(const GPT2& model) {
  State state;
  for (const auto& parameter : model.named_parameters()) {
    const auto sizes = parameter.value().sizes();
    state.insert(parameter.key(), at::arange(parameter.value().numel()).view(sizes) / 7);
  }
  return state;
}

}  // namespace gpt2
