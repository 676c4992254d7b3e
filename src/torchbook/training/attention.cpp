#include <ATen/ScalarOps.h>
#include <ATen/autocast_mode.h>
#include <torch/nn/init.h>
#include <torchbook/pyrepr/release.h>
#include <torchbook/training/attention.h>
#include <torchbook/training/fast_path.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace torchbook::nn::inline v1 {
namespace {

constexpr auto minus_infinity = -std::numeric_limits<double>::infinity();

at::Tensor zeros_and_infinities(const at::Tensor& mask, at::ScalarType type) {
  return at::zeros_like(mask, mask.options().dtype(type)).masked_fill_(mask, minus_infinity);
}

bool autocasts() {
#if TORCHBOOK_LIBTORCH_AT_LEAST(2, 4)
  return at::autocast::is_autocast_enabled(at::kCUDA);
#else
  return at::autocast::is_enabled();
#endif
}

/// Splits a joint projection of queries, keys and values, or of keys and values.
std::vector<at::Tensor> parts_of(const at::Tensor& projected, std::int64_t count) {
#if TORCH_VERSION_MAJOR < 2
  return projected.chunk(count, -1);
#else
  const auto stacked = projected.unflatten(-1, {count, projected.size(-1) / count})
                           .unsqueeze(0)
                           .transpose(0, -2)
                           .squeeze(-2)
                           .contiguous();
  std::vector<at::Tensor> parts;
  for (std::int64_t i = 0; i < count; ++i) parts.push_back(stacked[i]);
  return parts;
#endif
}

/// Merges both masks into one that is added to the scores: (N * num_heads or 1, L or 1, S). Returns
/// an undefined tensor if there is no mask.
at::Tensor added_mask(at::Tensor attn_mask, const at::Tensor& key_padding_mask, at::ScalarType type,
                      std::int64_t num_heads) {
  if (attn_mask.defined() && attn_mask.dim() == 2) attn_mask = attn_mask.unsqueeze(0);
  if (key_padding_mask.defined()) {
    const auto batch = key_padding_mask.size(0), source = key_padding_mask.size(1);
    const auto padding = key_padding_mask.view({batch, 1, 1, source})
                             .expand({-1, num_heads, -1, -1})
                             .reshape({batch * num_heads, 1, source});
    attn_mask = !attn_mask.defined() ? padding
#if TORCH_VERSION_MAJOR >= 2
                                     : attn_mask + padding;
#else
                : attn_mask.scalar_type() == at::kBool ? attn_mask.logical_or(padding)
                                                       : attn_mask.masked_fill(padding, minus_infinity);
#endif
  }
  const bool is_bool = attn_mask.defined() && attn_mask.scalar_type() == at::kBool;
  return is_bool ? zeros_and_infinities(attn_mask, type) : attn_mask;
}

/// Returns how much each query attends to each key: (N * num_heads, L, S). Python multiplies by a number as
/// by a tensor, which has another grad_fn.
at::Tensor attention_weights(const at::Tensor& q, const at::Tensor& k, const at::Tensor& mask,
                             double dropout) {
  const auto size = static_cast<double>(q.size(-1));
#if TORCH_VERSION_MAJOR < 2
  const auto scaled = q / at::native::wrapped_scalar_tensor(std::sqrt(size));
#else
  const auto scaled = q * at::native::wrapped_scalar_tensor(std::sqrt(1.0 / size));
#endif
  const auto keys = k.transpose(-2, -1);
  const auto scores = mask.defined() ? at::baddbmm(mask, scaled, keys) : at::bmm(scaled, keys);
  const auto weights = at::softmax(scores, -1);
  return dropout > 0 ? at::dropout(weights, dropout, /*train=*/true) : weights;
}

/// Returns (N, num_heads, L, S), or (N, L, S) if the weights are averaged over the heads.
at::Tensor shown_weights(const at::Tensor& weights, std::int64_t num_heads, bool average) {
  auto by_head = weights.view({weights.size(0) / num_heads, num_heads, weights.size(1), weights.size(2)});
  if (!average) return by_head;
#if TORCH_VERSION_MAJOR < 2
  return by_head.sum(1) / at::native::wrapped_scalar_tensor(num_heads);
#else
  return by_head.mean(1);
#endif
}

#if TORCH_VERSION_MAJOR >= 2
/// Returns the outputs of the heads as (L, N, num_heads, E / num_heads).
at::Tensor attend_without_weights(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                                  const at::Tensor& mask, std::int64_t num_heads, double dropout,
                                  bool is_causal) {
  const auto by_head = [&](const at::Tensor& x) {
    return x.view({x.size(0) / num_heads, num_heads, x.size(1), x.size(2)});
  };
  c10::optional<at::Tensor> added;
  if (mask.defined()) added = mask.size(0) == 1 ? mask.unsqueeze(0) : by_head(mask);
  const auto queries = by_head(q), keys = by_head(k), values = by_head(v);
  return at::scaled_dot_product_attention(queries, keys, values, added, dropout, is_causal)
      .permute({2, 0, 1, 3});
}
#endif

/// Returns the outputs of the heads, (L, N, …), as rows of `embed_dim` elements.
at::Tensor rows(const at::Tensor& heads, std::int64_t embed_dim) {
#if TORCHBOOK_LIBTORCH_AT_LEAST(2, 14)
  return heads.reshape({-1, embed_dim});
#else
  return heads.contiguous().view({-1, embed_dim});
#endif
}

}  // namespace

