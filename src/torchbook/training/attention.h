// nn.MultiheadAttention with the operations of Python's.
#pragma once

#include <ATen/ATen.h>
#include <torch/nn/modules/activation.h>
#include <torch/nn/pimpl.h>
#include <torch/version.h>

#include <cstdint>
#include <tuple>

// PyTorch 2 runs other operations.
#if TORCH_VERSION_MAJOR < 2

namespace torchbook::nn::inline v1 {

/// The arguments of Python's `nn.MultiheadAttention(embed_dim, num_heads, dropout, bias,
/// batch_first=batch_first)`.
struct MultiheadAttentionOptions {
  MultiheadAttentionOptions(std::int64_t embed_dim, std::int64_t num_heads)
      : embed_dim_(embed_dim), num_heads_(num_heads) {}

  TORCH_ARG(std::int64_t, embed_dim);
  TORCH_ARG(std::int64_t, num_heads);
  TORCH_ARG(double, dropout) = 0.0;
  TORCH_ARG(bool, bias) = true;
  TORCH_ARG(bool, batch_first) = false;
};

/// Multi-head attention with the operations of PyTorch 1.13's `nn.MultiheadAttention`. LibTorch's
/// own lacks `batch_first` and scales the queries differently, so its last bits differ. Initial
/// weights and printed text are those of `torch::nn::MultiheadAttention`.
class MultiheadAttentionImpl : public torch::nn::MultiheadAttentionImpl {
 public:
  explicit MultiheadAttentionImpl(const MultiheadAttentionOptions& chosen);
  MultiheadAttentionImpl(std::int64_t embed_dim, std::int64_t num_heads)
      : MultiheadAttentionImpl(MultiheadAttentionOptions(embed_dim, num_heads)) {}

  /// Returns the output and the attention weights. Their shapes are (L, N, E) and (N, L, S), or (N,
  /// L, E) and (N, L, S) with `batch_first`, or (L, E) and (L, S) for a `query` with two
  /// dimensions. Weights that are not averaged have a dimension for the heads: (N, num_heads, L,
  /// S). If they are not needed, they are undefined, which means None. An undefined mask means
  /// None, too. Throws c10::Error if the sizes do not fit.
  std::tuple<at::Tensor, at::Tensor> forward(at::Tensor query, at::Tensor key, at::Tensor value,
                                             at::Tensor key_padding_mask = {}, bool need_weights = true,
                                             const at::Tensor& attn_mask = {},
                                             bool average_attn_weights = true);

 private:
  bool takes_fast_path(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                       const at::Tensor& attn_mask) const;
  std::tuple<at::Tensor, at::Tensor, at::Tensor> projected(const at::Tensor& query, const at::Tensor& key,
                                                           const at::Tensor& value) const;

  std::tuple<at::Tensor, at::Tensor> attended(const at::Tensor& query, const at::Tensor& key,
                                              const at::Tensor& value, const at::Tensor& key_padding_mask,
                                              const at::Tensor& attn_mask) const;

  bool batch_first_;
};
TORCH_MODULE(MultiheadAttention);

}  // namespace torchbook::nn::inline v1

#endif
