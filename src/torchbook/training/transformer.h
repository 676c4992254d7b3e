// nn.TransformerEncoderLayer and nn.TransformerEncoder with the operations of Python's.
#pragma once

#include <ATen/ATen.h>
#include <c10/util/Optional.h>
#include <torch/nn/cloneable.h>
#include <torch/nn/modules/common.h>
#include <torch/nn/modules/container/any.h>
#include <torch/nn/modules/container/any_value.h>
#include <torch/nn/modules/container/modulelist.h>
#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/normalization.h>
#include <torch/nn/options/transformerlayer.h>
#include <torch/nn/pimpl.h>
#include <torchbook/training/attention.h>
#include <torchbook/training/nn.h>

#include <cstdint>
#include <memory>
#include <utility>

#pragma GCC visibility push(default)
namespace torchbook::nn::inline v1 {

/// Options of TransformerEncoderLayer: the arguments of Python's `nn.TransformerEncoderLayer`.
struct TransformerEncoderLayerOptions {
  TransformerEncoderLayerOptions(std::int64_t d_model, std::int64_t nhead)
      : d_model_(d_model), nhead_(nhead) {}

  /// The width of inputs and outputs, a multiple of `nhead`.
  TORCH_ARG(std::int64_t, d_model);
  TORCH_ARG(std::int64_t, nhead);
  /// The width between the two linear layers.
  TORCH_ARG(std::int64_t, dim_feedforward) = 2048;
  TORCH_ARG(double, dropout) = 0.1;
  /// torch::kReLU, torch::kGELU or a function.
  TORCH_ARG(torch::nn::activation_t, activation) = torch::kReLU;
  TORCH_ARG(double, layer_norm_eps) = 1e-5;
  /// Whether a batch has the shape (N, L, E), not (L, N, E).
  TORCH_ARG(bool, batch_first) = false;
  /// Whether the inputs of attention and of the linear layers are normalized, not the sums after them.
  TORCH_ARG(bool, norm_first) = false;
  /// Whether there are biases. PyTorch 1.13 always has them.
  TORCH_ARG(bool, bias) = true;
};

/// Attention followed by two linear layers, with the operations, initial weights and text of Python's
/// `nn.TransformerEncoderLayer` in the release of LibTorch that it is compiled with.
class TransformerEncoderLayerImpl : public torch::nn::Cloneable<TransformerEncoderLayerImpl> {
 public:
  explicit TransformerEncoderLayerImpl(TransformerEncoderLayerOptions chosen) : options(std::move(chosen)) {
    TransformerEncoderLayerImpl::reset();
  }
  TransformerEncoderLayerImpl(std::int64_t d_model, std::int64_t nhead)
      : TransformerEncoderLayerImpl(TransformerEncoderLayerOptions(d_model, nhead)) {}

  /// Makes the layers and draws their initial weights.
  void reset() override;

  /// Returns a copy, with parameters of its own, on `device` if it is given.
  std::shared_ptr<torch::nn::Module> clone(
      const c10::optional<torch::Device>& device = c10::nullopt) const override;

  /// Returns an output of the shape of `src`: (L, N, E), (N, L, E) with `batch_first`, or (L, E). Masks are
  /// those of MultiheadAttention: `src_mask` is its `attn_mask`. Throws c10::Error if something does not fit.
  at::Tensor forward(const at::Tensor& src, at::Tensor src_mask = {}, at::Tensor src_key_padding_mask = {},
                     bool is_causal = false);

  TransformerEncoderLayerOptions options;
  MultiheadAttention self_attn{nullptr};
  Linear linear1{nullptr}, linear2{nullptr};
  torch::nn::Dropout dropout{nullptr}, dropout1{nullptr}, dropout2{nullptr};
  torch::nn::LayerNorm norm1{nullptr}, norm2{nullptr};

 protected:
  FORWARD_HAS_DEFAULT_ARGS({1, torch::nn::AnyValue(at::Tensor())}, {2, torch::nn::AnyValue(at::Tensor())},
                           {3, torch::nn::AnyValue(false)})

 private:
  friend class TransformerEncoderImpl;
  void drop_biases();
  bool is_fast(const at::Tensor& src) const;
  at::Tensor feed_forward(const at::Tensor& x);
};
TORCH_MODULE(TransformerEncoderLayer);

/// Options of TransformerEncoder: the arguments of Python's `nn.TransformerEncoder`.
struct TransformerEncoderOptions {
  TransformerEncoderOptions(TransformerEncoderLayer encoder_layer, std::int64_t num_layers)
      : encoder_layer_(std::move(encoder_layer)), num_layers_(num_layers) {}

  /// The layer that is copied.
  TORCH_ARG(TransformerEncoderLayer, encoder_layer);
  TORCH_ARG(std::int64_t, num_layers);
  /// A module for the output of the last layer, if any.
  TORCH_ARG(torch::nn::AnyModule, norm);
  /// Whether evaluation leaves out padded keys, if it can. Outputs for them are 0 then.
  TORCH_ARG(bool, enable_nested_tensor) = true;
  /// Whether to look if `src_key_padding_mask` hides only the last keys, which leaving out needs.
  TORCH_ARG(bool, mask_check) = true;
};

/// A stack of copies of a TransformerEncoderLayer, with the operations and text of Python's
/// `nn.TransformerEncoder` in the release of LibTorch that it is compiled with.
class TransformerEncoderImpl : public torch::nn::Cloneable<TransformerEncoderImpl> {
 public:
  explicit TransformerEncoderImpl(TransformerEncoderOptions chosen) : options(std::move(chosen)) {
    TransformerEncoderImpl::reset();
  }
  TransformerEncoderImpl(TransformerEncoderLayer encoder_layer, std::int64_t num_layers)
      : TransformerEncoderImpl(TransformerEncoderOptions(std::move(encoder_layer), num_layers)) {}

  /// Makes the layers. As in Python, this draws no numbers.
  void reset() override;

  /// Passes `src` through all layers. The arguments are those of TransformerEncoderLayer, except that without
  /// `is_causal`, PyTorch 2 looks whether `mask` is causal. Throws c10::Error if something does not fit.
  at::Tensor forward(const at::Tensor& src, at::Tensor mask = {}, at::Tensor src_key_padding_mask = {},
                     c10::optional<bool> is_causal = c10::nullopt);

  TransformerEncoderOptions options;
  torch::nn::ModuleList layers;
  torch::nn::AnyModule norm;  ///< may be empty

 protected:
  FORWARD_HAS_DEFAULT_ARGS({1, torch::nn::AnyValue(at::Tensor())}, {2, torch::nn::AnyValue(at::Tensor())},
                           {3, torch::nn::AnyValue(c10::optional<bool>())})

 private:
  bool nests(const TransformerEncoderLayerImpl& first, const at::Tensor& src, const at::Tensor& mask,
             const at::Tensor& src_key_padding_mask) const;
};
TORCH_MODULE(TransformerEncoder);

}  // namespace torchbook::nn::inline v1
#pragma GCC visibility pop