at::Tensor detail::canonical_mask(const at::Tensor& mask, const char* name, at::ScalarType type) {
  if (!mask.defined()) return mask;
  const bool is_bool = mask.scalar_type() == at::kBool;
  TORCH_CHECK(is_bool || mask.is_floating_point(), name, " has the type ", mask.scalar_type(),
              ", but must be bool or floating-point");
  return is_bool && TORCH_VERSION_MAJOR >= 2 ? zeros_and_infinities(mask, type) : mask;
}

bool detail::fuses(at::ArrayRef<at::Tensor> tensors) {
  const bool grad = at::GradMode::is_enabled();
  return !autocasts() && std::all_of(tensors.begin(), tensors.end(), [&](const at::Tensor& each) {
    return !each.defined() || ((each.is_cpu() || each.is_cuda()) && !(grad && each.requires_grad()));
  });
}

detail::FusedMask detail::merge_masks(const at::Tensor& attn_mask, const at::Tensor& key_padding_mask,
                                      const at::Tensor& query, std::int64_t num_heads) {
  if (!attn_mask.defined()) return key_padding_mask.defined() ? FusedMask{key_padding_mask, 1} : FusedMask{};
  const auto batch = query.size(0), length = query.size(1);
  const auto merged = attn_mask.dim() == 3
                          ? attn_mask.view({batch, -1, length, length})
                          : attn_mask.view({1, 1, length, length}).expand({batch, num_heads, -1, -1});
  if (!key_padding_mask.defined()) return {merged, 2};
  return {merged + key_padding_mask.view({batch, 1, 1, length}).expand({-1, num_heads, -1, -1}), 2};
}

MultiheadAttentionImpl::MultiheadAttentionImpl(const MultiheadAttentionOptions& chosen) : options(chosen) {
  MultiheadAttentionImpl::reset();
}

void MultiheadAttentionImpl::reset() {
  const auto embed_dim = options.embed_dim(), num_heads = options.num_heads();
  TORCH_CHECK(embed_dim > 0 && num_heads > 0 && embed_dim % num_heads == 0, "embed_dim is ", embed_dim,
              " and num_heads is ", num_heads, ", but embed_dim must be a positive multiple of num_heads");
  in_proj_weight = register_parameter("in_proj_weight", at::empty({3 * embed_dim, embed_dim}));
  in_proj_bias = register_parameter(
      "in_proj_bias", options.bias() ? at::zeros({3 * embed_dim}) : at::Tensor(), options.bias());
  out_proj = register_module(
      "out_proj",
      NonDynamicallyQuantizableLinear(torch::nn::LinearOptions(embed_dim, embed_dim).bias(options.bias())));
  torch::nn::init::xavier_uniform_(in_proj_weight);
  if (options.bias()) torch::nn::init::zeros_(out_proj->bias);
}

