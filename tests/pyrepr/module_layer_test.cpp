// Tests the text of linear, recurrent, embedding and dropout layers, and of layers that only move elements.
#include <gtest/gtest.h>
#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/fold.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/pixelshuffle.h>
#include <torch/nn/modules/rnn.h>
#include <torch/nn/modules/upsampling.h>
#include <torchbook/pyrepr/module.h>
#include <torchbook/pyrepr/release.h>

#include "judged.h"

namespace torchbook::pyrepr {
namespace {

namespace nn = torch::nn;

TEST(ModuleLinear, ShowsItsFeatures) {
  EXPECT_REPR("nn.Linear(3, 4)", nn::Linear(3, 4), "Linear(in_features=3, out_features=4, bias=True)");
  EXPECT_REPR("nn.Linear(3, 4, bias=False)", nn::Linear(nn::LinearOptions(3, 4).bias(false)),
              "Linear(in_features=3, out_features=4, bias=False)");
  EXPECT_REPR("nn.Bilinear(2, 3, 4)", nn::Bilinear(2, 3, 4),
              "Bilinear(in1_features=2, in2_features=3, out_features=4, bias=True)");
  EXPECT_REPR("nn.Bilinear(2, 3, 4, False)", nn::Bilinear(nn::BilinearOptions(2, 3, 4).bias(false)),
              "Bilinear(in1_features=2, in2_features=3, out_features=4, bias=False)");
  EXPECT_REPR("nn.Identity()", nn::Identity(), "Identity()");
}

TEST(ModuleShape, ShowsItsDimensions) {
  EXPECT_REPR("nn.Flatten()", nn::Flatten(), "Flatten(start_dim=1, end_dim=-1)");
  EXPECT_REPR("nn.Flatten(0, 2)", nn::Flatten(nn::FlattenOptions().start_dim(0).end_dim(2)),
              "Flatten(start_dim=0, end_dim=2)");
  EXPECT_REPR("nn.Unflatten(1, (2, 5))", nn::Unflatten(nn::UnflattenOptions(1, {2, 5})),
              "Unflatten(dim=1, unflattened_size=(2, 5))");
  EXPECT_REPR("nn.Unflatten(-1, (6,))", nn::Unflatten(nn::UnflattenOptions(-1, {6})),
              "Unflatten(dim=-1, unflattened_size=(6,))");
  EXPECT_REPR("nn.PixelShuffle(3)", nn::PixelShuffle(3), "PixelShuffle(upscale_factor=3)");
  EXPECT_REPR("nn.PixelUnshuffle(2)", nn::PixelUnshuffle(2), "PixelUnshuffle(downscale_factor=2)");
}

#if !TORCHBOOK_LIBTORCH_AT_LEAST(2, 7)
TEST(ModuleShape, ShowsNamedDimensions) {
  EXPECT_REPR("nn.Unflatten('features', (('C', 2), ('W', 5)))",
              nn::Unflatten("features", nn::UnflattenOptions::namedshape_t{{"C", 2}, {"W", 5}}),
              "Unflatten(dim=features, unflattened_size=(('C', 2), ('W', 5)))");
}
#endif

TEST(ModuleFold, ShowsEqualSizesAsOneNumber) {
  EXPECT_REPR("nn.Fold((4, 5), 2)", nn::Fold(nn::FoldOptions({4, 5}, 2)),
              "Fold(output_size=(4, 5), kernel_size=2, dilation=1, padding=0, stride=1)");
  EXPECT_REPR("nn.Fold(4, (2, 3), dilation=(1, 2), padding=1, stride=2)",
              nn::Fold(nn::FoldOptions(4, {2, 3}).dilation({1, 2}).padding(1).stride(2)),
              "Fold(output_size=4, kernel_size=(2, 3), dilation=(1, 2), padding=1, stride=2)");
  EXPECT_REPR("nn.Unfold(2)", nn::Unfold(nn::UnfoldOptions(2)),
              "Unfold(kernel_size=2, dilation=1, padding=0, stride=1)");
  EXPECT_REPR("nn.Unfold((2, 3), dilation=2, padding=(0, 1), stride=3)",
              nn::Unfold(nn::UnfoldOptions({2, 3}).dilation(2).padding({0, 1}).stride(3)),
              "Unfold(kernel_size=(2, 3), dilation=2, padding=(0, 1), stride=3)");
}

TEST(ModuleUpsample, ShowsItsScaleOrItsSize) {
  const std::string quote = release::quotes_modes ? "'" : "";
  const auto mode = [&](const std::string& name) { return ", mode=" + quote + name + quote + ")"; };
  using Factors = std::vector<double>;
  using Sizes = std::vector<std::int64_t>;
  EXPECT_REPR("nn.Upsample(scale_factor=2)", nn::Upsample(nn::UpsampleOptions().scale_factor(Factors{2})),
              "Upsample(scale_factor=2.0" + mode("nearest"));
  EXPECT_REPR("nn.Upsample(scale_factor=(2, 1.5), mode='bilinear')",
              nn::Upsample(nn::UpsampleOptions().scale_factor(Factors{2, 1.5}).mode(torch::kBilinear)),
              "Upsample(scale_factor=(2.0, 1.5)" + mode("bilinear"));
  EXPECT_REPR("nn.Upsample(7, mode='linear', align_corners=True)",
              nn::Upsample(nn::UpsampleOptions().size(Sizes{7}).mode(torch::kLinear).align_corners(true)),
              "Upsample(size=7" + mode("linear"));
  EXPECT_REPR("nn.Upsample(size=(3, 4), mode='bicubic')",
              nn::Upsample(nn::UpsampleOptions().size(Sizes{3, 4}).mode(torch::kBicubic)),
              "Upsample(size=(3, 4)" + mode("bicubic"));
  EXPECT_REPR("nn.Upsample(size=2, mode='trilinear')",
              nn::Upsample(nn::UpsampleOptions().size(Sizes{2, 2, 2}).mode(torch::kTrilinear)),
              "Upsample(size=2" + mode("trilinear"));
  EXPECT_REPR("nn.Upsample()", nn::Upsample(), "Upsample(size=None" + mode("nearest"));
}

TEST(ModuleEmbedding, ShowsOnlyWhatIsNotTheDefault) {
  EXPECT_REPR("nn.Embedding(10, 3)", nn::Embedding(10, 3), "Embedding(10, 3)");
  EXPECT_REPR("nn.Embedding(10, 3, padding_idx=-1)",
              nn::Embedding(nn::EmbeddingOptions(10, 3).padding_idx(-1)), "Embedding(10, 3, padding_idx=9)");
  EXPECT_REPR(
      "nn.Embedding(10, 3, 0, 1.5, 1.0, True, True)",
      nn::Embedding(nn::EmbeddingOptions(10, 3)
                        .padding_idx(0)
                        .max_norm(1.5)
                        .norm_type(1)
                        .scale_grad_by_freq(true)
                        .sparse(true)),
      "Embedding(10, 3, padding_idx=0, max_norm=1.5, norm_type=1.0, scale_grad_by_freq=True, sparse=True)");
}

TEST(ModuleEmbedding, OfBagsShowsItsMode) {
  const auto mode = [](const std::string& name) {
    return ", mode=" + (release::quotes_modes ? "'" + name + "'" : name);
  };
  EXPECT_REPR("nn.EmbeddingBag(10, 3)", nn::EmbeddingBag(10, 3), "EmbeddingBag(10, 3" + mode("mean") + ")");
  EXPECT_REPR("nn.EmbeddingBag(10, 3, mode='max', padding_idx=2, include_last_offset=True)",
              nn::EmbeddingBag(
                  nn::EmbeddingBagOptions(10, 3).mode(torch::kMax).padding_idx(2).include_last_offset(true)),
              "EmbeddingBag(10, 3" + mode("max") + ", padding_idx=2)");
  EXPECT_REPR("nn.EmbeddingBag(10, 3, 2.0, 3.0, True, 'sum', True)",
              nn::EmbeddingBag(nn::EmbeddingBagOptions(10, 3)
                                   .max_norm(2)
                                   .norm_type(3)
                                   .scale_grad_by_freq(true)
                                   .mode(torch::kSum)
                                   .sparse(true)),
              "EmbeddingBag(10, 3, max_norm=2.0, norm_type=3.0, scale_grad_by_freq=True" + mode("sum") + ")");
}

TEST(ModuleRecurrent, ShowsOnlyWhatIsNotTheDefault) {
  EXPECT_REPR("nn.RNN(3, 4)", nn::RNN(3, 4), "RNN(3, 4)");
  EXPECT_REPR("nn.RNN(3, 4, nonlinearity='relu')", nn::RNN(nn::RNNOptions(3, 4).nonlinearity(torch::kReLU)),
              "RNN(3, 4)");
  EXPECT_REPR("nn.GRU(3, 4)", nn::GRU(3, 4), "GRU(3, 4)");
  EXPECT_REPR("nn.LSTM(3, 4)", nn::LSTM(3, 4), "LSTM(3, 4)");
  EXPECT_REPR("nn.LSTM(3, 4, 2, False, True, 0.25, True, 2)",
              nn::LSTM(nn::LSTMOptions(3, 4)
                           .num_layers(2)
                           .bias(false)
                           .batch_first(true)
                           .dropout(0.25)
                           .bidirectional(true)
                           .proj_size(2)),
              "LSTM(3, 4, proj_size=2, num_layers=2, bias=False, batch_first=True, dropout=0.25, "
              "bidirectional=True)");
  EXPECT_REPR("nn.GRU(3, 4, 2, batch_first=True)",
              nn::GRU(nn::GRUOptions(3, 4).num_layers(2).batch_first(true)),
              "GRU(3, 4, num_layers=2, batch_first=True)");
}

TEST(ModuleRecurrent, CellsShowOnlyWhatIsNotTheDefault) {
  EXPECT_REPR("nn.RNNCell(3, 4)", nn::RNNCell(3, 4), "RNNCell(3, 4)");
  EXPECT_REPR("nn.RNNCell(3, 4, False, 'relu')",
              nn::RNNCell(nn::RNNCellOptions(3, 4).bias(false).nonlinearity(torch::kReLU)),
              "RNNCell(3, 4, bias=False, nonlinearity=relu)");
  EXPECT_REPR("nn.LSTMCell(3, 4)", nn::LSTMCell(3, 4), "LSTMCell(3, 4)");
  EXPECT_REPR("nn.LSTMCell(3, 4, False)", nn::LSTMCell(nn::LSTMCellOptions(3, 4).bias(false)),
              "LSTMCell(3, 4, bias=False)");
  EXPECT_REPR("nn.GRUCell(3, 4)", nn::GRUCell(3, 4), "GRUCell(3, 4)");
  EXPECT_REPR("nn.GRUCell(3, 4, False)", nn::GRUCell(nn::GRUCellOptions(3, 4).bias(false)),
              "GRUCell(3, 4, bias=False)");
}

TEST(ModuleDropout, ShowsItsProbability) {
  EXPECT_REPR("nn.Dropout()", nn::Dropout(), "Dropout(p=0.5, inplace=False)");
  EXPECT_REPR("nn.Dropout(0.1, True)", nn::Dropout(nn::DropoutOptions(0.1).inplace(true)),
              "Dropout(p=0.1, inplace=True)");
  EXPECT_REPR("nn.Dropout2d(0.2)", nn::Dropout2d(0.2), "Dropout2d(p=0.2, inplace=False)");
  EXPECT_REPR("nn.Dropout3d()", nn::Dropout3d(), "Dropout3d(p=0.5, inplace=False)");
  EXPECT_REPR("nn.AlphaDropout(1e-5)", nn::AlphaDropout(1e-5), "AlphaDropout(p=1e-05, inplace=False)");
  EXPECT_REPR("nn.FeatureAlphaDropout(0.25, True)",
              nn::FeatureAlphaDropout(nn::FeatureAlphaDropoutOptions(0.25).inplace(true)),
              "FeatureAlphaDropout(p=0.25, inplace=True)");
}

}  // namespace
}  // namespace torchbook::pyrepr
