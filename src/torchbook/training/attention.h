// nn.MultiheadAttention with the operations of Python's.
#pragma once

#include <ATen/ATen.h>
#include <torch/nn/cloneable.h>
#include <torch/nn/modules/common.h>
#include <torch/nn/modules/container/any_value.h>
#include <torch/nn/pimpl.h>
#include <torchbook/training/nn.h>

#include <cstdint>
#include <tuple>

#pragma GCC visibility push(default)
namespace torchbook::nn::inline v1 {

/// Python's class of the output projection of an attention: a linear layer with another name.
class NonDynamicallyQuantizableLinearImpl : public LinearImpl {
 public:
  using LinearImpl::LinearImpl;
};
TORCH_MODULE(NonDynamicallyQuantizableLinear);

/// Options of MultiheadAttention: the arguments of Python's `nn.MultiheadAttention` but for `kdim`, `vdim`,
/// `add_bias_kv` and `add_zero_attn`.
struct MultiheadAttentionOptions {
  MultiheadAttentionOptions(std::int64_t embed_dim, std::int64_t num_heads)
      : embed_dim_(embed_dim), num_heads_(num_heads) {}

  /// The width of inputs and outputs, a multiple of `num_heads`.
  TORCH_ARG(std::int64_t, embed_dim);
  TORCH_ARG(std::int64_t, num_heads);
  /// The probability that a weight of the attention is dropped in training.
  TORCH_ARG(double, dropout) = 0.0;
  /// Whether the projections have biases.
  TORCH_ARG(bool, bias) = true;
  /// Whether a batch has the shape (N, L, E), not (L, N, E).
  TORCH_ARG(bool, batch_first) = false;
};

/// Multi-head attention with the operations, initial weights and text of Python's
/// `nn.MultiheadAttention` in the release of LibTorch that it is compiled with. LibTorch's own
/// lacks `batch_first` and runs other operations, so its last bits differ.
class MultiheadAttentionImpl : public torch::nn::Cloneable<MultiheadAttentionImpl> {
 public:
  explicit MultiheadAttentionImpl(const MultiheadAttentionOptions& chosen);
  MultiheadAttentionImpl(std::int64_t embed_dim, std::int64_t num_heads)
      : MultiheadAttentionImpl(MultiheadAttentionOptions(embed_dim, num_heads)) {}

  /// Makes the parameters and draws their initial values.
  void reset() override;

  /// Returns the output and the attention weights. Their shapes are (L, N, E) and (N, L, S), or (N,
  /// L, E) and (N, L, S) with `batch_first`, or (L, E) and (L, S) for a `query` with two
  /// dimensions. Weights that are not averaged have a dimension for the heads: (N, num_heads, L,
  /// S). If they are not needed, they are undefined, which means None. An undefined mask means
  /// None, too: `key_padding_mask` is (N, S), `attn_mask` is (L, S) or (N * num_heads, L, S), and
  /// either is bool, where true hides a key, or floating-point. `is_causal` promises that
  /// `attn_mask` hides the keys after each query; PyTorch 1.13 does not have it. Throws c10::Error
  /// if something does not fit.
  std::tuple<at::Tensor, at::Tensor> forward(at::Tensor query, at::Tensor key, at::Tensor value,
                                             at::Tensor key_padding_mask = {}, bool need_weights = true,
                                             at::Tensor attn_mask = {}, bool average_attn_weights = true,
                                             bool is_causal = false);

  MultiheadAttentionOptions options;
  at::Tensor in_proj_weight;                          ///< (3 * E, E): of queries, keys and values
  at::Tensor in_proj_bias;                            ///< (3 * E), undefined without biases
  NonDynamicallyQuantizableLinear out_proj{nullptr};  ///< (E, E)

 protected:
  FORWARD_HAS_DEFAULT_ARGS({3, torch::nn::AnyValue(at::Tensor())}, {4, torch::nn::AnyValue(true)},
                           {5, torch::nn::AnyValue(at::Tensor())}, {6, torch::nn::AnyValue(true)},
                           {7, torch::nn::AnyValue(false)})

 private:
  bool takes_fast_path(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value) const;
  std::tuple<at::Tensor, at::Tensor, at::Tensor> project(const at::Tensor& query, const at::Tensor& key,
                                                         const at::Tensor& value) const;
  void check_shapes(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                    const at::Tensor& key_padding_mask, const at::Tensor& attn_mask) const;
  std::tuple<at::Tensor, at::Tensor> attend(const at::Tensor& query, const at::Tensor& key,
                                            const at::Tensor& value, const at::Tensor& key_padding_mask,
                                            at::Tensor attn_mask, bool need_weights, bool is_causal) const;
};
TORCH_MODULE(MultiheadAttention);

}  // namespace torchbook::nn::inline v1
#pragma GCC visibility pop