bool MultiheadAttentionImpl::takes_fast_path(const at::Tensor& query, const at::Tensor& key,
                                             const at::Tensor& value) const {
  const bool itself = query.dim() == 3 && query.is_same(key) && key.is_same(value);
  const bool even = options.num_heads() % 2 == 0;
  return itself && even && !is_training() && options.batch_first() &&
         query.scalar_type() == in_proj_weight.scalar_type() &&
         detail::fuses({query, in_proj_weight, in_proj_bias, out_proj->weight, out_proj->bias});
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> MultiheadAttentionImpl::project(
    const at::Tensor& query, const at::Tensor& key, const at::Tensor& value) const {
  const auto& weight = in_proj_weight;
  const auto& bias = in_proj_bias;
  if (key.is_same(value) && query.is_same(key)) {
    const auto parts = parts_of(at::linear(query, weight, bias), 3);
    return {parts[0], parts[1], parts[2]};
  }
  if (key.is_same(value)) {
    const auto size = query.size(-1);
    const auto weights = weight.split_with_sizes({size, size * 2});
    const auto biases = bias.defined() ? bias.split_with_sizes({size, size * 2}) : std::vector<at::Tensor>(2);
    const auto queries = at::linear(query, weights[0], biases[0]);
    const auto others = parts_of(at::linear(key, weights[1], biases[1]), 2);
    return {queries, others[0], others[1]};
  }
  const auto weights = weight.chunk(3);
  const auto biases = bias.defined() ? bias.chunk(3) : std::vector<at::Tensor>(3);
  const auto queries = at::linear(query, weights[0], biases[0]);
  const auto keys = at::linear(key, weights[1], biases[1]);
  return {queries, keys, at::linear(value, weights[2], biases[2])};
}

void MultiheadAttentionImpl::check_shapes(const at::Tensor& query, const at::Tensor& key,
                                          const at::Tensor& value, const at::Tensor& key_padding_mask,
                                          const at::Tensor& attn_mask) const {
  const auto length = query.size(0), batch = query.size(1), source = key.size(0);
  const std::vector<std::int64_t> keys = {source, batch, options.embed_dim()}, padding = {batch, source},
                                  one = {length, source}, all = {batch * options.num_heads(), length, source};
  TORCH_CHECK(query.size(2) == options.embed_dim(), "the last dimension of query is ", query.size(2),
              ", but must be embed_dim, ", options.embed_dim());
  TORCH_CHECK(key.sizes() == keys && value.sizes() == keys, "key and value have the shapes ", key.sizes(),
              " and ", value.sizes(), " (L, N, E), but must both be (S, ", batch, ", ", options.embed_dim(),
              ")");
  TORCH_CHECK(!key_padding_mask.defined() || key_padding_mask.sizes() == padding,
              "key_padding_mask has the shape ", key_padding_mask.sizes(), ", but must be ", padding);
  TORCH_CHECK(!attn_mask.defined() || attn_mask.sizes() == one || attn_mask.sizes() == all,
              "attn_mask has the shape ", attn_mask.sizes(), ", but must be ", one, " or ", all);
}

std::tuple<at::Tensor, at::Tensor> MultiheadAttentionImpl::attend(
    const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
    const at::Tensor& key_padding_mask, at::Tensor attn_mask, bool need_weights, bool is_causal) const {
  check_shapes(query, key, value, key_padding_mask, attn_mask);
  TORCH_CHECK(!is_causal || attn_mask.defined(),
              "is_causal is set without attn_mask, but needs a causal one");
  is_causal = is_causal && !key_padding_mask.defined() && !need_weights;
  if (is_causal) attn_mask = at::Tensor();
  const auto num_heads = options.num_heads(), embed_dim = query.size(2), batch = query.size(1);
  auto [q, k, v] = project(query, key, value);
  const auto in_heads = [&](const at::Tensor& x) {
    return x.contiguous().view({x.size(0), batch * num_heads, embed_dim / num_heads}).transpose(0, 1);
  };
  q = in_heads(q);  // (N * num_heads, L, E / num_heads)
  k = in_heads(k);
  v = in_heads(v);
  const auto mask = added_mask(attn_mask, key_padding_mask, q.scalar_type(), num_heads);
  const double dropout = is_training() ? options.dropout() : 0;
  at::Tensor output, weights;
#if TORCH_VERSION_MAJOR >= 2
  if (!need_weights) output = attend_without_weights(q, k, v, mask, num_heads, dropout, is_causal);
#endif
  if (!output.defined()) {
    weights = attention_weights(q, k, mask, dropout);
    output = at::bmm(weights, v).transpose(0, 1);
  }
  output = at::linear(rows(output, embed_dim), out_proj->weight, out_proj->bias);
  return {output.view({query.size(0), batch, embed_dim}), weights};
}

std::tuple<at::Tensor, at::Tensor> MultiheadAttentionImpl::forward(
    at::Tensor query, at::Tensor key, at::Tensor value, at::Tensor key_padding_mask, bool need_weights,
    at::Tensor attn_mask, bool average_attn_weights, bool is_causal) {
  TORCH_CHECK(query.dim() == 2 || query.dim() == 3, "query has ", query.dim(),
              " dimensions, but must have 2 or 3");
  TORCH_CHECK(key.dim() == query.dim() && value.dim() == query.dim(), "key and value have ", key.dim(),
              " and ", value.dim(), " dimensions, but must have ", query.dim(), ", as query has");
  TORCH_CHECK(!is_causal || TORCH_VERSION_MAJOR >= 2, "is_causal is set, but PyTorch 1.13 does not have it");
#if TORCH_VERSION_MAJOR < 2
  const bool fits = !attn_mask.defined() && options.dropout() == 0;
#else
  const auto is_float = [](const at::Tensor& mask) { return mask.defined() && mask.is_floating_point(); };
  const bool fits = !is_float(attn_mask) && !is_float(key_padding_mask) && in_proj_bias.defined();
#endif
  key_padding_mask = detail::canonical_mask(key_padding_mask, "key_padding_mask", query.scalar_type());
  attn_mask = detail::canonical_mask(attn_mask, "attn_mask", query.scalar_type());
  if (fits && takes_fast_path(query, key, value)) {
    TORCH_CHECK(in_proj_bias.defined(),
                "PyTorch 1.13 cannot evaluate attention without biases while no gradients are recorded");
    const auto [mask, type] = detail::merge_masks(attn_mask, key_padding_mask, query, options.num_heads());
    return at::_native_multi_head_attention(query, key, value, options.embed_dim(), options.num_heads(),
                                            in_proj_weight, in_proj_bias, out_proj->weight, out_proj->bias,
                                            mask, need_weights, average_attn_weights, type);
  }
  const bool batched = query.dim() == 3, transposes = batched && options.batch_first();
  const auto reordered = [&](const at::Tensor& x) {
    return !batched ? x.unsqueeze(1) : transposes ? x.transpose(1, 0) : x;
  };
  // Without a batch, Python unsqueezes query, key and value separately, even if they are one tensor.
  const bool same_value = batched && key.is_same(value), same_key = same_value && query.is_same(key);
  query = reordered(query);  // (L, N, E)
  key = same_key ? query : reordered(key);
  value = same_value ? key : reordered(value);
  if (!batched && key_padding_mask.defined()) key_padding_mask = key_padding_mask.unsqueeze(0);
  auto [output, weights] = attend(query, key, value, key_padding_mask, attn_mask, need_weights, is_causal);
  weights = need_weights ? shown_weights(weights, options.num_heads(), average_attn_weights) : at::Tensor();
  if (batched) return {transposes ? output.transpose(1, 0) : output, weights};
  return {output.squeeze(1), need_weights ? weights.squeeze(0) : weights};
}

}  // namespace torchbook::nn::inline v1
