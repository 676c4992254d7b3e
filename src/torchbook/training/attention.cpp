#include <torchbook/training/attention.h>

#if TORCH_VERSION_MAJOR < 2

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace torchbook::nn::inline v1 {
namespace {

/// Merges both masks into one that is added to the scores: (N * num_heads or 1, L or 1, S). Returns
/// an undefined tensor if there is no mask.
at::Tensor added_mask(at::Tensor attn_mask, const at::Tensor& key_padding_mask,
                      const at::Tensor& heads_of_queries, std::int64_t batch, std::int64_t num_heads,
                      std::int64_t source) {
  constexpr auto minus_infinity = -std::numeric_limits<double>::infinity();
  if (attn_mask.defined() && attn_mask.dim() == 2) attn_mask = attn_mask.unsqueeze(0);
  if (key_padding_mask.defined()) {
    const auto padding = key_padding_mask.view({batch, 1, 1, source})
                             .expand({-1, num_heads, -1, -1})
                             .reshape({batch * num_heads, 1, source});
    attn_mask = !attn_mask.defined()                   ? padding
                : attn_mask.scalar_type() == at::kBool ? attn_mask.logical_or(padding)
                                                       : attn_mask.masked_fill(padding, minus_infinity);
  }
  if (!attn_mask.defined() || attn_mask.scalar_type() != at::kBool) return attn_mask;
  auto floats = at::zeros_like(attn_mask, heads_of_queries.options().dtype());
  return floats.masked_fill_(attn_mask, minus_infinity);
}

}  // namespace

MultiheadAttentionImpl::MultiheadAttentionImpl(const MultiheadAttentionOptions& chosen)
    : torch::nn::MultiheadAttentionImpl(
          torch::nn::MultiheadAttentionOptions(chosen.embed_dim(), chosen.num_heads())
              .dropout(chosen.dropout())
              .bias(chosen.bias())),
      batch_first_(chosen.batch_first()) {}

bool MultiheadAttentionImpl::takes_fast_path(const at::Tensor& query, const at::Tensor& key,
                                             const at::Tensor& value, const at::Tensor& attn_mask) const {
  const bool itself = query.is_same(key) && key.is_same(value);
  const bool fits = query.scalar_type() == in_proj_weight.scalar_type() && options.num_heads() % 2 == 0;
  if (query.dim() != 3 || !itself || !fits || is_training() || !batch_first_ || options.dropout() != 0 ||
      attn_mask.defined())
    return false;
  const std::array<at::Tensor, 5> tensors = {query, in_proj_weight, in_proj_bias, out_proj->weight,
                                             out_proj->bias};
  return !at::GradMode::is_enabled() ||
         std::none_of(tensors.begin(), tensors.end(),
                      [](const at::Tensor& each) { return each.defined() && each.requires_grad(); });
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> MultiheadAttentionImpl::projected(
    const at::Tensor& query, const at::Tensor& key, const at::Tensor& value) const {
  const auto& weight = in_proj_weight;
  const auto& bias = in_proj_bias;
  if (key.is_same(value) && query.is_same(key)) {
    const auto parts = at::linear(query, weight, bias).chunk(3, -1);
    return {parts[0], parts[1], parts[2]};
  }
  if (key.is_same(value)) {
    const auto size = query.size(-1);
    const auto weights = weight.split_with_sizes({size, size * 2});
    const auto biases = bias.defined() ? bias.split_with_sizes({size, size * 2}) : std::vector<at::Tensor>(2);
    const auto queries = at::linear(query, weights[0], biases[0]);
    const auto others = at::linear(key, weights[1], biases[1]).chunk(2, -1);
    return {queries, others[0], others[1]};
  }
  const auto weights = weight.chunk(3);
  const auto biases = bias.defined() ? bias.chunk(3) : std::vector<at::Tensor>(3);
  const auto queries = at::linear(query, weights[0], biases[0]);
  const auto keys = at::linear(key, weights[1], biases[1]);
  return {queries, keys, at::linear(value, weights[2], biases[2])};
}

std::tuple<at::Tensor, at::Tensor> MultiheadAttentionImpl::attended(const at::Tensor& query,
                                                                    const at::Tensor& key,
                                                                    const at::Tensor& value,
                                                                    const at::Tensor& key_padding_mask,
                                                                    const at::Tensor& attn_mask) const {
  const auto num_heads = options.num_heads();
  const auto target = query.size(0), batch = query.size(1), embed_dim = query.size(2);
  auto [q, k, v] = projected(query, key, value);
  const auto in_heads = [&](const at::Tensor& x) {
    return x.contiguous().view({x.size(0), batch * num_heads, embed_dim / num_heads}).transpose(0, 1);
  };
  q = in_heads(q);  // (N * num_heads, L, E / num_heads)
  k = in_heads(k);
  v = in_heads(v);
  const auto mask = added_mask(attn_mask, key_padding_mask, q, batch, num_heads, key.size(0));
  const auto scaled = q / std::sqrt(static_cast<double>(q.size(-1)));
  const auto scores =
      mask.defined() ? at::baddbmm(mask, scaled, k.transpose(-2, -1)) : at::bmm(scaled, k.transpose(-2, -1));
  auto weights = at::softmax(scores, -1);  // (N * num_heads, L, S)
  if (is_training() && options.dropout() > 0)
    weights = at::dropout(weights, options.dropout(), /*train=*/true);
  auto output = at::bmm(weights, v).transpose(0, 1).contiguous().view({target * batch, embed_dim});
  output = at::linear(output, out_proj->weight, out_proj->bias);
  return {output.view({target, batch, output.size(1)}), weights};
}

std::tuple<at::Tensor, at::Tensor> MultiheadAttentionImpl::forward(
    at::Tensor query, at::Tensor key, at::Tensor value, at::Tensor key_padding_mask, bool need_weights,
    const at::Tensor& attn_mask, bool average_attn_weights) {
  const auto num_heads = options.num_heads();
  if (takes_fast_path(query, key, value, attn_mask)) {
    const bool pads = key_padding_mask.defined();
    return at::_native_multi_head_attention(
        query, key, value, options.embed_dim(), num_heads, in_proj_weight, in_proj_bias, out_proj->weight,
        out_proj->bias, pads ? c10::optional<at::Tensor>(key_padding_mask) : c10::nullopt, need_weights,
        average_attn_weights, pads ? c10::optional<std::int64_t>(1) : c10::nullopt);
  }
  const bool batched = query.dim() == 3;
  const auto reordered = [&](const at::Tensor& x) {
    return !batched ? x.unsqueeze(1) : batch_first_ ? x.transpose(1, 0) : x;
  };
  // Without a batch, Python unsqueezes query, key and value separately, even if they are one
  // tensor.
  const bool same_key = batched && query.is_same(key), same_value = batched && key.is_same(value);
  query = reordered(query);  // (L, N, E)
  key = same_key ? query : reordered(key);
  value = same_value ? key : reordered(value);
  if (!batched && key_padding_mask.defined()) key_padding_mask = key_padding_mask.unsqueeze(0);
  auto [output, weights] = attended(query, key, value, key_padding_mask, attn_mask);
  if (need_weights) {
    weights = weights.view({query.size(1), num_heads, query.size(0), key.size(0)});
    if (average_attn_weights) weights = weights.sum(1) / num_heads;
    if (!batched) weights = weights.squeeze(0);
  } else {
    weights = at::Tensor();
  }
  if (!batched) output = output.squeeze(1);
  return {batch_first_ && batched ? output.transpose(1, 0) : output, weights};
}

}  // namespace torchbook::nn::inline v1

#endif
