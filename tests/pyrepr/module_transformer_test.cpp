// Tests the text of transformers, attention and the adaptive softmax, whose children LibTorch has in its own
// way.
#include <gtest/gtest.h>
#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/adaptive.h>
#include <torch/nn/modules/normalization.h>
#include <torch/nn/modules/transformer.h>
#include <torch/nn/modules/transformercoder.h>
#include <torch/nn/modules/transformerlayer.h>
#include <torchbook/pyrepr/module.h>
#include <torchbook/pyrepr/release.h>

#include "judged.h"

namespace torchbook::pyrepr {
namespace {

namespace nn = torch::nn;

/// Returns a text with each line after the first indented by two columns.
std::string nested(const std::string& text) {
  std::string result;
  for (const char c : text) (result += c) += c == '\n' ? "  " : "";
  return result;
}

const std::string norm_end =
    std::string("eps=1e-05, elementwise_affine=True") + (release::norms_show_bias ? ", bias=True)\n" : ")\n");

const std::string attention =
    "MultiheadAttention(\n"
    "  (out_proj): NonDynamicallyQuantizableLinear(in_features=4, out_features=4, bias=True)\n"
    ")";

const std::string encoder_layer = "TransformerEncoderLayer(\n  (self_attn): " + nested(attention) +
                                  "\n"
                                  "  (linear1): Linear(in_features=4, out_features=3, bias=True)\n"
                                  "  (dropout): Dropout(p=0.1, inplace=False)\n"
                                  "  (linear2): Linear(in_features=3, out_features=4, bias=True)\n"
                                  "  (norm1): LayerNorm((4,), " +
                                  norm_end + "  (norm2): LayerNorm((4,), " + norm_end +
                                  "  (dropout1): Dropout(p=0.1, inplace=False)\n"
                                  "  (dropout2): Dropout(p=0.1, inplace=False)\n"
                                  ")";

const std::string decoder_layer = "TransformerDecoderLayer(\n  (self_attn): " + nested(attention) +
                                  "\n  (multihead_attn): " + nested(attention) +
                                  "\n"
                                  "  (linear1): Linear(in_features=4, out_features=3, bias=True)\n"
                                  "  (dropout): Dropout(p=0.1, inplace=False)\n"
                                  "  (linear2): Linear(in_features=3, out_features=4, bias=True)\n"
                                  "  (norm1): LayerNorm((4,), " +
                                  norm_end + "  (norm2): LayerNorm((4,), " + norm_end +
                                  "  (norm3): LayerNorm((4,), " + norm_end +
                                  "  (dropout1): Dropout(p=0.1, inplace=False)\n"
                                  "  (dropout2): Dropout(p=0.1, inplace=False)\n"
                                  "  (dropout3): Dropout(p=0.1, inplace=False)\n"
                                  ")";

/// Returns the text of a ModuleList of `count` equal modules.
std::string list_of(int count, const std::string& text) {
  std::string lines;
  if (count > 1 && release::folds_equal_modules) {
    lines = "  (0-" + std::to_string(count - 1) + "): " + std::to_string(count) + " x " + nested(text) + "\n";
  } else {
    for (int i = 0; i < count; ++i) lines += "  (" + std::to_string(i) + "): " + nested(text) + "\n";
  }
  return "ModuleList(\n" + lines + ")";
}

TEST(ModuleAttention, NamesItsProjectionAsPythonDoes) {
  EXPECT_REPR("nn.MultiheadAttention(4, 2)", nn::MultiheadAttention(4, 2), attention);
  EXPECT_REPR("nn.MultiheadAttention(4, 2, 0.1, False, True, True, kdim=3, vdim=5)",
              nn::MultiheadAttention(nn::MultiheadAttentionOptions(4, 2)
                                         .dropout(0.1)
                                         .bias(false)
                                         .add_bias_kv(true)
                                         .add_zero_attn(true)
                                         .kdim(3)
                                         .vdim(5)),
              "MultiheadAttention(\n"
              "  (out_proj): NonDynamicallyQuantizableLinear(in_features=4, out_features=4, bias=False)\n"
              ")");
}

TEST(ModuleTransformer, LayersShowTheirChildrenInPythonsOrder) {
  EXPECT_REPR("nn.TransformerEncoderLayer(4, 2, 3)",
              nn::TransformerEncoderLayer(nn::TransformerEncoderLayerOptions(4, 2).dim_feedforward(3)),
              encoder_layer);
  EXPECT_REPR("nn.TransformerDecoderLayer(4, 2, 3, activation='gelu')",
              nn::TransformerDecoderLayer(
                  nn::TransformerDecoderLayerOptions(4, 2).dim_feedforward(3).activation(torch::kGELU)),
              decoder_layer);
}

TEST(ModuleTransformer, CodersShowTheirNormIfTheyHaveOne) {
  const nn::TransformerEncoderLayer encoder(nn::TransformerEncoderLayerOptions(4, 2).dim_feedforward(3));
  EXPECT_REPR("nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 3), 2, enable_nested_tensor=False)",
              nn::TransformerEncoder(encoder, 2),
              "TransformerEncoder(\n  (layers): " + nested(list_of(2, encoder_layer)) + "\n)");
  const nn::TransformerDecoderLayer decoder(nn::TransformerDecoderLayerOptions(4, 2).dim_feedforward(3));
  const nn::AnyModule norm(nn::LayerNorm(nn::LayerNormOptions({4})));
  EXPECT_REPR("nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, 3), 1, nn.LayerNorm(4))",
              nn::TransformerDecoder(nn::TransformerDecoderOptions(decoder, 1).norm(norm)),
              "TransformerDecoder(\n  (layers): " + nested(list_of(1, decoder_layer)) +
                  "\n  (norm): LayerNorm((4,), " + norm_end + ")");
}

TEST(ModuleTransformer, ShowsEncoderAndDecoder) {
  const std::string norm = "\n  (norm): LayerNorm((4,), " + norm_end + ")";
  const std::string encoder = "TransformerEncoder(\n  (layers): " + nested(list_of(2, encoder_layer)) + norm;
  const std::string decoder = "TransformerDecoder(\n  (layers): " + nested(list_of(1, decoder_layer)) + norm;
  EXPECT_REPR("nn.Transformer(4, 2, 2, 1, 3)",
              nn::Transformer(nn::TransformerOptions(4, 2, 2, 1).dim_feedforward(3)),
              "Transformer(\n  (encoder): " + nested(encoder) + "\n  (decoder): " + nested(decoder) + "\n)");
}

TEST(ModuleAdaptiveLogSoftmaxWithLoss, ShowsHeadAndTail) {
  const std::string tail =
      "ModuleList(\n"
      "  (0): Sequential(\n"
      "    (0): Linear(in_features=32, out_features=8, bias=False)\n"
      "    (1): Linear(in_features=8, out_features=5, bias=False)\n"
      "  )\n"
      "  (1): Sequential(\n"
      "    (0): Linear(in_features=32, out_features=2, bias=False)\n"
      "    (1): Linear(in_features=2, out_features=10, bias=False)\n"
      "  )\n"
      ")";
  EXPECT_REPR("nn.AdaptiveLogSoftmaxWithLoss(32, 20, [5, 10], div_value=4.0, head_bias=True)",
              nn::AdaptiveLogSoftmaxWithLoss(
                  nn::AdaptiveLogSoftmaxWithLossOptions(32, 20, {5, 10}).div_value(4).head_bias(true)),
              "AdaptiveLogSoftmaxWithLoss(\n"
              "  (head): Linear(in_features=32, out_features=7, bias=True)\n"
              "  (tail): " +
                  nested(tail) + "\n)");
}

}  // namespace
}  // namespace torchbook::pyrepr
