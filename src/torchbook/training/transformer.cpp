#include <torch/version.h>
#include <torchbook/training/fast_path.h>
#include <torchbook/training/transformer.h>

#include <functional>
#include <limits>

namespace torchbook::nn::inline v1 {
namespace {

using Function = std::function<at::Tensor(const at::Tensor&)>;

bool is_gelu(const torch::nn::activation_t& activation) {
  return get_if<torch::enumtype::kGELU>(&activation) != nullptr;
}

#if TORCH_VERSION_MAJOR >= 2
/// Returns whether a mask is 0 for a key up to the query's position, and -inf after it.
bool is_causal_mask(const at::Tensor& mask, std::int64_t length) {
  const auto hidden = at::full({length, length}, -std::numeric_limits<double>::infinity(), mask.options());
  return mask.sizes() == hidden.sizes() && (mask == hidden.triu(1)).all().item<bool>();
}
#endif

}  // namespace

void TransformerEncoderLayerImpl::reset() {
  TORCH_CHECK(options.bias() || TORCH_VERSION_MAJOR >= 2,
              "bias is false, but the layers of PyTorch 1.13 always have biases");
  const auto d_model = options.d_model(), between = options.dim_feedforward();
  const auto norm_options = torch::nn::LayerNormOptions({d_model}).eps(options.layer_norm_eps());
  const auto linear = [&](std::int64_t in, std::int64_t out) {
    return Linear(torch::nn::LinearOptions(in, out).bias(options.bias()));
  };
  self_attn =
      register_module("self_attn", MultiheadAttention(MultiheadAttentionOptions(d_model, options.nhead())
                                                          .dropout(options.dropout())
                                                          .bias(options.bias())
                                                          .batch_first(options.batch_first())));
  linear1 = register_module("linear1", linear(d_model, between));
  dropout = register_module("dropout", torch::nn::Dropout(options.dropout()));
  linear2 = register_module("linear2", linear(between, d_model));
  norm1 = register_module("norm1", torch::nn::LayerNorm(norm_options));
  norm2 = register_module("norm2", torch::nn::LayerNorm(norm_options));
  dropout1 = register_module("dropout1", torch::nn::Dropout(options.dropout()));
  dropout2 = register_module("dropout2", torch::nn::Dropout(options.dropout()));
  drop_biases();
}

std::shared_ptr<torch::nn::Module> TransformerEncoderLayerImpl::clone(
    const c10::optional<torch::Device>& device) const {
  auto copy = Cloneable::clone(device);
  dynamic_cast<TransformerEncoderLayerImpl&>(*copy).drop_biases();
  return copy;
}

/// LibTorch's LayerNorm cannot be made, nor copied, without a bias.
void TransformerEncoderLayerImpl::drop_biases() {
  if (options.bias()) return;
  struct Access : torch::nn::Module {  // a derived class may name protected members
    static auto parameters() { return &Access::parameters_; }
  };
  for (auto* norm : {norm1.get(), norm2.get()}) {
    norm->bias.reset();
    (norm->*Access::parameters())["bias"].reset();
  }
}

bool TransformerEncoderLayerImpl::is_fast(const at::Tensor& src) const {
  const auto& attention = *self_attn;
  return src.dim() == 3 && !is_training() && attention.options.batch_first() &&
         attention.in_proj_bias.defined() && get_if<Function>(&options.activation()) == nullptr &&
         norm1->options.eps() == norm2->options.eps() && attention.options.num_heads() % 2 == 0 &&
         detail::fuses({src, attention.in_proj_weight, attention.in_proj_bias, attention.out_proj->weight,
                        attention.out_proj->bias, norm1->weight, norm1->bias, norm2->weight, norm2->bias,
                        linear1->weight, linear1->bias, linear2->weight, linear2->bias});
}

at::Tensor TransformerEncoderLayerImpl::feed_forward(const at::Tensor& x) {
  const auto& activation = options.activation();
  const auto* function = get_if<Function>(&activation);
  auto between = linear1(x);
  between = function != nullptr   ? (*function)(between)
            : is_gelu(activation) ? at::gelu(between)
                                  : at::relu(between);
  return dropout2(linear2(dropout(between)));
}

at::Tensor TransformerEncoderLayerImpl::forward(const at::Tensor& src, at::Tensor src_mask,
                                                at::Tensor src_key_padding_mask, bool is_causal) {
  const auto type = src.scalar_type();
  src_key_padding_mask = detail::canonical_mask(src_key_padding_mask, "src_key_padding_mask", type);
  src_mask = detail::canonical_mask(src_mask, "src_mask", type);
  const bool masked = src_mask.defined() || src_key_padding_mask.defined();
  const bool fits = TORCH_VERSION_MAJOR >= 2 || !src_mask.defined();
  if (fits && !(src.is_nested() && masked) && is_fast(src)) {
    const auto& attention = *self_attn;
    const auto heads = attention.options.num_heads();
    const auto [mask, mask_type] = detail::merge_masks(src_mask, src_key_padding_mask, src, heads);
    return at::_transformer_encoder_layer_fwd(
        src, attention.options.embed_dim(), heads, attention.in_proj_weight, attention.in_proj_bias,
        attention.out_proj->weight, attention.out_proj->bias, is_gelu(options.activation()),
        options.norm_first(), norm1->options.eps(), norm1->weight, norm1->bias, norm2->weight, norm2->bias,
        linear1->weight, linear1->bias, linear2->weight, linear2->bias, mask, mask_type);
  }
  const auto attend = [&](const at::Tensor& x) {
    return dropout1(std::get<0>(self_attn(x, x, x, src_key_padding_mask, /*need_weights=*/false, src_mask,
                                          /*average_attn_weights=*/true, is_causal)));
  };
  if (options.norm_first()) {
    const auto x = src + attend(norm1(src));
    return x + feed_forward(norm2(x));
  }
  const auto x = norm1(src + attend(src));
  return norm2(x + feed_forward(x));
}

void TransformerEncoderImpl::reset() {
  TORCH_CHECK(options.num_layers() > 0, "num_layers is ", options.num_layers(), ", but must be at least 1");
  auto generator = at::globalContext().defaultGenerator(at::kCPU);
  const auto before = generator.get_state();
  layers = register_module("layers", torch::nn::ModuleList());
  const auto originals = options.encoder_layer()->parameters();
  for (std::int64_t i = 0; i < options.num_layers(); ++i) {
    const auto copy = options.encoder_layer()->clone();
    auto copied = copy->parameters();
    for (std::size_t at = 0; at < copied.size(); ++at)
      copied[at].requires_grad_(originals[at].requires_grad());
    layers->push_back(copy);
  }
  generator.set_state(before);
  if (options.norm().is_empty()) return;
  norm = norm.is_empty() ? options.norm() : norm.clone();  // A copy of this encoder needs a norm of its own.
  register_module("norm", norm.ptr());
}

bool TransformerEncoderImpl::nests(const TransformerEncoderLayerImpl& first, const at::Tensor& src,
                                   const at::Tensor& mask, const at::Tensor& src_key_padding_mask) const {
  if (!options.enable_nested_tensor() || first.options.norm_first() || src.is_nested() || mask.defined() ||
      !src_key_padding_mask.defined() || !first.is_fast(src))
    return false;
  return !options.mask_check() ||
         at::_nested_tensor_from_mask_left_aligned(src, src_key_padding_mask.logical_not());
}

at::Tensor TransformerEncoderImpl::forward(const at::Tensor& src, at::Tensor mask,
                                           at::Tensor src_key_padding_mask, c10::optional<bool> is_causal) {
  const auto type = src.scalar_type();
  src_key_padding_mask = detail::canonical_mask(src_key_padding_mask, "src_key_padding_mask", type);
  mask = detail::canonical_mask(mask, "mask", type);
  const auto& first = *layers[0]->as<TransformerEncoderLayer>();
  const bool nested = nests(first, src, mask, src_key_padding_mask);
  auto output = src;
  if (nested) {
    output = at::_nested_tensor_from_mask(src, src_key_padding_mask.logical_not(), /*mask_check=*/false);
    src_key_padding_mask = at::Tensor();
  }
#if TORCH_VERSION_MAJOR >= 2
  const auto length_at = src.dim() == 3 && first.self_attn->options.batch_first() ? 1 : 0;
  if (!is_causal && mask.defined())
    is_causal = is_causal_mask(mask, src.is_nested() ? mask.size(-2) : src.size(length_at));
#endif
  for (const auto& layer : *layers) {
    output = layer->as<TransformerEncoderLayer>()->forward(output, mask, src_key_padding_mask,
                                                           is_causal.value_or(false));
  }
#if TORCH_VERSION_MAJOR >= 2
  if (nested) output = output.to_padded_tensor(0.0, src.sizes());
#else
  if (nested) output = output.to_padded_tensor(0.0);
#endif
  return norm.is_empty() ? output : norm.forward(output);
}

}  // namespace torchbook::nn::inline v1
