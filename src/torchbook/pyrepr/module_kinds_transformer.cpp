// Defines how Python prints transformers, attention and the adaptive softmax: only their children.
#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/adaptive.h>
#include <torch/nn/modules/transformer.h>
#include <torch/nn/modules/transformercoder.h>
#include <torch/nn/modules/transformerlayer.h>
#include <torchbook/pyrepr/module.h>
#include <torchbook/pyrepr/module_kinds.h>

namespace torchbook::pyrepr::inline v1 {
namespace {

namespace nn = torch::nn;

/// Python's class of the output projection of an attention. It prints as a linear layer does.
struct NonDynamicallyQuantizableLinear : nn::Module, ExtraRepr {
  explicit NonDynamicallyQuantizableLinear(const nn::LinearImpl& shown) : linear(shown) {}
  std::string extra_repr() const override {
    std::string text;
    ExtraText extra(text);
    write_linear(linear, extra);
    return text;
  }

  const nn::LinearImpl& linear;
};

ModuleChildren attention_children(const nn::Module& module) {
  ModuleChildren children = module.named_children();
  if (auto* projection = children.find("out_proj"); projection != nullptr && *projection != nullptr) {
    const nn::Module& layer = **projection;
    if (typeid(layer) == typeid(nn::LinearImpl))
      *projection =
          std::make_shared<NonDynamicallyQuantizableLinear>(dynamic_cast<const nn::LinearImpl&>(layer));
  }
  return children;
}

/// Returns the children in Python's order. LibTorch registers them in a different order.
ModuleChildren decoder_layer_children(const nn::Module& module) {
  const ModuleChildren registered = module.named_children();
  ModuleChildren children;
  for (const char* name : {"self_attn", "multihead_attn", "linear1", "dropout", "linear2", "norm1", "norm2",
                           "norm3", "dropout1", "dropout2", "dropout3"}) {
    if (const auto* child = registered.find(name)) children.insert(name, *child);
  }
  for (const auto& child : registered) {
    if (!children.contains(child.key())) children.insert(child.key(), child.value());
  }
  return children;
}

}  // namespace

std::vector<ModuleKind> transformer_kinds() {
  ModuleKind attention = module_kind<nn::MultiheadAttentionImpl>(no_extra);
  attention.children = attention_children;
  ModuleKind decoder_layer = module_kind<nn::TransformerDecoderLayerImpl>(no_extra);
  decoder_layer.children = decoder_layer_children;
  return join_kinds(
      {attention, decoder_layer},
      module_kinds<nn::AdaptiveLogSoftmaxWithLossImpl, nn::TransformerImpl, nn::TransformerDecoderImpl,
                   nn::TransformerEncoderImpl, nn::TransformerEncoderLayerImpl>(no_extra));
}

}  // namespace torchbook::pyrepr::inline v1
